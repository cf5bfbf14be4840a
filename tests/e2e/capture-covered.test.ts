// @module-tag safety

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Driver, Screenshot, PrivateDesktop } from '../../src/drivers/contract/index.js';
import { capture } from '../../src/drivers/linux/capture/index.js';
import { bootPrivateDesktop, openLinuxDriver } from '../../src/drivers/linux/index.js';
import { openDisplay } from '../../src/drivers/linux/x11/display.js';
import { Deadline } from '../../src/shared/index.js';
import type { Box } from '../../src/tree/index.js';
import { coloursOf } from './support/colours.js';
import { PaintApp } from './support/paint-app.js';
import { ask, SeatRoom, until } from './support/seat-room.js';

const soon = (): Deadline => Deadline.in(20_000);
const BLUE = '#1020f0';
const RED = '#f01020';
const GREEN = '#10f020';
const room = new SeatRoom();
let seat: PrivateDesktop;
let driver: Driver;
let app: PaintApp;
let other: PaintApp;

beforeAll(async () => {
  seat = await bootPrivateDesktop(room.options());
});
afterAll(async () => {
  await seat.stop();
  room.remove();
});
beforeEach(async () => {
  [app, other] = await Promise.all([PaintApp.start(seat.env), PaintApp.start(seat.env)]);
});
afterEach(async () => {
  await driver.close();
  await Promise.all([app.end(), other.end()]);
});

const attach = async (changes?: Record<string, undefined>): Promise<void> => {
  driver = await openLinuxDriver({ env: { ...seat.env, ...changes } });
};
const take = (window: string): Promise<Screenshot> => driver.screenshot!({ window }, { deadline: soon() });
const failure = (window: string): Promise<unknown> =>
  take(window).then(
    () => 'a picture',
    (error: unknown) => error,
  );
const boxOf = async (window: string) => {
  const { windows } = await driver.windows({ deadline: soon() });
  return windows.find(({ id }) => id === window)?.bounds;
};
const placeOf = ({ x, y, ...size }: Box) => ({ ...size, origin: { x, y } });
/** Once the window manager has put it there. */
const at = (window: string, x: number, y: number) =>
  until('the window to be moved', async () => {
    const box = await boxOf(window);
    return box && Math.abs(box.x - x) < 40 && Math.abs(box.y - y) < 40;
  });

describe.each<[string, boolean, Record<string, undefined>?]>([
  ['before the apps came', true],
  ['after one window covered the other', false],
  // There windows are kept apart from the first picture of one of them on.
  ['as to a user desktop', true, { DESKPROOF_SEAT: undefined }],
])('attached %s', (_, early, changes) => {
  it('a covered window is pictured without one pixel of its cover', async () => {
    if (early) await attach(changes);
    const window = await app.window('below', 'Below', BLUE, 100, 100, 300, 200);
    await other.window('above', 'Above', RED, 200, 150, 400, 300);
    if (!early) await attach();
    const picture = await take(window);
    const colours = coloursOf(picture);
    expect(colours.get(RED)).toBeUndefined();
    expect(colours.get(BLUE)).toBe(300 * 200);
    expect(picture).toMatchObject(placeOf((await boxOf(window))!));
  });

  it('a wholly covered one too, and through all that is done to both', async () => {
    if (early) await attach(changes);
    const window = await app.window('below', 'Below', BLUE, 200, 200, 200, 150);
    await other.window('above', 'Above', RED, 120, 100, 500, 400);
    await other.window('popup', 'Popup', GREEN, 250, 230, 100, 100, 'popup');
    if (!early) await attach();
    const check = async (count: number): Promise<void> => {
      const colours = coloursOf(await take(window));
      expect([colours.get(RED), colours.get(GREEN), colours.get(BLUE)]).toEqual([undefined, undefined, count]);
    };
    await check(200 * 150);
    await app.do('size', 'below', 260, 220);
    await until('the new size', async () => (await boxOf(window))!.width >= 260);
    await check(260 * 220);
    await other.do('move', 'above', 300, 250);
    await check(260 * 220);
    await other.do('move', 'above', 120, 100);
    await other.do('size', 'above', 600, 450);
    await check(260 * 220);
    await app.do('move', 'below', 300, 300);
    await at(window, 300, 300);
    await check(260 * 220);
    await app.do('hide', 'below');
    await until('the window to be gone', async () => (await boxOf(window)) === undefined);
    await app.do('show_all', 'below');
    await other.do('raise', 'above');
    await until('the window to be back', async () => {
      const { windows } = await driver.windows({ deadline: soon() });
      return windows.find(({ id }) => id === window)?.visible;
    });
    await check(260 * 220);
  });
});

