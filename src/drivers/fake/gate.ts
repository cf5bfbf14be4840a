import { DesktopError, type Deadline } from '../../shared/index.js';
import { processGoneError, type FakeApp } from './world.js';

/** Waits as long as this app lets its callers wait: not at all, for its latency, or until it counts as hung. */
export async function waitForApp(app: FakeApp, hungAfterMs: number, deadline: Deadline): Promise<void> {
  deadline.throwIfOver('Reading');
  if (app.dead) throw processGoneError();
  const limit = Math.min(hungAfterMs, deadline.remaining());
  if (app.hung) await waitUntilResumed(app, limit, deadline);
  if (app.latencyMs > limit) {
    await sleep(limit, deadline);
    throw limit < hungAfterMs ? timeoutError() : hungError(hungAfterMs);
  }
  if (app.latencyMs > 0) await sleep(app.latencyMs, deadline);
  if (app.dead) throw processGoneError();
}

/** A step within a read: waits only if the app was stopped in the meantime. */
export async function continueRead(app: FakeApp, hungAfterMs: number, deadline: Deadline): Promise<void> {
  if (app.diesAfter !== undefined && app.diesAfter-- <= 0) app.dead = true;
  if (app.dead) throw processGoneError();
  if (app.hung) await waitUntilResumed(app, Math.min(hungAfterMs, deadline.remaining()), deadline);
  deadline.throwIfOver('Reading');
}

async function waitUntilResumed(app: FakeApp, limit: number, deadline: Deadline): Promise<void> {
  if (!(await sleep(limit, deadline, app.waiting))) throw hungError(limit);
  if (app.dead) throw processGoneError();
}

/** Returns true if woken through `bells` before the time was over. */
async function sleep(ms: number, { signal }: Deadline, wakers?: Set<() => void>): Promise<boolean> {
  let woken = false;
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      wakers?.delete(wake);
      resolve();
    };
    const wake = () => {
      woken = true;
      end();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end, { once: true });
    wakers?.add(wake);
  });
  if (signal?.aborted) throw new DesktopError('cancelled', 'Reading was cancelled.');
  return woken;
}

function hungError(ms: number): DesktopError {
  return new DesktopError('app_hung', `The app did not answer for ${Math.round(ms)} ms.`, {
    retry: 'after',
    retryAfter: 'it answers again',
    hint: 'Look at another window, or wait.',
  });
}

function timeoutError(): DesktopError {
  return new DesktopError('timeout', 'The app did not answer in time.');
}
