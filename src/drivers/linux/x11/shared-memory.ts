import { randomBytes } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, readSync, unlinkSync } from 'node:fs';
import type { SharedMemory } from 'x11';

/**
 * MIT-SHM segments as unlinked files in memory. The package has its own provider, but that one opens a guessable name
 * in a world-writable directory, and leaks a descriptor if the server dies between attach and detach.
 */
export function createSharedMemory(): SharedMemory & {
  /** Copies what the server wrote to a segment, up to the length of `into`. */
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
      // Callers of `read` bring their own memory; a buffer of the package would cost one more copy.
      const buffer = Buffer.alloc(0);
      descriptors.set(buffer, fd);
      return { size, fd, buffer };
    },
    commit() {
      // Segments are only read; we never write to them.
    },
    sync() {
      // See `read`.
    },
    read({ buffer }, into) {
      const fd = descriptors.get(buffer)!;
      for (let done = 0; done < into.length;) {
        const count = readSync(fd, into, done, into.length - done, done);
        if (count === 0) throw new Error('the shared segment is shorter than the image');
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
