// @module-tag safety

import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Driver } from '../../src/drivers/contract/index.js';
import { FixtureApp } from '../conformance/fixture-app.js';
import { coloursOf } from './support/colours.js';
import { GovernedDesktop, type Said } from './support/governed-desktop.js';
import { until } from './support/seat-room.js';

const POLICY = `version: 1
limits: { capturesPerMinute: 100000, actsPerMinute: 100000 }
`;
/** In the secret window and nowhere else on this screen. */
const SECRET_COLOUR = '#e31fb9';
const PLAIN_COLOUR = '#3a6ea5';
const SECRET_WORDS = /banking|7781|balance|4,711|wire 4/i;
const ROUNDS = process.env.SOAK ? 1_000 : 30;

let room: GovernedDesktop;
let app: FixtureApp;
let driver: Driver;
let own: Pick<Driver, 'read' | 'screenshot' | 'windows'>;
let refs: { window: string; button: string };

beforeAll(async () => {
  room = await GovernedDesktop.open(POLICY, { width: 640, height: 480 });
  app = await FixtureApp.start('turncoat.py', room.seat.env);
  driver = room.desktop.driver;
  own = {
    read: driver.read!.bind(driver),
    screenshot: driver.screenshot!.bind(driver),
    windows: driver.windows.bind(driver),
  };
  refs = await until('the window', async () => {
    const { json } = await room.call('ui_query', { target: 'button:"Read on"' });
    const [found] = (json.matches ?? []) as { ref: string; window: string }[];
    return found && { window: found.window, button: found.ref };
  });
});
afterAll(async () => {
  await app?.end();
  await room?.close();
});

/** Every way to see something of it. */
const READS: [tool: string, args: () => object][] = [
  ['ui_snapshot', () => ({ window: '*' })],
  ['ui_capture', () => ({ maxSize: 0 })],
  ['ui_query', () => ({ target: 'role=button' })],
  ['ui_capture', () => ({ maxSize: 0, window: refs.window })],
  ['ui_snapshot', () => ({ window: refs.window, full: true })],
  ['ui_capture', () => ({ maxSize: 0, region: [50, 50, 450, 380] })],
  ['ui_describe', () => ({ target: refs.button })],
  ['ui_capture', () => ({ maxSize: 0, target: refs.button })],
  ['ui_query', () => ({ target: 'button:"No such thing"' })],
  ['ui_list_windows', () => ({ hidden: true })],
  ['ui_read', () => ({ target: 'role=textbox' })],
  ['ui_describe', () => ({ target: 'focused' })],
  ['ui_assert', () => ({ condition: 'button:"No such thing"' })],
  ['ui_click', () => ({ target: 'button:"No such thing"', timeoutMs: 100 })],
  ['ui_act', () => ({ target: refs.button, action: 'focus', settleMs: 30, timeoutMs: 400 })],
];

/** What came out of it that may not; and of a picture, what was in it. */
async function leakIn({ text, json }: Said): Promise<string | undefined> {
  const { data, ...facts } = json;
  const words = SECRET_WORDS.exec(`${text}\n${JSON.stringify(facts)}`);
  if (words) return `${words[0]} in ${text}`;
  if (typeof data !== 'string') return undefined;
  const rgba = await sharp(Buffer.from(data, 'base64')).ensureAlpha().raw().toBuffer();
  const count = coloursOf({ rgba }).get(SECRET_COLOUR) ?? 0;
  return count > 0 ? `${count} pixels` : undefined;
}

/** When it turns, and when it turns back: around the first read or picture of a call, which had checked before. */
const MOMENTS: { name: string; before: string[]; after: string[] }[] = [
  { name: 'turns before it is read', before: ['turn'], after: [] },
  { name: 'turns and is back before anybody checks again', before: ['turn'], after: ['back'] },
  { name: 'turns right after it was read', before: [], after: ['turn'] },
];

