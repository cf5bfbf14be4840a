import type { Readable } from 'node:stream';
import type { Size } from '../../tree/index.js';

export interface PrivateDesktopOptions {
  name: string;
  /** Size of one monitor. */
  size: Size;
  monitors: 1 | 2;
  /** Show it in a window of the person's own display. */
  visible: boolean;
  /** Private directory (0700, checked) for sockets and the cookie; short, since socket paths are limited. */
  runtimeDir: string;
  /** The apps' HOME. */
  homeDir: string;
  /** Where the hosts' runtime directories are, so that commands typed inside the seat find them. */
  baseDir?: string;
  signal?: AbortSignal;
}

/** A desktop of its own: display, buses, window manager, home. Made by a driver's room, owned by the host. */
export interface PrivateDesktop {
  readonly name: string;
  readonly size: Size;
  /** What a program needs to run in it; the whole environment, not additions. */
  readonly env: Readonly<Record<string, string>>;
  readonly display: string;
  /** Resolves, with the reason, when the seat died by itself. */
  readonly died: Promise<string>;
  /** Starts a program in it, without a shell, with its toolkit's accessibility switched on. */
  launch(command: string, args: readonly string[], options?: LaunchOptions): Promise<Launched>;
  /** What `launch` would start with the same surroundings; undefined when there is no such program. */
  resolveCommand(command: string, args: readonly string[], around?: LaunchEnvironment): ResolvedCommand | undefined;
  /** Ends every program in it, then the seat, and leaves no file and no process. Idempotent. */
  stop(): Promise<void>;
}

/** What a command would start, as far as its files and its words tell. */
export interface ResolvedCommand {
  /** Real path. */
  program: string;
  /** As it was found: a link may lead to it. */
  path: string;
  /** Real paths of what it has run besides: what its first line names, and programs that its words name. */
  runs: string[];
  /** The system has it among its apps: it opens a window of its own and is no terminal. */
  installed: boolean;
}

/** Where a program is started, and what is otherwise in its environment: both say which one a name means. */
export interface LaunchEnvironment {
  cwd?: string;
  env?: Record<string, string>;
}

export interface LaunchOptions extends LaunchEnvironment {
  /** What was judged: this is started, and nothing else that the name may mean by now. */
  authorized?: ResolvedCommand;
  /** Where output goes; `ignore` by default. `inherit` for `desktop run`, `pipe` for whoever reads it. */
  output?: 'ignore' | 'inherit' | 'pipe' | { file: string };
}

export interface Launched {
  pid: number;
  /** Real path of the program. */
  program: string;
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** What it writes, with `output: 'pipe'`: to be read, else it will wait. */
  stdout?: Readable;
  stderr?: Readable;
}
