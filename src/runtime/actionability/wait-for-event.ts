import { type Deadline, sleepUntilWoken } from '../../shared/index.js';
import type { CallView } from '../visibility/call-view.js';

/** Not every change sends an event, so the state is read again after this time. */
const POLL_MS = 200;
/** Events come in bursts: wait for the rest of them. */
const GATHER_MS = 10;

/** When an event of a window or a process was last heard. */
export interface Heard {
  window?: string;
  pid?: number;
  /** A window opened, closed or changed: this concerns every search. */
  ofWindow: boolean;
  at: number;
}

interface NextEvent {
  /** What has happened so far, by window and process. */
  readonly heard: Iterable<Heard>;
  /** Resolves after an event since this was created, after a while, or at the deadline. */
  orPause(deadline: Deadline): Promise<void>;
  stop(): void;
}

/** Listens from now on, so that no event during a read is missed. */
export function nextEvent(desktop: CallView): NextEvent {
  let happened = false;
  let wake: (() => void) | undefined;
  const heard = new Map<string, Heard>();
  const stop = desktop.onEvent(({ type, window, pid }) => {
    happened = true;
    const ofWindow = type === 'window' || type === 'lost';
    const source = { ...(window !== undefined && { window }), ...(pid !== undefined && { pid }), ofWindow };
    heard.set(`${window} ${pid} ${ofWindow}`, { ...source, at: performance.now() });
    wake?.();
  });
  return {
    stop,
    get heard() {
      return heard.values();
    },
    async orPause(deadline) {
      const wait = (ms: number): Promise<void> =>
        sleepUntilWoken(Math.min(ms, deadline.remaining()), (end) => (wake = end), { signal: deadline.signal });
      if (!happened) await wait(POLL_MS);
      wake = undefined;
      if (happened) await wait(GATHER_MS);
    },
  };
}
