import type { Readable } from 'node:stream';
import type { DesktopError } from '../../shared/index.js';
import type { Size } from '../../tree/index.js';

export interface PrivateDesktopOptions {
  name: string;
  /** Size of one monitor. */
  size: Size;
  monitors: 1 | 2;
  /** Shows it in a window of the user's own display. */
  visible: boolean;
  /** Private directory (0700, checked) for sockets and the cookie. Keep it short, since socket paths are limited. */
  runtimeDir: string;
  /** HOME of its apps. */
  homeDir: string;
  /** Directory with the runtime directories of all hosts, so that commands inside the desktop find them. */
  baseDir?: string;
  signal?: AbortSignal;
}

/** A virtual desktop with its own display, buses, window manager and home. A driver starts it; the host owns it. */
export interface PrivateDesktop {
  readonly name: string;
  readonly size: Size;
  /** The complete environment of a program in it, not additions. */
  readonly env: Readonly<Record<string, string>>;
  readonly display: string;
  /** Why its programs see the configuration, logs and keys of Deskproof; undefined if they do not. */
  readonly exposed?: string | undefined;
  /** Resolves with the reason when it ended by itself. */
  readonly died: Promise<string>;
  /** Starts a program in it, without a shell and with the accessibility of its toolkit switched on. */
  launch(command: string, args: readonly string[], options?: LaunchOptions): Promise<Launched>;
  /** What `launch` would start in the same environment; undefined if there is no such program. */
  resolveCommand(command: string, args: readonly string[], around?: LaunchEnvironment): ResolvedCommand | undefined;
  /** Ends every program in it, then the desktop, and leaves no file and no process. Idempotent. */
  stop(): Promise<void>;
}

/** What a command would start, as far as its files and arguments show. */
export interface ResolvedCommand {
  /** Real path. */
  program: string;
  /** The path that was found; it may be a link. */
  path: string;
  /** Real paths of other programs that it runs: the interpreter in its first line, and programs in its arguments. */
  runs: string[];
  /** It is a registered app of the system: it opens its own window and is not a terminal. */
  installed: boolean;
}

/** The directory and environment of a launch. Both decide which program a name means. */
export interface LaunchEnvironment {
  cwd?: string;
  env?: Record<string, string>;
}

export interface LaunchOptions extends LaunchEnvironment {
  /** What was authorized. Exactly this is started, even if the name means another program by now. */
  authorized?: ResolvedCommand;
  /** Where output goes; default `ignore`. `inherit` is for `desktop run`, `pipe` for a caller that reads it. */
  output?: 'ignore' | 'inherit' | 'pipe' | { file: string };
}

export interface Launched {
  pid: number;
  /** Real path of the program. */
  program: string;
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Why no program can open a window on this desktop now, as an error of our own attempt; undefined if it can. */
  refusal?: () => Promise<DesktopError | undefined>;
  /** Its output, with `output: 'pipe'`. Read it, or the program blocks. */
  stdout?: Readable;
  stderr?: Readable;
}
