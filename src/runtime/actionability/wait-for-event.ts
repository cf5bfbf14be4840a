import { type Deadline, sleepUntilWoken } from '../../shared/index.js';
import type { CallView } from '../visibility/call-view.js';

/** Not everything is announced; after this one looks again anyway. */
const LOOK_AGAIN_MS = 200;
/** Changes come in showers; the first drop is not the whole of it. */
const GATHER_MS = 10;

interface NextEvent {
  /** Resolves when something happened since this was made, or after a while, or when the time is up. */
  orPause(deadline: Deadline): Promise<void>;
  stop(): void;
}

/** Listens from now on, so that nothing that happens during a look is missed. */
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
      if (!happened) await wait(LOOK_AGAIN_MS);
      wake = undefined;
      if (happened) await wait(GATHER_MS);
    },
  };
}
