import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { RefCounters } from '../../runtime/index.js';
import { debug } from '../../shared/index.js';
import type { Requests } from './server.js';

const Count = z.int().nonnegative();
const File = z.object({ v: z.literal(1), elements: Count, windows: Count, looks: Count, pictures: Count });

/** So many are taken at once: a host that is killed cannot say how far it came. */
const AHEAD = 1_000;
const NONE: RefCounters = { elements: 0, windows: 0, looks: 0, pictures: 0 };

/**
 * How far the refs of a desktop have come, for its next host. The host of a person's own desktop goes when it is idle
 * and comes again; the third window that it sees then is not the `w3` that somebody was told of.
 */
export class SavedRefCounters {
  private taken = NONE;

  constructor(private readonly file: string) {}

  /** What was given before us. */
  before(): RefCounters {
    try {
      const { v: _, ...given } = File.parse(JSON.parse(readFileSync(this.file, 'utf8')));
      return given;
    } catch (error) {
      // The first of this session, or no file of ours: then nobody was told anything that we could know of.
      debug('host', () => `refs: ${String(error)}`);
      return NONE;
    }
  }

  /** The same requests; what they tell of is taken before it is told. */
  during(requests: Requests, given: () => RefCounters): Requests {
    this.take(given());
    const counted = Object.entries(requests).map(([name, work]): [string, Requests[string]] => [
      name,
      async (params, context) => {
        try {
          return await work(params, context);
        } finally {
          this.reach(given());
        }
      },
    ]);
    return Object.fromEntries(counted);
  }

  end(given: RefCounters): void {
    this.save(given);
  }

  private reach(given: RefCounters): void {
    const beyond = (Object.keys(NONE) as (keyof RefCounters)[]).some((kind) => given[kind] > this.taken[kind]);
    if (beyond) this.take(given);
  }

  private take({ elements, windows, looks, pictures }: RefCounters): void {
    this.taken = {
      ...{ elements: elements + AHEAD, windows: windows + AHEAD },
      ...{ looks: looks + AHEAD, pictures: pictures + AHEAD },
    };
    this.save(this.taken);
  }

  private save(given: RefCounters): void {
    try {
      const fresh = `${this.file}.new`;
      writeFileSync(fresh, JSON.stringify({ v: 1, ...given }), { mode: 0o600 });
      renameSync(fresh, this.file);
    } catch (error) {
      // Only the next host would need it, and a full disk ends acts by itself.
      debug('host', () => `refs: ${String(error)}`);
    }
  }
}
