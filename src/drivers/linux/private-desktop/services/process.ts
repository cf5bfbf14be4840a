import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { DesktopError } from '../../../../shared/index.js';
import { identify, type ProcessId } from '../../processes.js';

/** X server, bus or window manager: a process that the seat cannot live without. */
export interface CoreProcess {
  id: ProcessId;
  program: string;
  /** First line on its report pipe; rejects when it ends before that. */
  firstLine: Promise<string>;
  /** Resolves when it ended, for whatever reason. */
  ended: Promise<void>;
  /** The end of what it wrote to stderr, one line. */
  lastWords(): string;
  end(): Promise<void>;
}

const KEPT = 4096;
/** What it still had to say after its end; bounded, since its children may hold the pipe open. */
const LAST_WORDS_MS = 200;

/** In a session of its own, so that Ctrl-C in the terminal does not reach it. File descriptor 3 is the report pipe. */
export async function startCore(
  program: string,
  args: string[],
  options: { env: Record<string, string>; report: boolean; cwd?: string },
): Promise<CoreProcess> {
  const child = spawn(program, args, {
    env: options.env,
    cwd: options.cwd ?? '/',
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', options.report ? 'pipe' : 'ignore'],
  });
  let words = '';
  child.stderr?.on('data', (chunk: Buffer) => (words = (words + chunk.toString('utf8')).slice(-KEPT)));
  await once(child, 'spawn').catch((error: unknown) => {
    throw new DesktopError('driver_unavailable', `${program} could not be started.`, { cause: error });
  });
  const ended = once(child, 'exit').then(() => undefined);
  const silent = once(child, 'close').then(() => undefined);
  // One that ended at once has no start time any more; it then counts as dead.
  const id = identify(child.pid!) ?? { pid: child.pid!, startTime: 0 };
  const firstLine = options.report ? readLine(child.stdio[3] as Readable, program) : Promise.resolve('');
  firstLine.catch(() => undefined); // Whoever awaits it gets the error; nobody may be waiting any more.
  letOwnerExit(child);
  return {
    id,
    program,
    firstLine,
    ended,
    lastWords: () => oneLine(words),
    end: async () => {
      // Somebody waits for it now: without this a starter that has nothing else to do would end before it.
      child.ref();
      child.kill('SIGKILL');
      await ended;
      await Promise.race([silent, new Promise((resolve) => setTimeout(resolve, LAST_WORDS_MS))]);
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

/** A program that forgets to stop its seat ends all the same; the keeper then cleans up. */
function letOwnerExit(child: ChildProcess): void {
  child.unref();
  for (const stream of child.stdio) (stream as { unref?: () => void } | null)?.unref?.();
}

function oneLine(words: string): string {
  return words
    .split('\n')
    .map((line) => line.replace(/\p{Cc}/gu, ' ').trim())
    .filter((line) => line !== '' && line !== '(EE)')
    .slice(-3)
    .join(' / ')
    .slice(-300);
}
