import { randomBytes } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, readSync, unlinkSync } from 'node:fs';
import type { SharedMemory } from 'x11';

/**
 * Segments for MIT-SHM as unlinked files in memory. The package has a provider of its own, but that one opens a
 * guessable name in a directory that everybody can write to, and keeps a descriptor open when the server dies
 * between attach and detach.
 */
export function createSharedMemory(): SharedMemory & { closeAll(): void } {
  const open = new Set<number>();
  const close = (fd: number): void => {
    if (open.delete(fd)) closeSync(fd);
  };
  return {
    flavor: 'fd',
    zeroCopy: false,
    create(size) {
      const path = `/dev/shm/deskwright-${randomBytes(12).toString('hex')}`;
      const fd = openSync(path, 'wx+', 0o600);
      unlinkSync(path);
      open.add(fd);
      ftruncateSync(fd, size);
      return { size, fd, buffer: Buffer.allocUnsafeSlow(size) };
    },
    commit() {
      // Pictures are only read; nothing of ours ever goes into a segment.
    },
    sync(segment, offset, length) {
      let done = 0;
      while (done < length) {
        const count = readSync(segment.fd, segment.buffer, offset + done, length - done, offset + done);
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
