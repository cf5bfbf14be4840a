import { DesktopError, type Deadline } from '../../shared/index.js';
import { processGone, type FakeApp } from './world.js';

/** Waits as long as this app keeps its callers waiting: not at all, its latency, or until it counts as hung. */
export async function ask(app: FakeApp, hungAfterMs: number, deadline: Deadline): Promise<void> {
  deadline.throwIfOver('Reading');
  if (app.dead) throw processGone();
  const patience = Math.min(hungAfterMs, deadline.remaining());
  if (app.hung) await wakes(app, patience, deadline);
  if (app.latencyMs > patience) {
    await rest(patience, deadline);
    throw patience < hungAfterMs ? timeout() : hung(hungAfterMs);
  }
  if (app.latencyMs > 0) await rest(app.latencyMs, deadline);
  if (app.dead) throw processGone();
}

/** A step within a read: no waiting, unless the app was stopped meanwhile. */
export async function goOn(app: FakeApp, hungAfterMs: number, deadline: Deadline): Promise<void> {
  if (app.diesAfter !== undefined && app.diesAfter-- <= 0) app.dead = true;
  if (app.dead) throw processGone();
  if (app.hung) await wakes(app, Math.min(hungAfterMs, deadline.remaining()), deadline);
  deadline.throwIfOver('Reading');
}

async function wakes(app: FakeApp, patience: number, deadline: Deadline): Promise<void> {
  if (!(await rest(patience, deadline, app.waiting))) throw hung(patience);
  if (app.dead) throw processGone();
}

/** True when woken through `bells` before the time was over. */
async function rest(ms: number, { signal }: Deadline, bells?: Set<() => void>): Promise<boolean> {
  let woken = false;
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      bells?.delete(wake);
      resolve();
    };
    const wake = () => {
      woken = true;
      end();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end, { once: true });
    bells?.add(wake);
  });
  if (signal?.aborted) throw new DesktopError('cancelled', 'Reading was cancelled.');
  return woken;
}

function hung(ms: number): DesktopError {
  return new DesktopError('app_hung', `The app did not answer for ${Math.round(ms)} ms.`, {
    retry: 'after',
    retryAfter: 'it answers again',
    hint: 'Look at another window, or wait.',
  });
}

function timeout(): DesktopError {
  return new DesktopError('timeout', 'The app did not answer in time.');
}
