import { expect } from 'vitest';
import type { Driver, ReadAnswer, ReadOptions } from '../../../src/drivers/contract/index.js';
import { differences } from '../../../src/drivers/linux/compare-trees.js';
import { soon } from './real-desktop.js';

/** Long enough for a tree that lags behind its pixels. */
const QUIET_MS = 300;

export const quiet = (): Promise<void> => new Promise((wake) => setTimeout(wake, QUIET_MS));

/** Numbers that look random and are the same at each run. */
export function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export class WarmRoom {
  constructor(
    private readonly driver: Driver,
    private readonly title: string,
  ) {}

  async window(): Promise<string> {
    const { windows } = await this.driver.windows({ deadline: soon() });
    return windows.find((window) => window.title.startsWith(this.title))!.id;
  }

  async read(options: Partial<ReadOptions> = {}): Promise<ReadAnswer> {
    return this.driver.read({ window: await this.window() }, { deadline: soon(), ...options });
  }

  /** What the remembered tree says otherwise than a fresh one; the calls that it took. */
  async compare(): Promise<{ wrong: string[]; calls: number }> {
    const { root, calls } = await this.read();
    const fresh = await this.read({ fresh: true });
    return { wrong: differences(root, fresh.root), calls };
  }

  /** Makes `count` changes; after each and some quiet the remembered tree must be the fresh one. */
  async series(count: number, change: (number: number) => Promise<string>): Promise<void> {
    const wrong: string[] = [];
    for (let number = 1; number <= count; number++) {
      const what = await change(number);
      // Now and then a look in the middle of the change, which may learn what is true for a moment only.
      if (number % 3 === 0) await this.read();
      await quiet();
      const { wrong: found } = await this.compare();
      if (found.length > 0) wrong.push(`change ${number}, ${what}: ${found.slice(0, 3).join('; ')}`);
    }
    expect(wrong).toEqual([]);
  }
}
