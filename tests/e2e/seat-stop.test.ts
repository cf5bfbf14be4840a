// @module-tag safety

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DesktopError } from '../../src/shared/index.js';
import { noteSeed } from '../evidence.js';
import type { FixtureApp } from '../conformance/fixture-app.js';
import { startInputApp } from './support/input-app.js';
import { KEY, TestUser } from './support/test-user.js';
import { openRealDesktop, type RealDesktop } from './support/real-desktop.js';
import { SeatTraces, type Traces } from './support/seat-traces.js';
import { eventually } from './support/x-seat.js';

let real: RealDesktop;
let app: FixtureApp;
let user: TestUser;
let seat: SeatTraces;
let clean: Traces;
let pad: { x: number; y: number };
beforeAll(async () => {
  real = await openRealDesktop();
  app = await startInputApp('input-gtk3.py', real.seat.env);
  [user, seat] = await Promise.all([TestUser.sitDown(real.seat.env), SeatTraces.open(real.seat.env)]);
  clean = await seat.read();
  const from = app.diary.length;
  await app.command('where');
  const { where } = await app.wait('its places', (line) => 'where' in line, from);
  const [x, y, width, height] = (where as Record<string, number[]>).pad!;
  pad = { x: Math.round(x! + width! / 2), y: Math.round(y! + height! / 2) };
});
afterAll(async () => {
  user?.leave();
  seat?.close();
  await app?.end();
  await real?.stop();
});
beforeEach(() => fresh());

async function fresh(): Promise<void> {
  real.desktop.resume();
  // Otherwise what comes next would wait for them, and there would be nothing to stop.
  await eventually(() => expect(real.desktop.user.busy).toBe(false));
  await app.command('clear');
  await app.command('focus text');
}

/** Every third letter is on no key of this keyboard. */
const TEXT = 'ab日cd本ef語gh€ij\n'.repeat(12);
const written = (): string => (app.diary.findLast((line) => 'text' in line)?.text ?? '') as string;

type Step = { tool: string } & Record<string, unknown>;
const type: Step = { tool: 'ui_type', text: TEXT, method: 'input', settleMs: 0 };
const slowly: Step = { ...type, delayMs: 3 };
const drag: Step = { tool: 'ui_drag', from: 'focused', dx: 90, dy: 4, steps: 20, stepMs: 10, settleMs: 0 };
const click = (): Step => ({ tool: 'ui_click_xy', ...pad, count: 3, settleMs: 0 });
const keys: Step = {
  tool: 'ui_key',
  keys: 'shift+Left ctrl+shift+Left shift+Right Left Right shift+Home',
  settleMs: 0,
};
const batch = (): Step => ({ tool: 'ui_batch', steps: [keys, click(), drag] });
const ACTS: (() => Step)[] = [() => type, () => slowly, () => drag, click, batch, () => keys, () => slowly];

interface End {
  error?: DesktopError;
}

function begin({ tool, ...args }: Step): Promise<End> {
  return real.call(tool, args).then(
    () => ({}),
    (error: unknown) => {
      if (error instanceof DesktopError) return { error };
      throw error;
    },
  );
}

