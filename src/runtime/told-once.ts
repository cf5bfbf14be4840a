import type { Happening } from './event-log.js';

/** What an app says of keys may come after it has shown what they did. */
const LATE_MS = 5_000;

/** By each key an app may change the field, what shows its text or its length, the title, the focus, a list of completions. */
const BY_KEYS: ReadonlySet<Happening['what']> = new Set(['changed', 'title', 'focus', 'active', 'opened', 'closed']);
const BY_LATE_KEYS: ReadonlySet<Happening['what']> = new Set(['changed', 'title']);
/** Whoever hears of it but once must hear how it ended. */
const LASTS: ReadonlySet<Happening['what']> = new Set(['title', 'focus', 'active']);

/** While a secret is typed everything is told once: as often as there are keys, it would tell how long the secret is. */
export class ToldOnce<T> {
  private typing = 0;
  private lateUntil = -Infinity;
  private readonly told = new Set<string>();
  private readonly unsaid = new Map<string, T>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Until the answer is called, which gives what has to be told at the end. */
  begin(): () => T[] {
    this.typing += 1;
    return () => {
      this.typing -= 1;
      this.lateUntil = this.now() + LATE_MS;
      const last = [...this.unsaid.values()];
      this.told.clear();
      this.unsaid.clear();
      return last;
    };
  }

  /** Whether it is to be told now; `about` is what it happened to. */
  passes({ what, window }: Happening, about: string, entry: T): boolean {
    const kinds = this.typing > 0 ? BY_KEYS : this.now() < this.lateUntil ? BY_LATE_KEYS : undefined;
    if (!kinds?.has(what)) return true;
    const comesAndGoes = what === 'opened' || what === 'closed';
    if (comesAndGoes && window?.role !== 'popup') return true;
    const key = `${what} ${comesAndGoes ? '' : about}`;
    const lasts = LASTS.has(what) && (what === 'title' ? key : what);
    if (lasts) this.unsaid.delete(lasts);
    if (!this.told.has(key)) {
      this.told.add(key);
      return true;
    }
    if (lasts && this.typing > 0) this.unsaid.set(lasts, entry);
    return false;
  }
}
