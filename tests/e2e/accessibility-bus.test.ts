import { afterEach, beforeEach, expect, it } from 'vitest';
import { freeze } from '../conformance/freeze.js';
import { HostRoom } from './support/host-room.js';
import { until } from './support/seat-room.js';

let room: HostRoom;
beforeEach(async () => {
  room = await HostRoom.open();
});
afterEach(() => room.close());

const pidOf = (program: RegExp): number => room.processes().find(({ command }) => program.test(command))!.pid;
const REGISTRY = /at-spi2-registryd/;
const BUS = /accessibility\.conf/;

it('a registry that hangs is told as the bus, not as a fault of ours or of the app, and is used again afterwards', async () => {
  await room.launch('mousepad');
  await room.lookUntil('mousepad', (look) => look.count > 4);
  const registry = pidOf(REGISTRY);
  await freeze(registry);
  // In full: what is known to be unchanged needs no bus.
  const { failed } = await room.call('ui_snapshot', { full: true });
  expect(failed).toMatchObject({ code: 'timeout', message: 'The accessibility bus does not answer.' });
  expect(await room.windows()).toHaveLength(1);
  process.kill(registry, 'SIGCONT');
  expect((await room.look()).count).toBeGreaterThan(4);
});

it('a bus that died is told as such; windows are still listed', async () => {
  await room.launch('mousepad');
  await room.lookUntil('mousepad', (look) => look.count > 4);
  process.kill(pidOf(BUS), 'SIGKILL');
  await until('the end of the bus', async () => {
    const { failed } = await room.call('ui_snapshot');
    return failed?.code === 'driver_unavailable' && failed.message === 'The accessibility bus is gone.';
  });
  expect(await room.windows()).toHaveLength(1);
});

it('a window whose app tells nothing is a degraded look, not an empty one', async () => {
  await room.launch('xclock');
  const { text, json } = await room.call('ui_snapshot');
  expect(text).toMatch(/^snapshot s\d+ of w1, 1 element, degraded: .*tells nothing/);
  expect(json).toMatchObject({ degraded: { reason: expect.stringContaining('tells nothing') as string } });
});
