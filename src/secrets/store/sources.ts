import { type ChildProcess, spawn } from 'node:child_process';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { platform } from '../../platform/index.js';
import type { DesktopError } from '../../shared/index.js';
import { MAX_SECRET_BYTES, secretError } from './secret-value.js';

// Without O_NONBLOCK, opening a named pipe would wait for a writer. Links are followed: the checks apply to the opened
// file.
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

export async function readSecretFile(name: string, file: string): Promise<Buffer> {
  const path = file.startsWith('~/') ? join(homedir(), file.slice(2)) : file;
  let handle: FileHandle;
  try {
    handle = await open(path, OPEN_FLAGS);
  } catch (error) {
    const absent = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw secretError(name, `its file ${absent ? 'does not exist' : 'cannot be opened'}`, `Check ${file}`);
  }
  try {
    const stat = await handle.stat();
    checkFile(name, file, stat);
    return await readAll(name, handle);
  } finally {
    await handle.close();
  }
}

function checkFile(name: string, file: string, stat: Stats): void {
  if (!stat.isFile()) throw secretError(name, 'its file is not a regular file', `Check ${file}`);
  if (!platform().isOwnedByUser(stat)) {
    throw secretError(name, 'its file belongs to another user', `Run chown $USER ${file}`);
  }
  if (platform().isOpenToOthers(stat)) {
    throw secretError(name, 'its file is accessible to other users', `Run chmod 600 ${file}`);
  }
}

async function readAll(name: string, handle: FileHandle): Promise<Buffer> {
  const buffer = Buffer.alloc(MAX_SECRET_BYTES + 1); // Not from the shared pool, so that zeroing it removes the only copy.
  let size = 0;
  for (let read = 1; read > 0; size += read) {
    ({ bytesRead: read } = await handle.read(buffer, size, buffer.length - size));
  }
  if (size <= MAX_SECRET_BYTES) return buffer.subarray(0, size);
  buffer.fill(0);
  throw secretError(
    name,
    'its file is larger than 64 KB',
    'A secret is text to type. Check that this is the right file.',
  );
}

const COMMAND_TIMEOUT_MS = 10_000;
const RUN_BY_HAND_HINT =
  'Run the command yourself to see why. Its output is not shown here, because it may contain the secret.';

export interface CommandOptions {
  timeoutMs?: number;
  signal?: AbortSignal;
}

/**
 * Returns the output of a program. It runs without a shell, without standard input, and its standard error is
 * discarded.
 */
export function runSecretCommand(
  name: string,
  command: readonly string[],
  options: CommandOptions = {},
): Promise<Buffer> {
  const [program = '', ...args] = command;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const child = tryStart(program, args);
    if (!child) return reject(secretError(name, 'its command cannot be started', RUN_BY_HAND_HINT));
    const end = (fault?: DesktopError): void => {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', onAbort);
      if (fault) {
        endGroup(child);
        child.stdout.destroy();
        reject(fault);
      } else resolve(Buffer.concat(chunks));
      for (const chunk of chunks.splice(0)) chunk.fill(0);
    };
    const stop = (what: string): void => end(secretError(name, `its command ${what}`, RUN_BY_HAND_HINT));
    const timer = setTimeout(() => stop('did not finish within 10 seconds'), options.timeoutMs ?? COMMAND_TIMEOUT_MS);
    const onAbort = (): void => stop('was cancelled');
    options.signal?.addEventListener('abort', onAbort, { once: true });
    if (options.signal?.aborted) onAbort();
    child.once('error', () => stop('cannot be started'));
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_SECRET_BYTES) stop('printed more than 64 KB');
    });
    child.once('close', (code, signal) => (code === 0 ? end() : stop(`exited with ${code ?? signal}`)));
  });
}

function tryStart(program: string, args: string[]): ReturnType<typeof spawnDetached> | undefined {
  try {
    return spawnDetached(program, args);
  } catch {
    return undefined; // For example a NUL in an argument. The error would quote the argument, so it is dropped.
  }
}

/** In its own process group, so that the programs it started can be killed with it. */
function spawnDetached(program: string, args: string[]) {
  return spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'], cwd: '/', detached: true });
}

export function endGroup({ pid, exitCode, signalCode }: Pick<ChildProcess, 'pid' | 'exitCode' | 'signalCode'>): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return; // The pid may already belong to another process.
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
