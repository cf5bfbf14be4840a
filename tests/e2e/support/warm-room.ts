import { Socket } from 'node:net';
import { expect, vi } from 'vitest';
import type { Driver, ReadAnswer, ReadOptions } from '../../../src/drivers/contract/index.js';
import { compareTrees } from '../../../src/drivers/linux/cache/self-check.js';
import { noteSeed } from '../../evidence.js';
import { soon } from './real-desktop.js';

/** Long enough for a tree that lags behind its pixels. */
const QUIET_MS = 300;

export const quiet = (ms = QUIET_MS): Promise<void> => new Promise((wake) => setTimeout(wake, ms));

/** Numbers that look random and are the same at each run. */
export function dice(seed: number): () => number {
  let state = noteSeed(seed);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** D-Bus calls that leave this process, observed where they are written, by their first four bytes, from any sender. */
export function countCalls(): { calls(): number; stop(): void } {
  const write = vi.spyOn(Socket.prototype, 'write');
  const calls = (): number =>
    write.mock.calls.reduce((sum, [chunk]) => sum + (Buffer.isBuffer(chunk) ? callsIn(chunk) : 0), 0);
  return { calls, stop: () => write.mockRestore() };
}

/** Several messages may be in one write. */
function callsIn(bytes: Buffer): number {
  let calls = 0;
  for (let at = 0; at < bytes.length; at += messageLength(bytes, at)) calls += isCall(bytes, at) ? 1 : 0;
  return calls;
}

/** Little-endian, a method call, version 1. */
function isCall(bytes: Buffer, at: number): boolean {
  return bytes[at] === 0x6c && bytes[at + 1] === 1 && bytes[at + 3] === 1;
}

/** Header, its fields padded to 8 bytes, and the body; to the end for what is no message. */
function messageLength(bytes: Buffer, at: number): number {
  if (!isCall(bytes, at) || bytes.length < at + 16) return bytes.length;
  const fields = bytes.readUInt32LE(at + 12);
  return 16 + Math.ceil(fields / 8) * 8 + bytes.readUInt32LE(at + 4);
}

export class WarmRoom {
  private readonly end = new AbortController();
  private happened = 0;

  constructor(
    private readonly driver: Driver,
    private readonly title: string,
    /** A fresh read that comes before the tree has followed the pixels says nothing about the cache. */
    private readonly quietMs = QUIET_MS,
  ) {
    void this.listen();
  }

  close(): void {
    this.end.abort();
  }

  async window(): Promise<string> {
    const { windows } = await this.driver.windows({ deadline: soon() });
    return windows.find((window) => window.title.startsWith(this.title))!.id;
  }

  async read(options: Partial<ReadOptions> = {}): Promise<ReadAnswer> {
    return this.driver.read!({ window: await this.window() }, { deadline: soon(), ...options });
  }

  /** The differences between the cached tree and a fresh one. Inconclusive if an event arrives meanwhile. */
  async compare(): Promise<string[]> {
    for (let tries = 1; ; tries++) {
      const before = this.happened;
      const { root } = await this.read();
      const fresh = await this.read({ fresh: true });
      const wrong = compareTrees(root, fresh.root).map(({ detail: words }) => words);
      if (wrong.length === 0) return [];
      await quiet(this.quietMs);
      if (this.happened === before || tries === 5) return wrong;
    }
  }

  /** Makes `count` changes; after each and some quiet the remembered tree must be the fresh one. */
  async series(count: number, change: (number: number) => Promise<string>): Promise<void> {
    const wrong: string[] = [];
    for (let number = 1; number <= count; number++) {
      const what = await change(number);
      // Now and then a read during the change, which may see a temporary state.
      if (number % 3 === 0) await this.read();
      await quiet(this.quietMs);
      const found = await this.compare();
      if (found.length > 0) wrong.push(`change ${number}, ${what}: ${found.slice(0, 3).join('; ')}`);
    }
    expect(wrong).toEqual([]);
  }

  private async listen(): Promise<void> {
    for await (const _ of this.driver.events({ signal: this.end.signal })) this.happened++;
  }
}
