import type { FollowItem } from '../../host/index.js';
import { checkOptions, listOf, oneOf, SIGNAL } from './check-options.js';
import { holding, type Link } from './link.js';
import type { DesktopEvent, EventType } from './surface.js';

/** Whoever does not read loses the oldest: a program that sleeps must not fill its memory. */
const MOST_WAITING = 10_000;

const TYPES: Record<EventType, true> = {
  ...{ opened: true, closed: true, title: true, active: true, focus: true, changed: true, notification: true },
  ...{ lost: true, pause: true, resume: true, stop: true, continue: true, unwatched: true },
};
const KINDS = { types: listOf(oneOf(...Object.keys(TYPES))), signal: SIGNAL };

/** What happens from now on. It is listened for at once; what is called after it waits until that is so. */
export function eventsOf(
  link: Link,
  options: { types?: EventType[]; signal?: AbortSignal },
): AsyncIterable<DesktopEvent> {
  checkOptions('events()', options, KINDS);
  const { types, signal } = options;
  const waiting: DesktopEvent[] = [];
  const over = new AbortController();
  let wake = (): void => undefined;
  let failure: unknown;
  let ended = false;
  const end = (error?: unknown): void => {
    ended = true;
    failure = over.signal.aborted || signal?.aborted || link.isClosed ? undefined : error;
    wake();
  };
  let heard = (): void => undefined;
  const listening = new Promise<void>((resolve) => (heard = resolve));
  const onItem = (item: unknown): void => {
    heard();
    const { events } = item as FollowItem;
    waiting.push(...(events as DesktopEvent[]).filter(({ what }) => !types || types.includes(what)));
    if (waiting.length > MOST_WAITING) waiting.splice(0, waiting.length - MOST_WAITING);
    wake();
  };
  const either = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
  link
    .request('follow', { args: {}, caller: link.caller, ready: true }, { onItem, signal: either, background: true })
    .then(() => end(), end)
    .finally(heard);
  link.await(listening);
  return { [Symbol.asyncIterator]: () => told() };

  async function* told(): AsyncGenerator<DesktopEvent> {
    try {
      for (;;) {
        yield* waiting.splice(0);
        if (waiting.length > 0) continue;
        if (ended) break;
        await holding(new Promise<void>((resolve) => (wake = resolve)));
      }
      if (failure !== undefined) throw await link.tell(failure, { said: 'events()' });
    } finally {
      over.abort();
    }
  }
}
