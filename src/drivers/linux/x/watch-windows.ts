import { Deadline, DesktopError } from '../../../shared/index.js';
import type { DriverEvent } from '../../contract/index.js';
import { EventQueue } from './event-queue.js';
import { WindowWatch, type WatchedDisplay, type WatchOptions } from './window-watch.js';

/** `ready` resolves when changes from now on are told; it never rejects: a failure is a `lost` event. */
export interface WindowEvents extends AsyncIterable<DriverEvent> {
  readonly ready: Promise<void>;
}

const QUEUE_LIMIT = 2000;
const OPEN_MS = 5000;

export function watchWindows(
  open: (deadline: Deadline) => Promise<WatchedDisplay>,
  signal: AbortSignal,
  options: WatchOptions = {},
): WindowEvents {
  const lost = (reason: string): DriverEvent => ({ type: 'lost', at: Date.now(), reason });
  const queue = new EventQueue<DriverEvent>(QUEUE_LIMIT, () => lost('Events came faster than they were read.'));
  let watch: WindowWatch | undefined;
  const stop = (): void => {
    watch?.stop();
    queue.end();
  };
  const start = async (): Promise<void> => {
    try {
      const display = await open(Deadline.in(OPEN_MS, signal));
      watch = new WindowWatch(display, { tell: (event) => queue.push(event) }, options);
      display.parts.client.onLost((error) => {
        queue.push(lost(error.message));
        stop();
      });
      if (signal.aborted) return stop();
      await watch.begin();
    } catch (error) {
      if (!signal.aborted) queue.push(lost(error instanceof DesktopError ? error.message : String(error)));
      stop();
    }
  };
  signal.addEventListener('abort', stop, { once: true });
  const ready = signal.aborted ? Promise.resolve(stop()) : start();
  return {
    ready,
    async *[Symbol.asyncIterator]() {
      try {
        yield* queue;
      } finally {
        signal.removeEventListener('abort', stop);
        stop();
      }
    },
  };
}
