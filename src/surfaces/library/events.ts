import type { FollowItem } from '../../host/index.js';
import { checkOptions, listOf, oneOf, ABORT_SIGNAL } from './check-options.js';
import { keepAliveWhile, type Link } from './link.js';
import type { DesktopEvent, EventType } from './surface.js';

/** Without a reader the oldest events are dropped, so that a sleeping program does not fill its memory. */
const MAX_QUEUED = 10_000;

const EVENT_TYPES: Record<EventType, true> = {
  ...{ opened: true, closed: true, title: true, active: true, focus: true, changed: true, notification: true },
  ...{ lost: true, pause: true, resume: true, stop: true, continue: true, unwatched: true },
};
const EVENTS_OPTIONS = { types: listOf(oneOf(...Object.keys(EVENT_TYPES))), signal: ABORT_SIGNAL };

/** Streams events from now on. The subscription starts at once, and later calls wait until it is active. */
export function streamEvents(
  link: Link,
  options: { types?: EventType[]; signal?: AbortSignal },
): AsyncIterable<DesktopEvent> {
  checkOptions('events()', options, EVENTS_OPTIONS);
  const { types, signal } = options;
  const queue: DesktopEvent[] = [];
  const closing = new AbortController();
  let wake = (): void => undefined;
  let failure: unknown;
  let ended = false;
  const end = (error?: unknown): void => {
    ended = true;
    failure = closing.signal.aborted || signal?.aborted || link.isClosed ? undefined : error;
    wake();
  };
  let subscribed = (): void => undefined;
  const subscription = new Promise<void>((resolve) => (subscribed = resolve));
  const onItem = (item: unknown): void => {
    subscribed();
    const { events } = item as FollowItem;
    queue.push(...(events as DesktopEvent[]).filter(({ what }) => !types || types.includes(what)));
    if (queue.length > MAX_QUEUED) queue.splice(0, queue.length - MAX_QUEUED);
    wake();
  };
  const either = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
  link
    .request('follow', { args: {}, caller: link.caller, ready: true }, { onItem, signal: either, background: true })
    .then(() => end(), end)
    .finally(subscribed);
  link.holdCallsUntil(subscription);
  return { [Symbol.asyncIterator]: () => readEvents() };

  async function* readEvents(): AsyncGenerator<DesktopEvent> {
    try {
      for (;;) {
        yield* queue.splice(0);
        if (queue.length > 0) continue;
        if (ended) break;
        await keepAliveWhile(new Promise<void>((resolve) => (wake = resolve)));
      }
      if (failure !== undefined) throw await link.explain(failure, { expression: 'events()' });
    } finally {
      closing.abort();
    }
  }
}
