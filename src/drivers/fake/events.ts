import type { DriverEvent, EventStream } from '../contract/index.js';

/** A listener that falls this far behind gets `lost` instead of filling the memory. */
const LIMIT = 5_000;

type Fact = DriverEvent extends infer E ? (E extends DriverEvent ? Omit<E, 'at'> : never) : never;

/** Sends each event to every listener, in order. */
export class EventHub {
  private readonly listeners = new Set<Listener>();

  emit(event: Fact): void {
    const stamped = { ...event, at: Date.now() };
    for (const listener of this.listeners) listener.push(stamped);
  }

  /** Ends when `signal` aborts or the hub closes. Listening starts with this call, not with the first `next`. */
  listen(signal: AbortSignal): EventStream {
    const listener = new Listener(() => this.listeners.delete(listener));
    if (signal.aborted) listener.end();
    else {
      this.listeners.add(listener);
      signal.addEventListener('abort', () => listener.end(), { once: true });
    }
    return listener;
  }

  close(): void {
    for (const listener of [...this.listeners]) listener.end();
  }
}

class Listener implements AsyncIterableIterator<DriverEvent> {
  readonly ready = Promise.resolve();
  private queue: DriverEvent[] = [];
  private waiting: ((result: IteratorResult<DriverEvent>) => void)[] = [];
  private ended = false;

  constructor(private readonly onEnd: () => void) {}

  push(event: DriverEvent): void {
    if (this.ended) return;
    const wake = this.waiting.shift();
    if (wake) return wake({ value: event, done: false });
    if (this.queue.length >= LIMIT) {
      this.queue = [{ type: 'lost', at: event.at, reason: `more than ${LIMIT} events were waiting` }];
    }
    this.queue.push(event);
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.queue = [];
    for (const wake of this.waiting.splice(0)) wake({ value: undefined, done: true });
    this.onEnd();
  }

  next(): Promise<IteratorResult<DriverEvent>> {
    const event = this.queue.shift();
    if (event) return Promise.resolve({ value: event, done: false });
    if (this.ended) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  return(): Promise<IteratorResult<DriverEvent>> {
    this.end();
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
