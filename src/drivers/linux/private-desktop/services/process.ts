import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { DesktopError, within } from '../../../../shared/index.js';
import { identify, type ProcessId } from '../../processes.js';

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

/** Runs in its own session, so that Ctrl-C in the terminal does not reach it. File descriptor 3 is the report pipe. */
export async function startService(
  program: string,
  args: string[],
  options: { env: Record<string, string>; report: boolean; cwd?: string },
): Promise<ServiceProcess> {
  const child = spawn(program, args, {
    env: options.env,
    cwd: options.cwd ?? '/',
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', options.report ? 'pipe' : 'ignore'],
  });
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
