import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeDesktop, type DesktopSpec, type FakeDesktop } from '../../drivers/fake/index.js';
import { Desktop, perform, type Performed } from '../../runtime/index.js';
import { Deadline, DesktopError } from '../../shared/index.js';
import type { Box } from '../../tree/index.js';
import { failureText } from '../text/failure.js';
import { TOOLS } from '../index.js';
import { pixelsOf } from '../../../tests/scenes/png-pixels.js';

const spec: DesktopSpec = {
  size: { width: 800, height: 600 },
  windows: [
    {
      key: 'front',
      title: 'Front',
      app: 'cover',
      bounds: { x: 100, y: 100, width: 300, height: 300 },
      children: [{ role: 'button', name: 'Cover' }],
    },
    {
      key: 'login',
      title: 'Log in',
      app: 'mail',
      bounds: { x: 50, y: 50, width: 400, height: 400 },
      children: [
        { role: 'textbox', name: 'User', value: 'ada', height: 40 },
        { role: 'passwordbox', name: 'Password', value: 'canary', height: 40 },
        {
          role: 'list',
          name: 'Rows',
          height: 60,
          list: { total: 500, shown: 3, item: (n) => ({ role: 'listitem', name: `row ${n}` }) },
        },
      ],
    },
    { key: 'small', title: 'Small', app: 'clock', minimised: true, bounds: { x: 0, y: 0, width: 100, height: 100 } },
    { key: 'away', title: 'Away', app: 'clock', bounds: { x: 2_000, y: 0, width: 100, height: 100 } },
    { key: 'half', title: 'Half', app: 'clock', bounds: { x: -40, y: 500, width: 100, height: 50 } },
  ],
};

let fake: FakeDesktop;
let desktop: Desktop;
beforeEach(() => {
  fake = fakeDesktop(spec);
  desktop = new Desktop({ name: 'fake', driver: fake.driver, kind: 'virtual' });
});
afterEach(() => desktop.close());

interface Captured {
  id: string;
  width: number;
  height: number;
  origin: { x: number; y: number };
  data: string;
  file: string;
  [fact: string]: unknown;
}
const call = (args: object, tool = 'ui_capture'): Promise<Performed> =>
  perform(desktop, TOOLS, { tool, args, caller: 'test' });
const capture = async (args: object): Promise<Captured> => (await call(args)).json as unknown as Captured;
const failure = async (args: object, tool?: string): Promise<string> => {
  try {
    await call(args, tool);
  } catch (error) {
    if (error instanceof DesktopError) return failureText(error);
    throw error;
  }
  throw new Error('it did not fail');
};

const boundsOf = async (target: string): Promise<Box> =>
  ((await call({ target }, 'ui_describe')).json as { element: { bounds: Box } }).element.bounds;

