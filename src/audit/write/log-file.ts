import { constants, fstatSync, ftruncateSync, statSync, writeSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { diskFault, unavailable } from '../errors.js';
import { syncDirectory } from '../private-files.js';

/** What can fail on a disk; replaced in tests to make it fail. */
export interface Disk {
  write(fd: number, bytes: Buffer): number;
  sync(file: FileHandle): Promise<void>;
}

export const REAL_DISK: Disk = { write: (fd, bytes) => writeSync(fd, bytes), sync: (file) => file.datasync() };

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants;

/** One segment's file while it is written. Whole lines come in; after a failure the file is as it was before. */
export class LogFile {
  /** Why it cannot be used any more. */
  private lost: Error | undefined;
  /** What is in it, or the file itself, is somebody else's. */
  private strange = false;

  private constructor(
    readonly path: string,
    private readonly file: FileHandle,
    private readonly disk: Disk,
    private length: number,
  ) {}

  get size(): number {
    return this.length;
  }

  get isLost(): boolean {
    return this.lost !== undefined;
  }

  get isStrange(): boolean {
    return this.strange;
  }

  static async create(path: string, disk: Disk): Promise<LogFile> {
    const file = await open(path, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW, 0o600);
    syncDirectory(path);
    return new LogFile(path, file, disk, 0);
  }

  /** `size`: where the good lines end. What is behind them is cut. */
  static async continue(path: string, disk: Disk, size: number): Promise<LogFile> {
    const file = await open(path, O_RDWR | O_APPEND | O_NOFOLLOW);
    if ((await file.stat()).size > size) {
      await file.truncate(size);
      await file.sync();
    }
    return new LogFile(path, file, disk, size);
  }

  append(bytes: Buffer): void {
    this.check();
    let written: number;
    try {
      written = this.disk.write(this.file.fd, bytes);
    } catch (error) {
      this.takeBack();
      throw diskFault('The log could not be written', error);
    }
    if (written !== bytes.length) {
      this.takeBack();
      throw diskFault('The log could not be written', Object.assign(new Error('short write'), { code: 'ENOSPC' }));
    }
    this.length += bytes.length;
  }

  /** After a failed sync nobody knows what the disk has; only opening the log anew tells. */
  async sync(): Promise<void> {
    if (this.lost) throw this.lost;
    try {
      await this.disk.sync(this.file);
    } catch (error) {
      this.lost = diskFault('The log did not reach the disk', error);
      throw this.lost;
    }
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  /** Somebody else's bytes, or another file in its place: whatever comes next would not be a chain. */
  check(): void {
    if (this.lost) throw this.lost;
    const there = statSync(this.path, { throwIfNoEntry: false, bigint: true });
    const held = fstatSync(this.file.fd, { bigint: true });
    const same = there?.ino === held.ino && there.dev === held.dev;
    if (same && held.size === BigInt(this.length)) return;
    this.strange = true;
    const what = same ? 'has another size than it was left with' : 'is not the file that was opened';
    this.lost = unavailable(`The log ${this.path} ${what}.`, 'See what happened to it: deskproof audit verify');
    throw this.lost;
  }

  private takeBack(): void {
    try {
      ftruncateSync(this.file.fd, this.length);
    } catch (error) {
      this.lost = diskFault('The log could not be put back to its last whole record', error);
      throw this.lost;
    }
  }
}
