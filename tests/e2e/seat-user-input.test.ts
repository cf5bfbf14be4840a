// @module-tag safety

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { perform } from '../../src/runtime/index.js';
import { DesktopError } from '../../src/shared/index.js';
import { TOOLS } from '../../src/tools/index.js';
import type { FixtureApp } from '../conformance/fixture-app.js';
import { startInputApp } from './support/input-app.js';
import { KEY, TestUser } from './support/test-user.js';
import { openRealDesktop, type RealDesktop } from './support/real-desktop.js';
import { SeatTraces } from './support/seat-traces.js';
import { eventually, tool } from './support/x-seat.js';

let real: RealDesktop;
let app: FixtureApp;
let user: TestUser;
let traces: SeatTraces;
beforeAll(async () => {
  real = await openRealDesktop();
  app = await startInputApp('input-gtk3.py', real.seat.env);
  [user, traces] = await Promise.all([TestUser.sitDown(real.seat.env), SeatTraces.open(real.seat.env)]);
});
afterAll(async () => {
  user?.leave();
  traces?.close();
  await app?.end();
  await real?.stop();
});
beforeEach(async () => {
  await app.command('clear');
  await app.command('focus text');
  await eventually(() => expect(real.desktop.user.busy).toBe(false));
  await real.call('ui_events');
});
afterEach(() => real.desktop.resume());

/** No letter of it is on the key that the user presses. */
const LONG = 'the quick brown fox jumps over the dog;\n'.repeat(12);
const ARGS = { text: LONG, method: 'input', delayMs: 2, settleMs: 0, timeoutMs: 30_000 };

/** What the app itself says its text is. */
const written = (): string => (app.diary.findLast((line) => 'text' in line)?.text ?? '') as string;
const news = async (): Promise<string[]> => {
  const { json } = await real.call('ui_events', { limit: 500 });
  return (json.events as { what: string }[]).map(({ what }) => what);
};

