import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Deadline, DesktopError } from '../../../shared/index.js';
import type { Apps } from '../atspi/apps.js';
import { BusAgain, IdEra } from './reconnect.js';
import type { Parts } from '../driver.js';
import type { OpenedApps } from '../session-bus.js';

/** A bus that can be ended. */
class FakeBus {
  closed = false;
  private readonly listeners: (() => void)[] = [];
  onClose(listener: () => void): void {
    this.listeners.push(listener);
  }
  close(): void {
    if (this.closed) return;
    this.closed = true;
    for (const listener of this.listeners) listener();
  }
}

function fakeApps(): { bus: FakeBus; apps: Apps } {
  const bus = new FakeBus();
  return { bus, apps: { bus, replaced: false, close: () => undefined } as unknown as Apps };
}

let first: ReturnType<typeof fakeApps>;
let parts: Parts;
let works: boolean;
let attempts: number;
let opened: number;
let again: BusAgain;

beforeEach(() => {
  vi.useFakeTimers();
  first = fakeApps();
  parts = { env: {}, era: new IdEra(), apps: first.apps, busAddress: 'old' };
  works = false;
  attempts = 0;
  opened = 0;
  const open = async (): Promise<OpenedApps> => {
    attempts++;
    if (!works) throw new DesktopError('driver_unavailable', 'not there');
    return { apps: fakeApps().apps, busAddress: 'new' };
  };
  again = new BusAgain(parts, () => opened++, open);
});
afterEach(() => {
  again.close();
  vi.useRealTimers();
});

const reach = (): Promise<void> => again.reach(Deadline.in(1000));

test('a bus that is there is left alone', async () => {
  await reach();
  expect([attempts, again.lost]).toEqual([0, false]);
});

test('the next call opens it anew, ids of before are stale, and callers at once share one attempt', async () => {
  const id = parts.era.out(':1.5/a');
  first.bus.close();
  works = true;
  await Promise.all([reach(), reach(), reach()]);
  expect([attempts, opened, again.lost, parts.busAddress, parts.apps!.replaced]).toEqual([1, 1, false, 'new', true]);
  expect(() => parts.era.in(id)).toThrow('gone');
});

test('nobody needs to call', async () => {
  first.bus.close();
  works = true;
  await vi.advanceTimersByTimeAsync(1000);
  expect([attempts, again.lost]).toEqual([1, false]);
});

test('in vain: attempts become rare and end, and the error says at last that it does not come back', async () => {
  first.bus.close();
  await reach();
  expect(again.error.message).toBe('The accessibility bus is gone.');
  for (let call = 0; call < 100; call++) await reach();
  expect(attempts).toBe(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(again.error).toMatchObject({ code: 'driver_unavailable', message: /ended and does not come back/ });
  await vi.advanceTimersByTimeAsync(600_000);
  const unasked = attempts;
  expect(unasked).toBeLessThan(10);
  works = true;
  await reach();
  expect([attempts, again.lost]).toEqual([unasked + 1, false]);
});

test.each([
  [{ DESKPROOF_SEAT: 'one' }, /deskproof desktop start/],
  [{}, /deskproof doctor/],
])('what to do depends on whose desktop it is: %j', async (env, hint) => {
  parts.env = env;
  first.bus.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(again.error.hint).toMatch(hint);
});

test('closed, it rests', async () => {
  first.bus.close();
  again.close();
  works = true;
  await reach();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(attempts).toBe(0);
});
