/**
 * Events on their way to a reader who may be slow. Of each kind only the last one waits, so that there is never more
 * than one of each, and a rare one is not lost among many.
 */
export class PendingEvents<T> implements AsyncIterable<T> {
  private waiting = new Map<string, T>();
  private ended = false;
  private wake?: () => void;

  push(kind: string, event: T): void {
    if (this.ended) return;
    this.waiting.delete(kind); // Order is that of the last of each kind.
    this.waiting.set(kind, event);
    this.wake?.();
  }

  /** What waits is still read; nothing more comes. */
  end(): void {
    this.ended = true;
    this.wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const batch = this.waiting;
      this.waiting = new Map();
      yield* batch.values();
      if (this.waiting.size > 0) continue;
      if (this.ended) return;
      await new Promise<void>((resolve) => (this.wake = resolve));
      this.wake = undefined;
    }
  }
}
