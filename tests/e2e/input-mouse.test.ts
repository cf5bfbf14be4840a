import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ClickOptions, Modifier, MouseButton } from '../../src/drivers/contract/index.js';
import { openInputDevice, type LinuxInputDevice } from '../../src/drivers/linux/input/input-device.js';
import type { Point } from '../../src/tree/index.js';
import type { DiaryLine, FixtureApp } from '../conformance/fixture-app.js';
import { startInputApp } from './support/input-app.js';
import { eventually, openXSeat, soon, type XSeat } from './support/x-seat.js';

let seat: XSeat;
let input: LinuxInputDevice;
beforeAll(async () => {
  seat = await openXSeat();
  input = await openInputDevice(seat.env, soon());
});
afterAll(async () => {
  await input?.close();
  await seat?.stop();
});

describe.each(['input-gtk3.py', 'input-qt.py'])('the mouse, as %s sees it', (file) => {
  let app: FixtureApp;
  let spot: Point;
  let from = 0;
  beforeAll(async () => {
    app = await startInputApp(file, seat.env);
    await app.command('where');
    const { pad } = app.diary.findLast((line) => 'where' in line)!.where as { pad: [number, number, number, number] };
    spot = { x: pad[0] + 200, y: pad[1] + 80 };
  });
  afterAll(() => app?.end());
  afterEach(() => {
    from = app.diary.length;
  });

  const since = (): DiaryLine[] => app.diary.slice(from);
  const presses = (): DiaryLine[] => since().filter((line) => 'press' in line);
  const until = (count: number, word: string): Promise<void> =>
    eventually(() => expect(since().filter((line) => word in line)).toHaveLength(count));

  test('moves and says where it is', async () => {
    await input.move({ x: spot.x + 3, y: spot.y + 5 }, { deadline: soon() });
    expect(await input.pointer({ deadline: soon() })).toEqual({ x: spot.x + 3, y: spot.y + 5 });
  });

  test.each<[MouseButton, number, Modifier[]]>([
    ['left', 1, []],
    ['middle', 2, []],
    ['right', 3, []],
    ['left', 1, ['shift']],
    ['left', 1, ['ctrl', 'shift']],
  ])('clicks %s (%i) with %j', async (button, number, modifiers) => {
    await input.click(spot, { button, modifiers, deadline: soon() });
    await until(1, 'release');
    expect(presses()).toHaveLength(1);
    expect(presses()[0]).toMatchObject({ press: number, clicks: 1, at: [spot.x, spot.y] });
    expect(new Set(presses()[0]!.held as string[])).toEqual(new Set(modifiers));
  });

  test('a double click is one, and clicks one after the other are none', async () => {
    const options: ClickOptions = { deadline: soon() };
    await input.click(spot, { ...options, count: 2 });
    await until(2, 'release');
    expect(presses().some(({ clicks }) => clicks === 2)).toBe(true);
    from = app.diary.length;
    await input.click(spot, options);
    await input.click({ x: spot.x + 1, y: spot.y }, options);
    await input.click(spot, options);
    await until(3, 'release');
    expect(presses().map(({ clicks }) => clicks)).toEqual([1, 1, 1]);
  });

  // Qt keeps to itself what ends where it began.
  test.runIf(file === 'input-gtk3.py')(
    'an element that is already under the pointer gets a motion before the click',
    async () => {
      await input.move(spot, { deadline: soon() });
      await app.command('focus entry');
      from = app.diary.length;
      await input.click(spot, { deadline: soon() });
      await until(1, 'release');
      const told = since().map((line) => Object.keys(line)[0]);
      expect(told.indexOf('motion')).toBeGreaterThanOrEqual(0);
      expect(told.indexOf('motion')).toBeLessThan(told.indexOf('press'));
    },
  );

  test('drags in steps', async () => {
    const to = { x: spot.x + 100, y: spot.y - 50 };
    await input.drag(spot, to, { deadline: soon() });
    await until(1, 'release');
    expect(presses()[0]).toMatchObject({ press: 1, at: [spot.x, spot.y] });
    expect(since().findLast((line) => 'release' in line)).toMatchObject({ release: 1, at: [to.x, to.y] });
    const motions = since().filter((line) => 'motion' in line);
    expect(motions.length).toBeGreaterThanOrEqual(5);
    expect(motions.at(-1)).toEqual({ motion: [to.x, to.y] });
  });

  test('turns the wheel both ways', async () => {
    await input.wheel(spot, { y: 3, x: -2 }, { deadline: soon() });
    await until(5, 'scroll');
    expect(since().flatMap((line) => ('scroll' in line ? [line.scroll] : []))).toEqual([
      ...['down', 'down', 'down', 'left', 'left'],
    ]);
  });
});

describe('what the mouse refuses', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['a point beside the screen', () => input.click({ x: 1280, y: 0 }, { deadline: soon() })],
    ['a point above it', () => input.move({ x: 0, y: -1 }, { deadline: soon() })],
    ['a drag that ends outside', () => input.drag({ x: 5, y: 5 }, { x: 5, y: 800 }, { deadline: soon() })],
    ['no number', () => input.move({ x: NaN, y: 0 }, { deadline: soon() })],
    ['no clicks', () => input.click({ x: 1, y: 1 }, { count: 0, deadline: soon() })],
    ['half a notch', () => input.wheel({ x: 1, y: 1 }, { y: 0.5 }, { deadline: soon() })],
    ['no steps', () => input.drag({ x: 5, y: 5 }, { x: 9, y: 9 }, { steps: 0, deadline: soon() })],
  ])('%s', async (_, act) => {
    const before = await input.pointer({ deadline: soon() });
    await expect(act()).rejects.toMatchObject({ code: 'bad_arguments', delivered: 'no' });
    expect(await input.pointer({ deadline: soon() })).toEqual(before);
  });
});
