import type { UserInputEvent, UserInputEvents, UserInputKind } from '../contract/index.js';

/** User input on a fake desktop, and its watchers. */
export class FakeUserInput {
  private readonly watches = new Set<Watch>();

  emit(kind: UserInputKind): void {
    for (const watch of this.watches) watch.push({ type: 'userInput', kind, at: Date.now() });
  }

  lose(reason: string): void {
    for (const watch of [...this.watches]) {
      watch.push({ type: 'lost', reason, at: Date.now() });
      watch.end();
    }
  }

  watch(signal: AbortSignal): UserInputEvents {
    const watch = new Watch(() => this.watches.delete(watch));
    this.watches.add(watch);
    if (signal.aborted) watch.end();
    else signal.addEventListener('abort', () => watch.end(), { once: true });
    return watch;
  }

  close(): void {
    for (const watch of [...this.watches]) watch.end();
  }
}

class Watch implements UserInputEvents {
  readonly ready = Promise.resolve();
  private waiting: UserInputEvent[] = [];
  private ended = false;
  private wake?: () => void;

  constructor(private readonly onEnd: () => void) {}

  push(event: UserInputEvent): void {
    if (this.ended) return;
    this.waiting.push(event);
    this.wake?.();
  }

  /** Queued events are still delivered. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.onEnd();
    this.wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<UserInputEvent> {
    for (;;) {
      yield* this.waiting.splice(0);
      if (this.waiting.length > 0) continue;
      if (this.ended) return;
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}
