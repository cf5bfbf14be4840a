import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { DesktopError, within } from '../../../../shared/index.js';
import { identify, type ProcessId } from '../../processes.js';
import type { Isolation } from './isolation.js';

/** X server, bus or window manager: a process that the private desktop needs to run. */
export interface ServiceProcess {
  id: ProcessId;
  program: string;
  /** First line on its report pipe; rejects if the process ends before that. */
  firstLine: Promise<string>;
  /** Resolves when the process has ended, for any reason. */
  ended: Promise<void>;
  /** The end of its stderr output, as one line. */
  stderrTail(): string;
  end(): Promise<void>;
}

const MAX_STDERR = 4096;
/**
 * Time to read the remaining output after the process ended. It is bounded because child processes may keep the pipe
 * open.
 */
const STDERR_DRAIN_MS = 200;

interface ProgramStart {
  env: Record<string, string>;
  cwd: string;
  stdio: StdioOptions;
  /** Absent: the program sees all files. */
  isolation?: Isolation | undefined;
}

/**
 * Starts everything that belongs to a private desktop: services and apps. Its own session protects a program from
 * Ctrl-C in the terminal.
 */
export function startProgram(
  program: string,
  given: readonly string[],
  { env: variables, cwd, stdio, isolation }: ProgramStart,
): ChildProcess {
  if (!isolation) return spawn(program, given, { env: variables, cwd, detached: true, stdio });
  const { command, args, env } = isolation.inside(program, given, { cwd, env: variables });
  return spawn(command, args, { env, cwd: '/', detached: true, stdio });
}

/** File descriptor 3 is the report pipe. */
export async function startService(
  program: string,
  args: string[],
  options: { env: Record<string, string>; report: boolean; isolation?: Isolation | undefined },
): Promise<ServiceProcess> {
  const { env, report, isolation } = options;
  const stdio: StdioOptions = ['ignore', 'ignore', 'pipe', report ? 'pipe' : 'ignore'];
  const child = startProgram(program, args, { env, cwd: '/', stdio, isolation });
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString('utf8')).slice(-MAX_STDERR)));
  await once(child, 'spawn').catch((error: unknown) => {
    throw new DesktopError('driver_unavailable', `${program} could not be started.`, { cause: error });
  });
  const ended = once(child, 'exit').then(() => undefined);
  const outputClosed = once(child, 'close').then(() => undefined);
  // A process that ended at once has no start time any more; it then counts as dead.
  const id = identify(child.pid!) ?? { pid: child.pid!, startTime: 0 };
  const firstLine = options.report ? readLine(child.stdio[3] as Readable, program) : Promise.resolve('');
  firstLine.catch(() => undefined); // Prevents an unhandled rejection when there is no caller left that awaits it.
  allowOwnerExit(child);
  return {
    id,
    program,
    firstLine,
    ended,
    stderrTail: () => lastLines(stderr),
    end: async () => {
      // The caller waits for the end now. Without this, a host with nothing else to do would exit first.
      child.ref();
      child.kill('SIGKILL');
      await ended;
      await within(outputClosed, STDERR_DRAIN_MS);
    },
  };
}

function readLine(stream: Readable, program: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      const end = text.indexOf('\n');
      if (end >= 0) resolve(text.slice(0, end).trim());
    });
    stream.on('close', () => reject(new Error(`${program} ended before it was ready`)));
  });
}

/** The owner may exit without stopping its desktop; the watchdog then cleans up. */
function allowOwnerExit(child: ChildProcess): void {
  child.unref();
  for (const stream of child.stdio) (stream as { unref?: () => void } | null)?.unref?.();
}

function lastLines(stderr: string): string {
  return stderr
    .split('\n')
    .map((line) => line.replace(/\p{Cc}/gu, ' ').trim())
    .filter((line) => line !== '' && line !== '(EE)')
    .slice(-3)
    .join(' / ')
    .slice(-300);
}
