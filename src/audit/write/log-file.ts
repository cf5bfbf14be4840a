import { constants, fstatSync, ftruncateSync, statSync, writeSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { diskFault, unavailable } from '../errors.js';
import { syncDirectory } from '../private-files.js';

/** The disk operations that can fail; tests replace them. */
export interface Disk {
  write(fd: number, bytes: Buffer): number;
  sync(file: FileHandle): Promise<void>;
}

export const REAL_DISK: Disk = { write: (fd, bytes) => writeSync(fd, bytes), sync: (file) => file.datasync() };

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants;

/**
 * The file of one segment while it is written. It receives whole lines. After a failure the file is as it was before.
 */
export class LogFile {
  /** Why it can no longer be used. */
  private failure: Error | undefined;
  /** Another program changed the content or replaced the file. */
  private foreign = false;

  private constructor(
    readonly path: string,
    private readonly file: FileHandle,
    private readonly disk: Disk,
    private length: number,
  ) {}

  get size(): number {
    return this.length;
  }

  get hasFailed(): boolean {
    return this.failure !== undefined;
  }

  get isForeign(): boolean {
    return this.foreign;
  }

  static async create(path: string, disk: Disk): Promise<LogFile> {
    const file = await open(path, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW, 0o600);
    syncDirectory(path);
    return new LogFile(path, file, disk, 0);
  }

  /** `size`: where the valid lines end. The bytes behind them are cut off. */
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
      this.truncate();
      throw diskFault('The log could not be written', error);
    }
    if (written !== bytes.length) {
      this.truncate();
      throw diskFault('The log could not be written', Object.assign(new Error('short write'), { code: 'ENOSPC' }));
    }
    this.length += bytes.length;
  }

  /** After a failed sync the state of the disk is unknown until the log is opened again. */
  async sync(): Promise<void> {
    if (this.failure) throw this.failure;
    try {
      await this.disk.sync(this.file);
    } catch (error) {
      this.failure = diskFault('The log did not reach the disk', error);
      throw this.failure;
    }
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  /** Another program changed the file or replaced it: new lines would not form a chain. */
  check(): void {
    if (this.failure) throw this.failure;
    const there = statSync(this.path, { throwIfNoEntry: false, bigint: true });
    const held = fstatSync(this.file.fd, { bigint: true });
    const same = there?.ino === held.ino && there.dev === held.dev;
    if (same && held.size === BigInt(this.length)) return;
    this.foreign = true;
    const what = same ? 'does not have the size it was left with' : 'is not the file that was opened';
    this.failure = unavailable(
      `The log ${this.path} ${what}.`,
      'Run deskproof audit verify to see what happened to it.',
    );
    throw this.failure;
  }

  private truncate(): void {
    try {
      ftruncateSync(this.file.fd, this.length);
    } catch (error) {
      this.failure = diskFault('The log could not be restored to its last whole record', error);
      throw this.failure;
    }
  }
}
