import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FixtureApp } from '../conformance/fixture-app.js';
import { MAIN } from '../conformance/scene.js';
import { openRealDesktop, soon, type RealDesktop } from './support/real-desktop.js';
import { until } from './support/seat-room.js';
import { WarmRoom } from './support/warm-room.js';

const CHANGES = [
  'set-label Something else',
  'set-text Name Grace',
  'check off',
  'add-child Extra',
  'scroll-list 50',
  'set-text Notes Short',
  'hide Save',
  'scroll-list 120',
  'check on',
  'show Save',
  'remove-child Extra',
  'set-label A much longer text than the one before',
  'focus Name',
  'scroll-list 1',
];

let real: RealDesktop;

beforeAll(async () => {
  real = await openRealDesktop();
});
afterAll(() => real?.stop());

describe.each(['qt.py', 'gtk4.py'])('the standard scene in %s', (file) => {
  let app: FixtureApp;
  let warm: WarmRoom;

  beforeAll(async () => {
    app = await FixtureApp.start(file, real.seat.env);
    warm = new WarmRoom(real.driver, MAIN);
    await until('the fixture to expose its content', async () => {
      const { windows } = await real.driver.windows({ deadline: soon() });
      return windows.some((one) => one.title === MAIN && one.active) && (await warm.read()).count > 20;
    });
  });
  afterAll(async () => {
    warm?.close();
    await app?.end();
  });

  it('equals a fresh read after each change', async () => {
    await warm.series(CHANGES.length, async (number) => {
      const command = CHANGES[number - 1]!;
      await app.command(command);
      return command;
    });
  });

  it('is read without a call while nothing happens', async () => {
    await until('a read without a call', async () => (await warm.read()).calls === 0);
  });
});

it('any number of listeners share the connections of the driver', async () => {
  const open = (): number => readdirSync('/proc/self/fd').length;
  const end = new AbortController();
  const before = open();
  const streams = Array.from({ length: 10 }, () => real.driver.events({ signal: end.signal }));
  await Promise.all(streams.map((stream) => stream.ready));
  expect(open()).toBeLessThanOrEqual(before);
  end.abort();
});
