/**
 * What was there when a wait began, or before an act: some conditions are about the difference. One object serves all
 * looks of one wait or one act.
 */
export class Start {
  private readonly firsts = new Map<object, unknown>();
  private readonly traces = new Map<object, unknown>();
  private sealed = false;

  /** Of an act it is strict: what was not seen before it is not known afterwards. */
  constructor(readonly of: 'wait' | 'act') {}

  /** From here on nothing is taken for the beginning: the act is done. */
  seal(): void {
    this.sealed = true;
  }

  /**
   * What was seen first under this key. In a wait the first time that it could be seen at all will do: a difference
   * from then on is a difference.
   */
  first<T>(key: object, now: T): T | undefined {
    if (!this.firsts.has(key)) {
      if (this.sealed) return undefined;
      this.firsts.set(key, now);
    }
    return this.firsts.get(key) as T;
  }

  /** What is carried from look to look. */
  trace<T>(key: object, next: (before: T | undefined) => T): T {
    const now = next(this.traces.get(key) as T | undefined);
    this.traces.set(key, now);
    return now;
  }
}
