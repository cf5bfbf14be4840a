import { type ChildProcess, spawn } from 'node:child_process';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { platform } from '../../platform/index.js';
import type { DesktopError } from '../../shared/index.js';
import { LARGEST_SECRET, secretFault } from './secret-value.js';

// A pipe would make the open wait for somebody who writes. Links are followed: it is the opened file that is judged.
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

export async function readSecretFile(name: string, file: string): Promise<Buffer> {
  const path = file.startsWith('~/') ? join(homedir(), file.slice(2)) : file;
  let handle: FileHandle;
  try {
    handle = await open(path, FLAGS);
  } catch (error) {
    const absent = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw secretFault(name, `its file ${absent ? 'is not there' : 'cannot be opened'}`, `Look at ${file}`);
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
  if (!stat.isFile()) throw secretFault(name, 'its file is not a plain file', `Look at ${file}`);
  if (!platform().isOwnedByUser(stat)) {
    throw secretFault(name, 'its file belongs to another user', `Make it your own: chown $USER ${file}`);
  }
  if (platform().isOpenToOthers(stat)) {
    throw secretFault(name, 'its file is open to other users', `Close it: chmod 600 ${file}`);
  }
}

async function readAll(name: string, handle: FileHandle): Promise<Buffer> {
  const room = Buffer.alloc(LARGEST_SECRET + 1); // Not of the shared pool: what is zeroed is all there is.
  let size = 0;
  for (let read = 1; read > 0; size += read) {
    ({ bytesRead: read } = await handle.read(room, size, room.length - size));
  }
  if (size <= LARGEST_SECRET) return room.subarray(0, size);
  room.fill(0);
  throw secretFault(
    name,
    'its file is larger than 64 KB',
    'A secret is something to type; see that it is the right file.',
  );
}

export const COMMAND_MS = 10_000;
const BY_HAND = 'Run it by hand to see why; what it prints is not shown here, since that may be the secret.';

export interface CommandOptions {
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** What a program prints. No shell, nothing on its standard input, and its complaints go nowhere. */
export function runSecretCommand(
  name: string,
  command: readonly string[],
  options: CommandOptions = {},
): Promise<Buffer> {
  const [program = '', ...args] = command;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const child = start(program, args);
    if (!child) return reject(secretFault(name, 'its command cannot be started', BY_HAND));
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
    const stop = (what: string): void => end(secretFault(name, `its command ${what}`, BY_HAND));
    const timer = setTimeout(() => stop('did not end in 10 seconds'), options.timeoutMs ?? COMMAND_MS);
    const onAbort = (): void => stop('was called off');
    options.signal?.addEventListener('abort', onAbort, { once: true });
    if (options.signal?.aborted) onAbort();
    child.once('error', () => stop('cannot be started'));
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > LARGEST_SECRET) stop('printed more than 64 KB');
    });
    child.once('close', (code, signal) => (code === 0 ? end() : stop(`ended with ${code ?? signal}`)));
  });
}

function start(program: string, args: string[]): ReturnType<typeof spawnIt> | undefined {
  try {
    return spawnIt(program, args);
  } catch {
    return undefined; // A NUL in an argument, say: what is wrong is told with the argument itself, so it is not told.
  }
}

/** In a group of its own, so that what it started ends with it. */
function spawnIt(program: string, args: string[]) {
  return spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'], cwd: '/', detached: true });
}

export function endGroup({ pid, exitCode, signalCode }: Pick<ChildProcess, 'pid' | 'exitCode' | 'signalCode'>): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return; // Its number may be another's by now.
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
