import { randomBytes } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, readSync, unlinkSync } from 'node:fs';
import type { SharedMemory } from 'x11';

/**
 * Segments for MIT-SHM as unlinked files in memory. The package has a provider of its own, but that one opens a
 * guessable name in a directory that everybody can write to, and keeps a descriptor open when the server dies
 * between attach and detach.
 */
export function createSharedMemory(): SharedMemory & {
  /** What the server has written into a segment, as much as `into` takes. */
  read(segment: { buffer: Buffer }, into: Buffer): void;
  closeAll(): void;
} {
  const open = new Set<number>();
  const descriptors = new WeakMap<Buffer, number>();
  const close = (fd: number): void => {
    if (open.delete(fd)) closeSync(fd);
  };
  return {
    flavor: 'fd',
    zeroCopy: false,
    create(size) {
      const path = `/dev/shm/deskproof-${randomBytes(12).toString('hex')}`;
      const fd = openSync(path, 'wx+', 0o600);
      unlinkSync(path);
      open.add(fd);
      ftruncateSync(fd, size);
      // Who wants its bytes brings memory for them: the package's own would be one copy more.
      const buffer = Buffer.alloc(0);
      descriptors.set(buffer, fd);
      return { size, fd, buffer };
    },
    commit() {
      // Pictures are only read; nothing of ours ever goes into a segment.
    },
    sync() {
      // See `read`.
    },
    read({ buffer }, into) {
      const fd = descriptors.get(buffer)!;
      for (let done = 0; done < into.length;) {
        const count = readSync(fd, into, done, into.length - done, done);
        if (count === 0) throw new Error('the shared segment is shorter than the picture');
        done += count;
      }
    },
    destroy(segment) {
      close(segment.fd);
    },
    closeAll() {
      for (const fd of open) close(fd);
    },
  };
}
