import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { RefCounters } from '../../runtime/index.js';
import { debug } from '../../shared/index.js';
import type { Requests } from './server.js';

const Count = z.int().nonnegative();
const File = z.object({ v: z.literal(1), elements: Count, windows: Count, looks: Count, pictures: Count });

/** Refs are reserved in blocks of this size, since a killed host cannot save its last number. */
const RESERVED_AHEAD = 1_000;
const NONE: RefCounters = { elements: 0, windows: 0, looks: 0, pictures: 0 };

/**
 * Saves how many refs a desktop has counters out, for its next host. The host of the user desktop ends when it is idle and
 * starts again later. The third window that it sees then must not be called `w3` if callers know another window by that
 * ref.
 */
export class SavedRefCounters {
  private reserved = NONE;

  constructor(private readonly file: string) {}

  /** The counters of the previous host. */
  load(): RefCounters {
    try {
      const { v: _, ...counters } = File.parse(JSON.parse(readFileSync(this.file, 'utf8')));
      return counters;
    } catch (error) {
      // This is the first host of the session, or the file is not ours: no refs are known.
      debug('host', () => `refs: ${String(error)}`);
      return NONE;
    }
  }

  /** Wraps the requests: refs are reserved before an answer contains them. */
  wrap(requests: Requests, counters: () => RefCounters): Requests {
    this.reserve(counters());
    const counted = Object.entries(requests).map(([name, work]): [string, Requests[string]] => [
      name,
      async (params, context) => {
        try {
          return await work(params, context);
        } finally {
          this.reserveIfNeeded(counters());
        }
      },
    ]);
    return Object.fromEntries(counted);
  }

  saveFinal(counters: RefCounters): void {
    this.save(counters);
  }

  private reserveIfNeeded(counters: RefCounters): void {
    const beyond = (Object.keys(NONE) as (keyof RefCounters)[]).some((kind) => counters[kind] > this.reserved[kind]);
    if (beyond) this.reserve(counters);
  }

  private reserve({ elements, windows, looks, pictures }: RefCounters): void {
    this.reserved = {
      ...{ elements: elements + RESERVED_AHEAD, windows: windows + RESERVED_AHEAD },
      ...{ looks: looks + RESERVED_AHEAD, pictures: pictures + RESERVED_AHEAD },
    };
    this.save(this.reserved);
  }

  private save(counters: RefCounters): void {
    try {
      const draft = `${this.file}.new`;
      writeFileSync(draft, JSON.stringify({ v: 1, ...counters }), { mode: 0o600 });
      renameSync(draft, this.file);
    } catch (error) {
      // Only the next host would need it, and acts fail on a full disk anyway.
      debug('host', () => `refs: ${String(error)}`);
    }
  }
}