it('a window whose app stopped while it could be seen is pictured as it was', async () => {
  await attach();
  const window = await app.window('below', 'Below', BLUE, 100, 100, 300, 200);
  await take(window);
  await app.freeze();
  await other.window('above', 'Above', RED, 50, 50, 600, 500);
  const colours = coloursOf(await take(window));
  expect([colours.get(RED), colours.get(BLUE)]).toEqual([undefined, 300 * 200]);
});

describe('where another window was before the first capture, and the app is stopped', () => {
  it('there is no picture, and it says what covers the window', async () => {
    const window = await app.window('below', 'Below', BLUE, 100, 100, 300, 200);
    const above = await other.window('above', 'Above', RED, 200, 150, 400, 300);
    await app.freeze();
    await attach();
    expect(await failure(window)).toMatchObject({ code: 'not_ready', details: { coveredBy: [above] } });
    // Also not when what covered it went away: what is seen then are the pixels of the other.
    await other.do('move', 'above', 600, 500);
    await at(above, 600, 500);
    expect(await failure(window)).toMatchObject({ code: 'not_ready', details: { coveredBy: [] } });
    await other.do('move', 'above', 200, 150);
    await at(above, 200, 150);
    expect(await failure(window)).toMatchObject({ code: 'not_ready', details: { coveredBy: [above] } });
    app.goOn();
    const colours = coloursOf(await take(window));
    expect([colours.get(RED), colours.get(BLUE)]).toEqual([undefined, 300 * 200]);
  });

  it('the part that was never covered is pictured', async () => {
    const window = await app.window('below', 'Below', BLUE, 100, 100, 300, 200);
    await other.window('above', 'Above', RED, 250, 50, 400, 500);
    await app.freeze();
    await attach();
    const part = { x: 130, y: 180, width: 60, height: 60 };
    const picture = await driver.screenshot!({ window, part }, { deadline: soon() });
    expect([...coloursOf(picture)]).toEqual([[BLUE, 3600]]);
    expect(picture.origin).toEqual({ x: 130, y: 180 });
  });
});

describe('pixels that the server discarded while the app was stopped', () => {
  it.each<[string, string[][]]>([
    ['resized', [['windowsize', 'WINDOW', '380', '280']]],
    [
      'minimised and restored',
      [
        ['windowminimize', 'WINDOW'],
        ['windowmap', 'WINDOW'],
      ],
    ],
  ])('%s: there is no picture until the app has drawn', async (what, commands) => {
    await attach();
    const window = await app.window('below', 'Below', BLUE, 100, 100, 300, 200);
    const above = await other.window('above', 'Above', RED, 50, 50, 600, 500);
    await take(window);
    const find = async () => (await driver.windows({ deadline: soon() })).windows.find(({ id }) => id === window);
    const { width } = (await find())!.bounds!;
    const xdotool = (...words: string[]) => ask('xdotool', words, seat.env);
    const numberOf = (id: string): string => String(Number(id.slice(2)));
    await app.freeze();
    for (const [index, words] of commands.entries()) {
      await xdotool(...words.map((word) => word.replace('WINDOW', numberOf(window))));
      if (index < commands.length - 1) await until('it minimised', async () => (await find())?.minimised);
    }
    await until('the change', async () => {
      const now = await find();
      return now?.visible && !now.minimised && (what !== 'resized' || now.bounds!.width > width);
    });
    await xdotool('windowraise', numberOf(above));
    expect(await failure(window)).toMatchObject({ code: 'not_ready', details: { why: 'undrawn' } });
    app.goOn();
    const colours = coloursOf(await take(window));
    expect([colours.get(RED), colours.get(BLUE)]).toEqual([undefined, expect.any(Number)]);
  });
});

it('where a server cannot keep windows apart, only what nothing covers is pictured', async () => {
  await attach();
  const window = await app.window('below', 'Below', BLUE, 100, 100, 300, 200);
  const display = await openDisplay(seat.env, soon());
  const cut = () => capture({ display, own: () => Promise.resolve(undefined) }, { window }, { deadline: soon() });
  expect(coloursOf(await cut()).get(BLUE)).toBe(300 * 200);
  const above = await other.window('above', 'Above', RED, 200, 150, 400, 300);
  await expect(cut()).rejects.toMatchObject({ code: 'not_ready', details: { coveredBy: [above] } });
  display.close();
});
