import { canonicalJson } from '../../shared/index.js';
import type { Draft } from '../record.js';

type Refusal = Draft & { kind: 'call' };

interface RecentRefusal {
  /** Repeats since the last record, with the time of the first of them. */
  repeats: { draft: Refusal; at: string; count: number } | undefined;
  timer: NodeJS.Timeout;
}

const MAX_RECENT = 256;

/**
 * Equal refusals within a second become one record, so that a caller that tries a thousand times cannot fill the log.
 * The first is written at once, so that no crash loses it. The others are written as one record with their count, at
 * the end of that second or before the next other record.
 */
export class Repeats {
  private readonly recent = new Map<string, RecentRefusal>();

  constructor(
    private readonly write: (draft: Refusal, at: string) => void,
    private readonly withinMs: number,
  ) {}

  add(draft: Refusal, at: string): void {
    // The cost differs for each call and is ignored.
    const key = canonicalJson({ ...draft, cost: undefined });
    const same = this.recent.get(key);
    if (same) {
      if (same.repeats) same.repeats.count += 1;
      else same.repeats = { draft, at, count: 1 };
      return;
    }
    if (this.recent.size >= MAX_RECENT) this.expire(this.recent.keys().next().value!);
    this.recent.set(key, { repeats: undefined, timer: setTimeout(() => this.expire(key), this.withinMs) });
    this.write(draft, at);
  }

  /** Called before a record that must come after them. */
  writeAll(): void {
    for (const refusal of this.recent.values()) this.writeRepeats(refusal);
  }

  end(): void {
    for (const key of [...this.recent.keys()]) this.expire(key);
  }

  private expire(key: string): void {
    const refusal = this.recent.get(key);
    if (!refusal) return;
    clearTimeout(refusal.timer);
    this.recent.delete(key);
    this.writeRepeats(refusal);
  }

  private writeRepeats(refusal: RecentRefusal): void {
    const { repeats } = refusal;
    if (!repeats) return;
    refusal.repeats = undefined;
    this.write(repeats.count > 1 ? { ...repeats.draft, repeat: repeats.count } : repeats.draft, repeats.at);
  }
}
