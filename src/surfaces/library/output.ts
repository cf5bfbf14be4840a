import { Readable } from 'node:stream';
import { hold } from './holding.js';

/** Of what nobody reads. */
const MOST_KEPT = 16 * 1024 * 1024;

/**
 * What an app writes. Beyond what can be kept for a reader who does not come, it is lost. Whoever reads keeps the process
 * alive for as long as more may come; the connection that it comes by does not.
 */
export class Output extends Readable {
  private isOver = false;
  private release: (() => void) | undefined;

  constructor(private readonly begin: () => () => void = hold) {
    super();
    // A reader either lets it flow or listens for when there is something to read, as loops do.
    for (const event of ['resume', 'pause', 'close']) this.on(event, () => this.anchor());
    for (const event of ['newListener', 'removeListener']) {
      // Listeners are told of before they are there.
      this.on(event, (name) => void (name === 'readable' && queueMicrotask(() => this.anchor())));
    }
  }

  add(base64: string): void {
    if (!this.destroyed && this.readableLength < MOST_KEPT) this.push(Buffer.from(base64, 'base64'));
  }

  /** Nothing comes any more. */
  finish(): void {
    this.isOver = true;
    if (!this.destroyed) this.push(null);
    this.anchor();
  }

  override _read(): void {
    // It is pushed as it comes.
  }

  private anchor(): void {
    const isRead = this.readableFlowing === true || this.listenerCount('readable') > 0;
    if (isRead && !this.isOver && !this.destroyed) this.release ??= this.begin();
    else {
      this.release?.();
      this.release = undefined;
    }
  }
}