async function failure(work: Promise<unknown>): Promise<DesktopError> {
  const error = await work.then(
    () => new Error('it did not fail'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof DesktopError) return error;
  throw error;
}

/** A long text under way, and how it will end. */
async function typing(): Promise<{ end: Promise<unknown> }> {
  const end = real.call('ui_type', ARGS);
  end.catch(() => undefined); // The test checks it.
  await eventually(() => expect(written().length).toBeGreaterThan(5));
  return { end };
}

async function place(name: 'pad' | 'entry' | 'text'): Promise<{ x: number; y: number }> {
  const from = app.diary.length;
  await app.command('where');
  const line = await app.wait('its place', (entry) => 'where' in entry, from);
  const [x, y, width, height] = (line.where as Record<string, number[]>)[name]!;
  return { x: Math.round(x! + width! / 2), y: Math.round(y! + height! / 2) };
}

async function moveTo({ x, y }: { x: number; y: number }): Promise<void> {
  const text = await tool(real.seat.env, 'xdotool', 'getmouselocation');
  const [, atX, atY] = /x:(\d+) y:(\d+)/.exec(text)!;
  await user.move(x - Number(atX), y - Number(atY));
}

/** They do not let go of the mouse. */
const fidget = (): NodeJS.Timeout => setInterval(() => void user.move(6, 0).then(() => user.move(-6, 0)), 100);

describe('a user who interrupts while a text is typed', () => {
  test('and only moves the mouse: it stops, goes on, and all of it is there, once', async () => {
    const { end } = await typing();
    await user.move(30, 10);
    await eventually(() => expect(real.desktop.user.busy).toBe(true));
    // Two answers of the app with nothing typed in between: it has stopped.
    await eventually(async () => {
      await app.command('where');
      const before = written();
      await app.command('where');
      expect(written()).toBe(before);
    });
    const paused = written();
    expect(LONG.startsWith(paused)).toBe(true);
    expect(paused.length).toBeLessThan(LONG.length);
    await end;
    await eventually(() => expect(written()).toBe(LONG));
    expect(await news()).toEqual(expect.arrayContaining(['pause', 'resume']));
  });

  test('and types too: it ends, and says exactly how much went in', async () => {
    const { end } = await typing();
    await user.tap(KEY.a);
    const error = await failure(end);
    expect(error).toMatchObject({ code: 'target_changed', delivered: 'yes', retry: 'no' });
    const { typed } = error.details as { typed: number };
    await eventually(() => expect(written()).toContain('a'));
    await eventually(() => expect(written().replace('a', '')).toBe(LONG.slice(0, typed)));
    expect(error.message).toContain(`${typed} of ${LONG.length} characters were typed`);
  });

  test('and clicks into another field: it ends, and nothing goes there', async () => {
    const entry = await place('entry');
    await moveTo(entry);
    await eventually(() => expect(real.desktop.user.busy).toBe(false));
    const { end } = await typing();
    const from = app.diary.length;
    await user.button(1, true);
    await user.button(1, false);
    const error = await failure(end);
    expect(error).toMatchObject({ code: 'target_changed', delivered: 'yes' });
    const { typed } = error.details as { typed: number };
    const into = (): string => (app.diary.slice(from).findLast((line) => 'entry' in line)?.entry ?? '') as string;
    await eventually(() => expect(written() + into()).toBe(LONG.slice(0, typed)));
    // At most what was on its way when they clicked: one chunk.
    expect(into().length).toBeLessThanOrEqual(32);
  });
});

test('cancels a drag when the user intervenes, releases the button and reports it', async () => {
  const from = app.diary.length;
  const drag = real.call('ui_drag', { from: 'focused', dx: 120, dy: 5, steps: 500, stepMs: 20, settleMs: 0 });
  drag.catch(() => undefined); // Checked below.
  await eventually(async () => expect((await traces.pressed()).buttons).toBe(1));
  await user.move(8, 8);
  expect(await failure(drag)).toMatchObject({ code: 'target_changed', delivered: 'yes', retry: 'no' });
  expect(await traces.pressed()).toEqual({ keys: [], buttons: 0 });
  // Nothing was being dropped: the key would close what it is in.
  expect(app.diary.slice(from).filter((line) => line.key === 'Escape')).toEqual([]);
});

test('a click with the mouse waits until the user is idle', async () => {
  const pad = await place('pad');
  await real.call('ui_key', { keys: 'Right', settleMs: 0 });
  await user.move(20, 0);
  await eventually(() => expect(real.desktop.user.busy).toBe(true));
  const from = app.diary.length;
  await real.call('ui_click_xy', { ...pad, settleMs: 0 });
  expect(real.desktop.user.busy).toBe(false);
  await eventually(() =>
    expect(app.diary.slice(from)).toContainEqual(expect.objectContaining({ press: 1, at: [pad.x, pad.y] })),
  );
});

test('a user who is never idle: refused at the deadline, nothing is done', async () => {
  const pad = await place('pad');
  await real.call('ui_key', { keys: 'Right', settleMs: 0 });
  const from = app.diary.length;
  const busy = fidget();
  try {
    await eventually(() => expect(real.desktop.user.busy).toBe(true));
    const click = { tool: 'ui_click_xy', args: pad, caller: 'test' };
    const error = await failure(perform(real.desktop, TOOLS, { ...click, timeoutMs: 2_000 }));
    expect(error).toMatchObject({ code: 'not_ready', delivered: 'no', retry: 'after' });
    expect(error.message).toContain('The user is using the mouse');
  } finally {
    clearInterval(busy);
  }
  await app.command('where');
  expect(app.diary.slice(from).filter((line) => 'press' in line)).toEqual([]);
});

describe('an act by pattern', () => {
  const set = (value: string): Promise<unknown> =>
    real.call('ui_set_value', { target: 'focused', value, method: 'pattern', settleMs: 0 });
  beforeEach(() => app.command('focus entry'));

  test("is performed while the user's mouse is elsewhere", async () => {
    await set('first');
    await moveTo({ x: 1270, y: 890 });
    await eventually(() => expect(real.desktop.user.busy).toBe(true));
    const from = app.diary.length;
    const busy = fidget();
    await set('second').finally(() => clearInterval(busy));
    await eventually(() => expect(app.diary.slice(from)).toContainEqual({ entry: 'second' }));
  });

  test('waits while it is over the same window', async () => {
    await moveTo(await place('pad'));
    await set('first');
    await user.move(7, 0);
    await eventually(() => expect(real.desktop.user.busy).toBe(true));
    await set('second');
    expect(real.desktop.user.busy).toBe(false);
    await eventually(() => expect(app.diary.at(-1)).toEqual({ entry: 'second' }));
  });
});

test('neither our own input nor that of other programs is taken for theirs', async () => {
  const pad = await place('pad');
  await real.call('ui_click_xy', { ...pad, count: 2, settleMs: 0 });
  await tool(real.seat.env, 'xdotool', 'mousemove', '50', '60', 'key', 'Escape', 'key', 'Escape', 'click', '1');
  await real.call('ui_click_xy', { ...pad, settleMs: 0 });
  expect(real.desktop.emergencyStop.stopped).toBeUndefined();
  expect(await news()).not.toContain('pause');
});

test('capabilities report that user activity is detected', async () => {
  expect((await real.call('ui_capabilities')).text).toMatch(/^works: .*\buserInput\b/m);
});
