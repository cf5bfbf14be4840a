import { type Deadline, sleepUntilWoken } from '../../shared/index.js';
import type { CallView } from '../visibility/call-view.js';

/** Not every change sends an event, so the state is read again after this time. */
const POLL_MS = 200;
/** Events come in bursts: wait for the rest of them. */
const GATHER_MS = 10;

interface NextEvent {
  /** Resolves after an event since this was created, after a while, or at the deadline. */
  orPause(deadline: Deadline): Promise<void>;
  stop(): void;
}

/** Listens from now on, so that no event during a read is missed. */
export function nextEvent(desktop: CallView): NextEvent {
  let happened = false;
  let wake: (() => void) | undefined;
  const stop = desktop.onEvent(() => {
    happened = true;
    wake?.();
  });
  return {
    stop,
    async orPause(deadline) {
      const wait = (ms: number): Promise<void> =>
        sleepUntilWoken(Math.min(ms, deadline.remaining()), (end) => (wake = end), { signal: deadline.signal });
      if (!happened) await wait(POLL_MS);
      wake = undefined;
      if (happened) await wait(GATHER_MS);
    },
  };
}