describe('a picture', () => {
  it('of the screen reports its size, place and scale, and how much it was scaled down', async () => {
    expect((await call({ maxSize: 0 })).text).toMatch(
      /^c1 {2}800x600 png \d+ kB, screen at 0,0, scale 1, 1 secret field painted over$/,
    );
    expect((await call({ maxSize: 400 })).text).toMatch(/^c2 {2}400x300 png \d+ kB, screen at 0,0, scale 0.5, /);
    expect(await capture({ scale: 0.25 })).toMatchObject({ id: 'c3', width: 200, height: 150, scale: 0.25 });
  });

  it('is all that a program needs: facts, hash, bytes', async () => {
    const { data, takenAt, sha256, bytes, ...rest } = await capture({ window: 'Front' });
    const image = Buffer.from(data, 'base64');
    expect(bytes).toBe(image.length);
    expect(sha256).toBe(createHash('sha256').update(image).digest('hex'));
    expect(Date.parse(String(takenAt))).toBeGreaterThan(0);
    expect(rest).toEqual({
      schema: 1,
      id: 'c1',
      of: 'window',
      window: 'w1',
      width: 300,
      height: 300,
      origin: { x: 100, y: 100 },
      scale: 1,
      space: 'screen',
      format: 'png',
      mimeType: 'image/png',
      redactions: 0,
    });
  });

  it('of an element is the crop of its window', async () => {
    const window = pixelsOf((await capture({ window: 'Log in' })).data);
    const { data, origin, ...facts } = await capture({ target: 'textbox:User' });
    const box = await boundsOf('textbox:User');
    expect({ ...origin, width: facts.width, height: facts.height }).toEqual(box);
    expect(facts).toMatchObject({ of: 'element', window: 'w2', element: expect.stringMatching(/^e\d+$/) as string });
    const part = pixelsOf(data);
    for (const [x, y] of [
      [0, 0],
      [5, 7],
      [box.width - 1, box.height - 1],
    ] as const) {
      expect(part.at(x, y)).toBe(window.at(box.x - 50 + x, box.y - 50 + y));
    }
  });

  it('of a region or a monitor is that part of the screen', async () => {
    const screen = pixelsOf((await capture({})).data);
    const { data, ...facts } = await capture({ region: [90, 95, 40, 30] });
    expect(facts).toMatchObject({ of: 'region', width: 40, height: 30, origin: { x: 90, y: 95 } });
    expect(pixelsOf(data).at(20, 10)).toBe(screen.at(110, 105));
    expect(await capture({ monitor: 1 })).toMatchObject({ of: 'monitor', monitor: 1, width: 800, height: 600 });
  });

  it('of a window that sticks out begins outside of the screen', async () => {
    expect(await capture({ window: 'Half' })).toMatchObject({ width: 100, height: 50, origin: { x: -40, y: 500 } });
  });

  it('shows the mouse when that is asked for', async () => {
    await fake.driver.input!.move({ x: 600, y: 30 }, { deadline: Deadline.in(5_000) });
    expect(pixelsOf((await capture({})).data).at(601, 31)).not.toBe('ffffff');
    expect(pixelsOf((await capture({ cursor: true })).data).at(601, 31)).toBe('ffffff');
  });

  it('as jpeg is one, smaller with less quality', async () => {
    const good = await capture({ format: 'jpeg' });
    const poor = await capture({ format: 'jpeg', quality: 10 });
    expect(good).toMatchObject({ format: 'jpeg', mimeType: 'image/jpeg' });
    const [a, b] = [Buffer.from(good.data, 'base64'), Buffer.from(poor.data, 'base64')];
    for (const image of [a, b])
      expect([image.toString('hex', 0, 3), image.toString('hex', image.length - 2)]).toEqual(['ffd8ff', 'ffd9']);
    expect(b.length).toBeLessThan(a.length);
  });

  it('in a file is private to its user, and is deleted with the desktop', async () => {
    const { file, ...facts } = await capture({ output: 'file', window: 'Front' });
    expect(facts).not.toHaveProperty('data');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    expect(facts.sha256).toBe(createHash('sha256').update(readFileSync(file)).digest('hex'));
    expect((await call({ output: 'file', window: 'Front' })).text).toMatch(
      /^\/.*\/c2-[0-9a-f]{12}\.png {2}300x300 png .*, c2$/,
    );
    await desktop.close();
    expect(existsSync(dirname(file))).toBe(false);
  });
});

