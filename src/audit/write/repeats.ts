import { canonicalJson } from '../../shared/index.js';
import type { Draft } from '../record.js';

type Refusal = Draft & { kind: 'call' };

interface Heard {
  /** Those that came since the last record, with the moment of the first of them. */
  more: { draft: Refusal; at: string; count: number } | undefined;
  timer: NodeJS.Timeout;
}

const MOST_HEARD = 256;

/**
 * Equal refusals within a second become one record: whoever knocks a thousand times must not fill the log. The first
 * is written at once, so that no crash loses it; those after it wait for the end of that second, or for something that
 * comes after them in the log, and are written with how many they are.
 */
export class Repeats {
  private readonly heard = new Map<string, Heard>();

  constructor(
    private readonly write: (draft: Refusal, at: string) => void,
    private readonly withinMs: number,
  ) {}

  add(draft: Refusal, at: string): void {
    // What a call cost differs each time and does not make it another.
    const key = canonicalJson({ ...draft, cost: undefined });
    const same = this.heard.get(key);
    if (same) {
      if (same.more) same.more.count += 1;
      else same.more = { draft, at, count: 1 };
      return;
    }
    if (this.heard.size >= MOST_HEARD) this.forget(this.heard.keys().next().value!);
    this.heard.set(key, { more: undefined, timer: setTimeout(() => this.forget(key), this.withinMs) });
    this.write(draft, at);
  }

  /** Before anything that is to stand after them. */
  tellAll(): void {
    for (const heard of this.heard.values()) this.tell(heard);
  }

  end(): void {
    for (const key of [...this.heard.keys()]) this.forget(key);
  }

  private forget(key: string): void {
    const heard = this.heard.get(key);
    if (!heard) return;
    clearTimeout(heard.timer);
    this.heard.delete(key);
    this.tell(heard);
  }

  private tell(heard: Heard): void {
    const { more } = heard;
    if (!more) return;
    heard.more = undefined;
    this.write(more.count > 1 ? { ...more.draft, repeat: more.count } : more.draft, more.at);
  }
}