/** Triggers the change around the driver's next read. Returns whether it happened. */
function ambush({ before, after }: (typeof MOMENTS)[number]): { sprung: boolean } {
  const trap = { sprung: false };
  const around = async <T>(read: () => Promise<T>): Promise<T> => {
    if (trap.sprung) return read();
    trap.sprung = true;
    for (const command of before) await app.command(command);
    try {
      return await read();
    } finally {
      for (const command of after) await app.command(command);
    }
  };
  Object.assign(driver, {
    read: (...args: Parameters<NonNullable<Driver['read']>>) => around(() => own.read!(...args)),
    screenshot: (...args: Parameters<NonNullable<Driver['screenshot']>>) => around(() => own.screenshot!(...args)),
  });
  return trap;
}

test('what is not hidden is seen, so that the rest of this can fail', async () => {
  const { json } = await room.call('ui_capture', { maxSize: 0 });
  const rgba = await sharp(Buffer.from(json.data as string, 'base64'))
    .ensureAlpha()
    .raw()
    .toBuffer();
  expect(coloursOf({ rgba }).get(PLAIN_COLOUR)).toBeGreaterThan(10_000);
  expect((await room.call('ui_snapshot', { window: '*' })).text).toContain('Start page');
  await app.command('turn');
  const { rgba: shown } = await own.screenshot!(undefined, { deadline: room.soon() });
  expect(coloursOf({ rgba: shown }).get(SECRET_COLOUR)).toBeGreaterThan(10_000);
  await app.command('back');
});

test(
  `${ROUNDS} times a window turns into a hidden one between the check and the look`,
  async () => {
    const leaks: string[] = [];
    let sprung = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const [tool, args] = READS[round % READS.length]!;
      const moment = MOMENTS[Math.floor(round / READS.length) % MOMENTS.length]!;
      const trap = ambush(moment);
      const said = await room.call(tool, args());
      Object.assign(driver, own);
      if (trap.sprung) sprung += 1;
      const events = await room.call('ui_events', { limit: 500 });
      for (const one of [said, events]) {
        const leak = await leakIn(one);
        if (leak) leaks.push(`round ${round}, ${moment.name}, ${tool} ${JSON.stringify(args())}: ${leak}`);
      }
      await app.command('back');
      await until('it to be seen again', async () => (await room.call('ui_list_windows')).text.includes('Start page'));
    }
    expect(leaks).toEqual([]);
    // Most of them read windows. If they did not, this test would not check anything.
    expect(sprung).toBeGreaterThan(ROUNDS / 2);
  },
  ROUNDS * 10_000,
);

test('a title that was there for the blink of an eye is in the next list of windows', async () => {
  for (const times of [1, 1, 1, 2, 3, 10]) {
    const deadline = room.soon();
    await own.windows({ deadline });
    await app.command(`flash ${times}`);
    const { windows, passed = [] } = await own.windows({ deadline });
    expect(windows.map(({ title }) => title)).toEqual(['Start page']);
    // A title that is no longer known counts as well.
    expect(passed.filter(({ title = 'Banking' }) => SECRET_WORDS.test(title)).length).toBeGreaterThan(0);
  }
});

test(
  `${ROUNDS} looks while it turns round and round by itself`,
  async () => {
    const leaks: string[] = [];
    let seen = 0;
    await app.command('storm 11');
    for (let round = 0; round < ROUNDS; round++) {
      const [tool, args] = READS[round % READS.length]!;
      for (const said of [await room.call(tool, args()), await room.call('ui_events', { limit: 500 })]) {
        if (said.code === undefined) seen += 1;
        const leak = await leakIn(said);
        if (leak) leaks.push(`round ${round}, ${tool} ${JSON.stringify(args())}: ${leak}`);
      }
    }
    await app.command('calm');
    expect(leaks).toEqual([]);
    expect(seen).toBeGreaterThan(ROUNDS);
  },
  ROUNDS * 10_000,
);
