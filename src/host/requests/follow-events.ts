import { randomBytes } from 'node:crypto';
import type { Performed } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';

/** The first news is told at once; what follows within this time is told together, so that a storm stays readable. */
const TOGETHER_MS = 20;
/** So long a host may take to notice that its desktop is gone. */
const DYING_MS = 10_000;

export interface FollowItem {
  text: string;
  events: unknown[];
}

/** Streams what happens from now on until `signal` aborts: the same news that `ui_events` tells, as they come. */
export async function follow(
  ask: (caller: string, again: boolean) => Promise<Performed>,
  /** Calls at each happening until the answer is called. */
  listen: (happened: () => void) => () => void,
  signal: AbortSignal,
  item: (value: FollowItem) => void,
  /** `ready`: the first item has no events, and says that from then on nothing is missed. */
  { who = 'cli', ready = false }: { who?: string; ready?: boolean } = {},
): Promise<void> {
  // A caller of its own: following takes no news away from anybody.
  const caller = `${who}${who.includes(':') ? '/' : ':'}follow-${randomBytes(6).toString('hex')}`;
  const bell = new Bell();
  const ring = (): void => bell.ring();
  const end = listen(ring);
  signal.addEventListener('abort', ring, { once: true });
  try {
    await ask(caller, false);
    if (ready) item({ text: '', events: [] });
    for (;;) {
      if (!signal.aborted) await bell.rung();
      if (signal.aborted) return;
      const news = await ask(caller, true).catch((error: unknown) => endOf(error, signal));
      if (!news) return;
      const { json, text } = news;
      const events = json.events as unknown[];
      if (events.length > 0) item({ text, events });
      await new Promise((resolve) => setTimeout(resolve, TOGETHER_MS));
    }
  } finally {
    end();
    signal.removeEventListener('abort', ring);
  }
}

/** A display that went takes its desktop with it: that end says more than this one. */
async function endOf(error: unknown, signal: AbortSignal): Promise<undefined> {
  if (!(error instanceof DesktopError) || error.code !== 'driver_unavailable') throw error;
  if (signal.aborted) return;
  await new Promise<void>((resolve, reject) => {
    const given = setTimeout(() => reject(error), DYING_MS);
    signal.addEventListener('abort', () => (clearTimeout(given), resolve()), { once: true });
  });
}

/** Remembers one ring while nobody waits. */
class Bell {
  private rang = false;
  private wake: (() => void) | undefined;

  ring(): void {
    this.rang = true;
    this.wake?.();
  }

  async rung(): Promise<void> {
    if (!this.rang) await new Promise<void>((resolve) => (this.wake = resolve));
    this.rang = false;
  }
}
