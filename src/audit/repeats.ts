import { canonicalJson } from '../shared/index.js';
import type { Draft } from './record.js';

type Refusal = Draft & { kind: 'call' };

interface Held {
  draft: Refusal;
  at: string;
  count: number;
  timer: NodeJS.Timeout;
}

const MOST_HELD = 256;

/**
 * Equal refusals within a second become one record: whoever knocks a thousand times must not fill the log. The first
 * is held back for that second; `write` gets it with how often it came.
 */
export class Repeats {
  private readonly held = new Map<string, Held>();

  constructor(
    private readonly write: (draft: Refusal, at: string) => void,
    private readonly withinMs: number,
  ) {}

  add(draft: Refusal, at: string): void {
    // What a call cost differs each time and does not make it another.
    const key = canonicalJson({ ...draft, cost: undefined });
    const same = this.held.get(key);
    if (same) {
      same.count += 1;
      return;
    }
    if (this.held.size >= MOST_HELD) this.release(this.held.keys().next().value!);
    this.held.set(key, { draft, at, count: 1, timer: setTimeout(() => this.release(key), this.withinMs) });
  }

  releaseAll(): void {
    for (const key of [...this.held.keys()]) this.release(key);
  }

  private release(key: string): void {
    const held = this.held.get(key);
    if (!held) return;
    clearTimeout(held.timer);
    this.held.delete(key);
    this.write(held.count > 1 ? { ...held.draft, repeat: held.count } : held.draft, held.at);
  }
}
