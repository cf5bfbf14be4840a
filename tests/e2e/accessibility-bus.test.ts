import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { DesktopEvent } from '../../src/runtime/index.js';
import type { Snapshot } from '../../src/tree/index.js';
import { freeze } from '../conformance/freeze.js';
import { HostRoom } from './support/host-room.js';
import { elements } from './support/real-desktop.js';
import { ask, until } from './support/seat-room.js';

let room: HostRoom;
beforeEach(async () => {
  room = await HostRoom.open();
});
afterEach(() => room.close());

const pidOf = (program: RegExp): number => room.processes().find(({ command }) => program.test(command))!.pid;
const REGISTRY = /at-spi2-registryd/;
const BUS = /accessibility\.conf/;

it('reports a hung registry as a fault of the bus, not of the app, and uses it again afterwards', async () => {
  await room.launch('mousepad');
  await room.snapshotUntil('mousepad', (snapshot) => snapshot.count > 4);
  const registry = pidOf(REGISTRY);
  await freeze(registry);
  // In full: what is known to be unchanged needs no bus.
  const { failed } = await room.call('ui_snapshot', { full: true });
  expect(failed).toMatchObject({ code: 'timeout', message: 'The accessibility bus does not answer.' });
  expect(await room.windows()).toHaveLength(1);
  process.kill(registry, 'SIGCONT');
  expect((await room.snapshot()).count).toBeGreaterThan(4);
});

const GONE = 'The accessibility bus is gone.';

async function endBus(): Promise<void> {
  const bus = pidOf(BUS);
  process.kill(bus, 'SIGKILL');
  await until('the end of the bus', () => !room.processes().some(({ pid }) => pid === bus));
}

it('a bus that died comes back by itself at the next call; what is from before is not taken for something else', async () => {
  await room.launch('mousepad');
  const before = await room.snapshotUntil('mousepad', (snapshot) => elements(snapshot, 'textbox').length === 1);
  const old = elements(before, 'textbox')[0]!.ref;
  await room.call('ui_events');
  await endBus();
  expect(await room.windows()).toHaveLength(1);
  const after = await until('a snapshot', async () => {
    const { json, failed } = await room.call('ui_snapshot');
    if (failed) expect(failed).toMatchObject({ code: 'driver_unavailable', message: GONE });
    return failed ? undefined : (json as Snapshot);
  });
  expect(after.count).toBe(1);
  expect(after.degraded?.reason).toMatch(
    /exposes no content .*; restart the app if it was started before the accessibility bus was restarted$/,
  );

  // The new one has the names of the old one's apps to give.
  process.kill(before.windows[0]!.pid!, 'SIGKILL');
  await until('the old mousepad to be gone', async () => (await room.windows()).length === 0);
  const { window } = await room.launch('mousepad');
  const again = await room.snapshotUntil('the new mousepad', (snapshot) => elements(snapshot, 'textbox').length === 1, {
    window: window.ref,
  });
  expect(elements(again, 'textbox')[0]!.ref).not.toBe(old);
  for (const tool of ['ui_describe', 'ui_read']) {
    expect((await room.call(tool, { target: old })).failed?.code).toMatch(/stale_ref|process_gone/);
  }
  const field = elements(again, 'textbox')[0]!;
  expect((await room.call('ui_describe', { target: field.ref })).text).toContain(`${field.ref} textbox`);

  // Reported as lost once, and then as live as before.
  const heard: DesktopEvent[] = [];
  await until('the text to change', async () => {
    await ask('xdotool', ['type', 'x'], room.seatEnv);
    const { json } = await room.call('ui_events', { limit: 500 });
    heard.push(...(json as { events: DesktopEvent[] }).events);
    return heard.some(({ what, element }) => what === 'changed' && element?.ref === field.ref);
  });
  const lost = heard.filter(({ what }) => what === 'lost');
  expect(lost.map(({ times }) => times)).toEqual([undefined]);
});

it('reports a bus that cannot be restored, with a fix', async () => {
  await room.launch('mousepad');
  await room.snapshotUntil('mousepad', (snapshot) => snapshot.count > 4);
  rmSync(join(room.base, 'run', 'room', 'run', 'services', 'org.a11y.Bus.service'));
  await endBus();
  await until('the end of hope', async () => {
    const { failed } = await room.call('ui_snapshot');
    expect(failed).toMatchObject({ code: 'driver_unavailable', message: /^The accessibility bus / });
    return failed?.message !== GONE && failed?.hint?.includes('deskproof desktop start');
  });
  const { text } = await room.call('ui_snapshot');
  expect(text).toMatch(/^failed: driver_unavailable\. The accessibility bus ended and does not come back\. /);
  expect(await room.windows()).toHaveLength(1);
});

it('reports a window without a tree as degraded, not as empty', async () => {
  await room.launch('xclock');
  const { text, json } = await room.call('ui_snapshot');
  expect(text).toMatch(/^snapshot s\d+ of w1, 1 element, complete: no, .*exposes no content/);
  expect(json).toMatchObject({ degraded: { reason: expect.stringContaining('exposes no content') as string } });
});
