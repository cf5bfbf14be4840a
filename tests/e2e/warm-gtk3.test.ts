import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FixtureApp } from '../conformance/fixture-app.js';
import { openRealDesktop, soon, type RealDesktop } from './support/real-desktop.js';
import { until } from './support/seat-room.js';
import { dice, quiet, WarmRoom } from './support/warm-room.js';

const CHANGES = process.env.SOAK ? 500 : 50;
const KINDS = [
  ...['text', 'label', 'placeholder', 'check', 'radio', 'value', 'choose', 'sensitive', 'visible', 'page', 'expand'],
  ...['add', 'remove', 'swap', 'unannounced', 'insert-row', 'remove-row', 'select-row', 'scroll-rows', 'cell'],
  ...['insert-cells', 'remove-cells', 'scroll-table', 'select-cells', 'name', 'focus', 'title', 'move', 'resize'],
  ...['spacing', 'unannounced', 'scroll-rows', 'move'],
];

let real: RealDesktop;
let app: FixtureApp;
let warm: WarmRoom;

beforeAll(async () => {
  real = await openRealDesktop();
  app = await FixtureApp.start('warm.py', real.seat.env);
  warm = new WarmRoom(real.driver, 'Warm fixture');
  await until('the fixture to tell what is in it', async () => {
    const { windows } = await real.driver.windows({ deadline: soon() });
    return windows.some((one) => one.title === 'Warm fixture' && one.active) && (await warm.read()).count > 40;
  });
});
afterAll(async () => {
  await app?.end();
  await real?.stop();
});

describe('a GTK 3 window that is remembered', () => {
  it(`equals a fresh read after each of ${CHANGES} changes`, async () => {
    const roll = dice(20_261_115);
    await warm.series(CHANGES, async (number) => {
      // Each kind at least once before chance decides.
      const kind = KINDS[number <= KINDS.length ? number - 1 : Math.floor(roll() * KINDS.length)]!;
      await app.command(`${kind} ${number}`);
      return kind;
    });
  });

  it('is read without a call while nothing happens', async () => {
    await quiet();
    await warm.read();
    expect((await warm.read()).calls).toBe(0);
  });
});