/** The same sequence every time, so that a failure can be reproduced. */
function* dice(seed: number): Generator<number, never> {
  for (let state = noteSeed(seed); ;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

const ROUNDS = process.env.SOAK ? 200 : 10;

test(
  `${ROUNDS} stops at random moments: no key stays pressed, and as much text was typed as reported`,
  async () => {
    const random = dice(11);
    let begun = 0;
    await real.call('ui_key', { keys: 'Right', settleMs: 0 });
    for (let round = 0; round < ROUNDS; round++) {
      await fresh();
      const report = ACTS[round % ACTS.length]!();
      const from = app.diary.length;
      let over = false;
      const ending = begin(report).finally(() => (over = true));
      // Half of them soon, the others when the app has noticed something.
      if (round % 2) await eventually(() => expect(over || app.diary.length > from).toBe(true));
      // Not a wait for something: the moment of the stop is the test's input.
      await new Promise((wake) => setTimeout(wake, random.next().value * (round % 2 ? 100 : 400)));
      const byUser = Math.floor(round / ACTS.length) % 2 === 0;
      if (byUser) {
        await user.tap(KEY.escape);
        await user.tap(KEY.escape);
        await eventually(() => expect(real.desktop.emergencyStop.stopped).toBeDefined());
      } else await real.desktop.stop('the test asked for it');
      const { error } = await ending;
      const about = `round ${round}, ${report.tool}, ${error?.message ?? 'done'}`;
      // Before it was stopped it may have got the user's first Escape.
      if (error) expect(['cancelled', 'target_changed', 'not_ready'], about).toContain(error.code);
      if (error && error.delivered !== 'no') begun++;
      // A window manager that is busy with new symbols holds back the button's end for a while; nothing else does.
      await eventually(async () => expect(await seat.pressed(), about).toEqual({ keys: [], buttons: 0 }));
      if (report.tool === 'ui_type') {
        const whole = !error || error.details?.done === true;
        const told = error?.details?.typed as number | undefined;
        const typed = whole ? [...TEXT].length : (told ?? 0);
        // On a busy machine the progress report may be late. Then part of the text is there, and the error says so.
        const unreported = !whole && told === undefined && error.delivered !== 'no';
        await eventually(() => {
          const expected = unreported ? TEXT.slice(0, written().length) : [...TEXT].slice(0, typed).join('');
          expect(written(), about).toBe(expected);
        });
        if (error && !unreported) expect(error.delivered === 'no', about).toBe(typed === 0);
      }
      // Symbols that were lent to keys go back a little later.
      await eventually(async () => expect(await seat.read(), about).toEqual(clean));
      // The app comes to the end of what it got; nothing follows.
      await app.command('where');
      const length = app.diary.length;
      await app.command('where');
      expect(app.diary.slice(length).filter((line) => !('where' in line) && !('done' in line))).toEqual([]);
    }
    // If not, this test would not check anything: these were in the middle of it.
    expect(begun).toBeGreaterThan(ROUNDS / 5);
  },
  ROUNDS * 30_000,
);

test('a drag that is stopped is let go of where it began', async () => {
  const from = app.diary.length;
  const ending = begin({ ...drag, steps: 900, stepMs: 20 });
  await eventually(async () => expect((await seat.pressed()).buttons).toBe(1));
  await real.desktop.stop('the test asked for it');
  expect(await seat.pressed()).toEqual({ keys: [], buttons: 0 });
  expect((await ending).error).toMatchObject({ code: 'cancelled', delivered: 'yes', retry: 'no' });
  await app.command('where');
  // Nothing was being dropped: the key would close what it is in.
  expect(app.diary.slice(from).filter((line) => line.key === 'Escape')).toEqual([]);
});

test('Escape twice ends the act, those behind it and a wait; then everything is refused until it is resumed', async () => {
  const typing = begin({ ...slowly, text: TEXT.repeat(10) });
  const behind = [begin(click()), begin({ tool: 'ui_wait', until: 'button:Never' })];
  await eventually(() => expect(written().length).toBeGreaterThan(5));
  await user.tap(KEY.escape);
  await user.tap(KEY.escape);
  // The first Escape takes the keys, the second everything.
  expect(['cancelled', 'target_changed']).toContain((await typing).error?.code);
  for (const end of behind) expect((await end).error).toMatchObject({ code: 'cancelled', delivered: 'no' });
  expect((await begin({ tool: 'ui_snapshot' })).error).toMatchObject({ code: 'policy_denied', retry: 'after' });
  expect((await real.call('ui_capabilities')).text).toContain('stopped, because the user pressed Escape twice');
  real.desktop.resume();
  await eventually(async () => expect(await seat.read()).toEqual(clean));
  expect((await begin({ tool: 'ui_snapshot' })).error).toBeUndefined();
  const { json } = await real.call('ui_events', { limit: 500 });
  const news = (json.events as { what: string }[]).map(({ what }) => what);
  expect(news).toEqual(expect.arrayContaining(['pause', 'stop', 'continue']));
});
