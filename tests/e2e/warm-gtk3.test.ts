import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FixtureApp } from '../conformance/fixture-app.js';
import { openRealDesktop, soon, type RealDesktop } from './support/real-desktop.js';
import { until } from './support/seat-room.js';
import { countCalls, dice, quiet, WarmRoom } from './support/warm-room.js';

const CHANGES = process.env.SOAK ? 500 : 25;
const KINDS = [
  ...['text', 'label', 'placeholder', 'check', 'radio', 'value', 'choose', 'sensitive', 'visible', 'page', 'expand'],
  ...['add', 'remove', 'swap', 'unannounced', 'insert-row', 'remove-row', 'select-row', 'scroll-rows', 'cell'],
  ...['insert-cells', 'remove-cells', 'scroll-table', 'select-cells', 'name', 'focus', 'title', 'move', 'resize'],
  ...['spacing', 'unannounced', 'scroll-rows', 'move'],
];

const COVERED = ['label', 'unannounced', 'scroll-rows', 'cell', 'check', 'unannounced', 'visible', 'scroll-table'];

/** As a screen reader does: from then on GTK reports positions. */
const LISTENER = `
import pyatspi
pyatspi.Registry.registerEventListener(lambda event: print(event.type, flush=True), "object:bounds-changed")
print("ready", flush=True)
pyatspi.Registry.start()
`;

let real: RealDesktop;
let app: FixtureApp;
let warm: WarmRoom;

beforeAll(async () => {
  real = await openRealDesktop();
  app = await FixtureApp.start('warm.py', real.seat.env);
  warm = new WarmRoom(real.driver, 'Warm fixture');
  await until('the fixture to expose its content', async () => {
    const { windows } = await real.driver.windows({ deadline: soon() });
    return windows.some((one) => one.title === 'Warm fixture' && one.active) && (await warm.read()).count > 40;
  });
});
afterAll(async () => {
  await app?.end();
  warm?.close();
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

  it('is right also while another client subscribes to positions, which the app reports more often than they change', async () => {
    const listener = spawn('/usr/bin/python3', ['-B', '-c', LISTENER], {
      env: { ...real.seat.env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let heard = 0;
    let ready = false;
    createInterface({ input: listener.stdout }).on('line', (line) => {
      if (line === 'ready') ready = true;
      else heard++;
    });
    try {
      await until('the listener', () => Promise.resolve(ready || undefined));
      await warm.series(KINDS.length, async (number) => {
        const kind = KINDS[number - 1]!;
        await app.command(`${kind} ${number + 1_000}`);
        return kind;
      });
      expect(heard, 'places reported').toBeGreaterThan(KINDS.length);
    } finally {
      listener.kill('SIGKILL');
    }
  });

  it('is read without a message on the wire while nothing happens', async () => {
    await quiet();
    await warm.read();
    const wire = countCalls();
    try {
      for (let i = 0; i < 5; i++) expect((await warm.read()).calls).toBe(0);
      expect(wire.calls(), 'messages to any bus or app').toBe(0);
      await warm.read({ fresh: true });
      expect(wire.calls(), 'and they would have been seen').toBeGreaterThan(50);
    } finally {
      wire.stop();
    }
  });

  it('is compared with a fresh read now and then, and doctor reports the result', async () => {
    await quiet();
    const told = await until('a check', async () => {
      await warm.read();
      const findings = await real.driver.doctor({ deadline: soon() });
      const line = findings.find(({ what }) => what.startsWith('tree cache: '));
      return line && !line.what.includes(' 0 checks') ? line : undefined;
    });
    expect(told).toMatchObject({ level: 'ok', what: expect.stringMatching(/, 0 differences$/) as string });
  });

  it('is right also when it changes behind another window', async () => {
    await app.command('cover 1');
    await until('the cover in front', async () => {
      const { windows } = await real.driver.windows({ deadline: soon() });
      return windows[0]?.title === 'Cover' && windows[0].active;
    });
    await quiet();
    await warm.read();
    await until('a read without a call, though covered', async () => (await warm.read()).calls === 0);
    await warm.series(COVERED.length, async (number) => {
      const kind = COVERED[number - 1]!;
      await app.command(`${kind} ${number}`);
      return kind;
    });
    await app.command('cover 2');
  });
});
