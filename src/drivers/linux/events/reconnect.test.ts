import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Deadline, DesktopError } from '../../../shared/index.js';
import type { Apps } from '../atspi/apps.js';
import { BusReconnector, IdGeneration } from './reconnect.js';
import type { DriverParts } from '../capabilities.js';
import type { OpenedApps } from '../session-bus.js';

/** A bus that can be closed. */
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
let parts: DriverParts;
let works: boolean;
let attempts: number;
let opened: number;
let reconnector: BusReconnector;

beforeEach(() => {
  vi.useFakeTimers();
  first = fakeApps();
  parts = { env: {}, idGeneration: new IdGeneration(), apps: first.apps, busAddress: 'old' };
  works = false;
  attempts = 0;
  opened = 0;
  const open = async (): Promise<OpenedApps> => {
    attempts++;
    if (!works) throw new DesktopError('driver_unavailable', 'not there');
    return { apps: fakeApps().apps, busAddress: 'new' };
  };
  reconnector = new BusReconnector(parts, () => opened++, open);
});
afterEach(() => {
  reconnector.close();
  vi.useRealTimers();
});

const reach = (): Promise<void> => reconnector.ensureConnected(Deadline.in(1000));

test('leaves a connected bus alone', async () => {
  await reach();
  expect([attempts, reconnector.lost]).toEqual([0, false]);
});

test('reconnects at the next call, makes old ids stale, and shares one attempt between concurrent calls', async () => {
  const id = parts.idGeneration.toPublicId(':1.5/a');
  first.bus.close();
  works = true;
  await Promise.all([reach(), reach(), reach()]);
  expect([attempts, opened, reconnector.lost, parts.busAddress, parts.apps!.replaced]).toEqual([
    1,
    1,
    false,
    'new',
    true,
  ]);
  expect(() => parts.idGeneration.toBusId(id)).toThrow('The element is gone');
});

test('reconnects without a call', async () => {
  first.bus.close();
  works = true;
  await vi.advanceTimersByTimeAsync(1000);
  expect([attempts, reconnector.lost]).toEqual([1, false]);
});

test('tries less and less often, stops, and finally reports that the bus does not come back', async () => {
  first.bus.close();
  await reach();
  expect(reconnector.error.message).toBe('The accessibility bus is gone.');
  for (let call = 0; call < 100; call++) await reach();
  expect(attempts).toBe(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(reconnector.error).toMatchObject({ code: 'driver_unavailable', message: /ended and does not come back/ });
  await vi.advanceTimersByTimeAsync(600_000);
  const unasked = attempts;
  expect(unasked).toBeLessThan(10);
  works = true;
  await reach();
  expect([attempts, reconnector.lost]).toEqual([unasked + 1, false]);
});

test.each([
  [{ DESKPROOF_SEAT: 'one' }, /deskproof desktop start/],
  [{}, /deskproof doctor/],
])('gives a hint that depends on the desktop: %j', async (env, hint) => {
  parts.env = env;
  first.bus.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reconnector.error.hint).toMatch(hint);
});

test('does nothing after it was closed', async () => {
  first.bus.close();
  reconnector.close();
  works = true;
  await reach();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(attempts).toBe(0);
});
