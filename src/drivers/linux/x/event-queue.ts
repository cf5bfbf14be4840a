/**
 * A queue between a source that cannot wait and a reader that may be slow. When it is full, everything in it gives
 * way to one item that says so, and it goes on.
 */
export class EventQueue<T> implements AsyncIterable<T> {
  private items: T[] = [];
  private ended = false;
  private wake?: () => void;

  constructor(
    private readonly limit: number,
    private readonly onOverflow: () => T,
  ) {}

  push(item: T): void {
    if (this.ended) return;
    if (this.items.length >= this.limit) this.items = [this.onOverflow()];
    this.items.push(item);
    this.wake?.();
  }

  /** What is in it is still read; nothing more comes. */
  end(): void {
    this.ended = true;
    this.wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      while (this.items.length > 0) {
        const batch = this.items;
        this.items = [];
        yield* batch;
      }
      if (this.ended) return;
      await new Promise<void>((resolve) => (this.wake = resolve));
      this.wake = undefined;
    }
  }
}
