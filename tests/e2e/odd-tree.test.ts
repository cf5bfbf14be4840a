import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../src/tree/index.js';
import { FixtureApp } from '../conformance/fixture-app.js';
import { HostRoom } from './support/host-room.js';
import { elements, everyElement } from './support/real-desktop.js';
import { until } from './support/seat-room.js';

let room: HostRoom;
let app: FixtureApp | undefined;

beforeAll(async () => {
  room = await HostRoom.open();
});
afterEach(async () => {
  await app?.end();
  app = undefined;
  await until('its window to be gone', async () => (await room.windows()).length === 0);
});
afterAll(() => room?.close());

/** The app's window in such a tree, once the app is on the bus. */
async function shown(way: string): Promise<string> {
  app = await FixtureApp.start('odd-tree.py', room.seatEnv, [way]);
  return until('its window', async () => (await room.windows()).find(({ title }) => title === 'Odd tree')?.ref);
}

const snapshot = async (timeoutMs?: number): Promise<Snapshot> => {
  const { json, failed } = await room.call('ui_snapshot', {}, timeoutMs);
  if (failed) throw failed;
  return json as Snapshot;
};

describe('a tree that does not end', () => {
  it('reads an element that lists its ancestors once, and reports it', async () => {
    await shown('loop');
    const seen = await snapshot();
    expect(seen.degraded?.reason).toMatch(/^w\d+: the app lists an element among its own descendants/);
    expect(elements(seen, 'button').map(({ name }) => name)).toEqual(['before', 'after']);
    expect(new Set([...everyElement(seen)].map(({ id }) => id)).size).toBe(seen.count);
    // The way up is followed as well, and has a loop of its own.
    const { failed } = await room.call('ui_describe', { target: elements(seen, 'button', 'after')[0]!.ref });
    expect(failed).toBeUndefined();
  });

  it('cuts a tree without end, and reports it', async () => {
    await shown('endless');
    const seen = await snapshot();
    expect(seen.degraded?.reason).toMatch(/^w\d+: only the first 200 levels were read/);
    expect(seen.count).toBeLessThan(205);
    expect(seen.count).toBeGreaterThan(100);
  });
});

describe('an app that answers slowly', () => {
  it('is read until the time is up, and the snapshot reports it', async () => {
    await shown('slow');
    const seen = await snapshot(6_000);
    const [, count] = /^w\d+: the time limit was reached; only the first (\d+) elements were read$/.exec(
      seen.degraded!.reason,
    )!;
    expect(Number(count)).toBe(seen.count);
    expect(seen.count).toBeGreaterThan(10);
    for (const { name } of elements(seen, 'button')) expect(name).toMatch(/^button\d+$/);
    await app!.command('faster');
    const whole = await snapshot(60_000);
    expect(whole).not.toHaveProperty('degraded');
    expect(elements(whole, 'button')).toHaveLength(600);
    // What was seen in part keeps its refs.
    const refs = new Map([...everyElement(whole)].map(({ id, ref }) => [id, ref]));
    for (const { id, ref } of everyElement(seen)) expect(refs.get(id)).toBe(ref);
  });
});

describe('an app whose answers have the wrong types', () => {
  it.each([
    ['wrong', /^w\d+: \d+ replies of the app could not be understood$/],
    ['wrong-all', /^w\d+: the app exposes no content for this window$/],
  ])('%s: an empty window is not reported as complete', async (way, reason) => {
    await shown(way);
    const seen = await snapshot();
    expect(seen.count).toBe(1);
    expect(seen.degraded?.reason).toMatch(reason);
  });
});
