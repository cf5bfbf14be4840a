import { constants, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { LARGEST_SECRET, secretFault } from './secret-fault.js';

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
  if (process.platform === 'win32') return; // No such bits there; the profile's own rights keep others out.
  if (stat.uid !== process.getuid?.()) {
    throw secretFault(name, 'its file belongs to another user', `Make it your own: chown $USER ${file}`);
  }
  if ((stat.mode & 0o077) !== 0) {
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
