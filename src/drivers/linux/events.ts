import type { DriverEvent, EventStream } from '../contract/index.js';
import { DBus } from './dbus/index.js';
import { eventFrom, focusWords, subscribe } from './atspi/signals.js';
import type { Parts } from './driver.js';
import { EventQueue } from './x/event-queue.js';

const QUEUE_LIMIT = 5000;
const CONNECT_MS = 2000;

/** Windows and pixels from the X server, the rest from the apps' own signals, as one stream. */
export function watch(parts: Parts, signal: AbortSignal): EventStream {
  const queue = new EventQueue<DriverEvent>(QUEUE_LIMIT, () => lost('more events than could be taken'));
  let bus: DBus | undefined;
  const end = (): void => {
    queue.end();
    bus?.close();
  };
  const start = async (): Promise<void> => {
    try {
      const windows = parts.display?.events(signal);
      if (windows) void forward(windows, queue);
      [bus] = await Promise.all([listen(parts, queue, signal), windows?.ready]);
    } catch (error) {
      queue.push(lost((error as Error).message));
      end();
    }
    if (signal.aborted) end();
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  const ready = signal.aborted ? Promise.resolve() : start();
  return { ready, [Symbol.asyncIterator]: () => queue[Symbol.asyncIterator]() };
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
  try {
    await subscribe(bus);
    return bus;
  } catch (error) {
    bus.close();
    throw error;
  }
}

function lost(reason: string): DriverEvent {
  return { type: 'lost', at: Date.now(), reason };
}
