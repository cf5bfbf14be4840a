import type { DriverEvent } from '../contract/index.js';
import { DBus } from './dbus/index.js';
import { eventFrom, focusWords, subscribe } from './atspi/signals.js';
import type { Parts } from './driver.js';
import { EventQueue } from './x/event-queue.js';

const QUEUE_LIMIT = 5000;
const CONNECT_MS = 2000;

/** Windows and pixels from the X server, the rest from the apps' own signals, as one stream. */
export async function* watch(parts: Parts, signal: AbortSignal): AsyncGenerator<DriverEvent> {
  const queue = new EventQueue<DriverEvent>(QUEUE_LIMIT, () => lost('more events than could be taken'));
  const stop = new AbortController();
  const end = () => {
    stop.abort();
    queue.end();
  };
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) return;
  let bus: DBus | undefined;
  try {
    bus = await listen(parts, queue, stop.signal);
    if (parts.display) void forward(parts.display.events(stop.signal), queue);
    yield* queue;
  } finally {
    signal.removeEventListener('abort', end);
    end();
    bus?.close();
  }
}

async function forward(events: AsyncIterable<DriverEvent>, queue: EventQueue<DriverEvent>): Promise<void> {
  try {
    for await (const event of events) queue.push(event);
  } catch (error) {
    queue.push(lost((error as Error).message));
    queue.end();
  }
}

/** A connection of its own: a storm of signals must not delay the answers that a read waits for. */
async function listen(parts: Parts, queue: EventQueue<DriverEvent>, signal: AbortSignal): Promise<DBus | undefined> {
  if (!parts.busAddress || !parts.apps) return undefined;
  const bus = await DBus.connect(parts.busAddress, { timeoutMs: CONNECT_MS });
  const apps = parts.apps;
  bus.onSignal((incoming) => {
    const event = eventFrom(incoming, Date.now());
    if (!event) return;
    const pid = incoming.sender && apps.knownPid(incoming.sender);
    if (pid) event.pid = pid;
    if (event.type !== 'focus') return queue.push(event);
    void focusWords(bus, incoming).then((words) => queue.push({ ...event, ...words }));
  });
  bus.onClose(() => {
    if (signal.aborted) return;
    queue.push(lost('the accessibility bus is gone'));
    queue.end();
  });
  await subscribe(bus);
  return bus;
}

function lost(reason: string): DriverEvent {
  return { type: 'lost', at: Date.now(), reason };
}