describe('what is secret', () => {
  it('is black, and counted, in every picture that it is in', async () => {
    const box = await boundsOf('passwordbox:Password');
    const screen = pixelsOf((await capture({})).data);
    expect(screen.at(box.x, box.y)).toBe('000000');
    expect(screen.at(box.x + box.width - 1, box.y + box.height - 1)).toBe('000000');
    expect(screen.at(box.x, box.y - 1)).not.toBe('000000');
    expect(await capture({ target: 'passwordbox:Password' })).toMatchObject({ redactions: 1 });
    expect(await capture({ target: 'textbox:User' })).toMatchObject({ redactions: 0 });
    expect(await capture({ window: 'Front' })).toMatchObject({ redactions: 0 });
  });

  it('is black wherever it was, if it never stands still', async () => {
    const { id } = (await desktop.listWindows(Deadline.in(1_000))).windows.find(({ title }) => title === 'Log in')!;
    const box = await boundsOf('passwordbox:Password');
    const picture = fake.driver.screenshot!.bind(fake.driver);
    let moves = 0;
    fake.driver.screenshot = async (area, options) => {
      const taken = await picture(area, options);
      moves += 1;
      await fake.driver.changeWindow!(id, { action: 'move', x: 50 + 10 * moves, y: 50 }, options);
      return taken;
    };
    const { data, redactions } = await capture({});
    const image = pixelsOf(data);
    expect([moves, redactions]).toEqual([4, 2]);
    const edges = [box.x + 30 - 1, box.x + 30, box.x + 40 + box.width - 1, box.x + 40 + box.width];
    expect(edges.map((x) => image.at(x, box.y) === '000000')).toEqual([false, true, true, false]);
  });

  it('cannot be found in a window that does not answer: the picture says so', async () => {
    fake.controls.hang('login');
    const result = await call({ window: 'Log in' });
    expect(result.text).toMatch(/, w2 not checked for secret fields$/);
    expect(result.json).toMatchObject({ uncheckedWindows: ['w2'], redactions: 0 });
  });

  it('makes all of a window black that was known to hold some and does not answer now', async () => {
    await capture({ window: 'Log in' });
    fake.controls.hang('login');
    const { data, redactions } = await capture({ window: 'Log in' });
    const image = pixelsOf(data);
    expect(redactions).toBe(1);
    for (const [x, y] of [
      [0, 0],
      [200, 30],
      [399, 399],
    ] as const)
      expect(image.at(x, y)).toBe('000000');
  });
});

describe('what cannot be pictured', () => {
  it.each<[object, RegExp, RegExp]>([
    [
      { window: 'Small' },
      /^failed: not_ready\. w3 window "Small" is minimised\. Delivered: no\. Retry: after restoring w3\./,
      /ui_window restore w3/,
    ],
    [{ window: 'Away' }, /not_ready\. w4 window "Away" lies outside of the screen/, /ui_window move w4/],
    [{ window: 'Nowhere' }, /element_not_found/, /use one of these/],
    [{ monitor: 2 }, /bad_arguments\. There is no monitor 2/, /1 monitor/],
    [{ region: [9_000, 0, 5, 5] }, /bad_arguments\. That area is not on the screen/, /800x600/],
    [{ region: [0, 0, 5] }, /bad_arguments.*region must have 4 values/, /it takes/],
    [{ region: [0, 0, 0, 5] }, /bad_arguments\. The region is empty/, /width and height/],
    [{ window: 'Front', monitor: 1 }, /bad_arguments\. A picture is of one thing/, /a monitor, or a region/],
    [{ scale: 2 }, /bad_arguments.*scale must be at most 1/, /it takes/],
    [{ format: 'gif' }, /bad_arguments/, /it takes/],
    [{ target: 'listitem:"row 400"' }, /failed: (not_ready|element_not_found)/, /./],
  ])('%j', async (args, what, hint) => {
    const text = await failure(args);
    expect(text).toMatch(what);
    expect(text).toMatch(hint);
  });

  it('is denied on a user desktop', async () => {
    desktop = new Desktop({ name: 'user', driver: fake.driver });
    expect(await failure({})).toMatch(/policy_denied/);
  });
});

describe('a point of a picture', () => {
  it('is found on the screen again', async () => {
    const { id } = await capture({ window: 'Front', scale: 0.5 });
    const result = await call({ x: 30, y: 20, space: id, action: 'move' }, 'ui_click_xy');
    expect(result.text).toMatch(/at 161,141/);
  });

  it('is refused when the window has moved, when it is outside, when there is no such picture', async () => {
    const { id } = await capture({ window: 'Front' });
    expect(await failure({ x: 300, y: 0, space: id }, 'ui_click_xy')).toMatch(/300,0 is not in c1: that is 300x300/);
    expect(await failure({ x: 0, y: 0, space: 'c99' }, 'ui_click_xy')).toMatch(/no capture c99/);
    await call({ action: 'move', window: 'Front', x: 10, y: 10 }, 'ui_window');
    expect(await failure({ x: 30, y: 20, space: id }, 'ui_click_xy')).toMatch(
      /target_changed\. w1 is not where it was/,
    );
  });
});
