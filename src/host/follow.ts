import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Performed } from '../runtime/index.js';

/** Often enough that a person sees no delay; asking costs a look into a list in memory. */
const ASK_EVERY_MS = 100;

export interface FollowItem {
  text: string;
  events: unknown[];
}

/** Streams what happens from now on until `signal` aborts: the same news that `ui_events` tells, as they come. */
export async function follow(
  ask: (caller: string) => Promise<Performed>,
  signal: AbortSignal,
  item: (value: FollowItem) => void,
): Promise<void> {
  // A caller of its own: following takes no news away from anybody.
  const caller = `follow-${randomBytes(6).toString('hex')}`;
  await ask(caller);
  while (!signal.aborted) {
    try {
      await pause(ASK_EVERY_MS, undefined, { signal });
    } catch {
      // Aborted while waiting: the follower has gone, which is how following ends.
      return;
    }
    const { json, text } = await ask(caller);
    const events = json.events as unknown[];
    if (events.length > 0) item({ text, events });
  }
}
