import { randomBytes } from 'node:crypto';
import type { Performed } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';

/**
 * The first event is sent at once. Those that follow within this time are sent together, so that a burst stays
 * readable.
 */
const BATCH_MS = 20;
/** How long a host may take to notice that its desktop is gone. */
const END_WITHIN_MS = 10_000;

export interface FollowItem {
  text: string;
  events: unknown[];
}

/** Streams events from now on until `signal` aborts: the same events that `ui_events` returns, as they occur. */
export async function follow(
  ask: (caller: string, again: boolean) => Promise<Performed>,
  /** Calls `happened` at each event until the returned function is called. */
  listen: (happened: () => void) => () => void,
  signal: AbortSignal,
  item: (value: FollowItem) => void,
  /** `ready`: the first item has no events and means that no event is missed from then on. */
  { who = 'cli', ready = false }: { who?: string; ready?: boolean } = {},
): Promise<void> {
  // A caller of its own, so that following takes no events away from other callers.
  const caller = `${who}${who.includes(':') ? '/' : ':'}follow-${randomBytes(6).toString('hex')}`;
  const signalled = new WakeSignal();
  const wake = (): void => signalled.wake();
  const end = listen(wake);
  signal.addEventListener('abort', wake, { once: true });
  try {
    await ask(caller, false);
    if (ready) item({ text: '', events: [] });
    for (;;) {
      if (!signal.aborted) await signalled.wait();
      if (signal.aborted) return;
      const news = await ask(caller, true).catch((error: unknown) => waitForDesktopEnd(error, signal));
      if (!news) return;
      const { json, text } = news;
      const events = json.events as unknown[];
      if (events.length > 0) item({ text, events });
      await new Promise((resolve) => setTimeout(resolve, BATCH_MS));
    }
  } finally {
    end();
    signal.removeEventListener('abort', wake);
  }
}

/** A display that is lost ends its desktop, and that end has the better error message. */
async function waitForDesktopEnd(error: unknown, signal: AbortSignal): Promise<undefined> {
  if (!(error instanceof DesktopError) || error.code !== 'driver_unavailable') throw error;
  if (signal.aborted) return;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(error), END_WITHIN_MS);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}

/** Remembers one signal while there is no waiter. */
class WakeSignal {
  private isSet = false;
  private waiter: (() => void) | undefined;

  wake(): void {
    this.isSet = true;
    this.waiter?.();
  }

  async wait(): Promise<void> {
    if (!this.isSet) await new Promise<void>((resolve) => (this.waiter = resolve));
    this.isSet = false;
  }
}
