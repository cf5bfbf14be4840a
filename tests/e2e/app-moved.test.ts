import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contains, type Box, type Element } from '../../src/tree/index.js';
import { AppRoom, checkClickPoints, type App } from './support/app-room.js';
import { everyElement, soon } from './support/real-desktop.js';
import { until } from './support/seat-room.js';

const MONITOR = { width: 1024, height: 768 };

let room: AppRoom;

beforeAll(async () => {
  room = await AppRoom.open({ size: MONITOR, monitors: 2 });
});

afterAll(() => room.close());

async function windowOf(app: App) {
  const { windows } = await room.real.desktop.listWindows(soon());
  return windows.find(({ ref }) => ref === app.ref)!;
}

/** Once a move has come to rest: the window manager's word, and the app's. */
async function settled(app: App, where: (box: Box) => boolean): Promise<Map<string, Box>> {
  return until('the window and its elements at the new place', async () => {
    const { bounds } = await windowOf(app);
    if (!where(bounds!)) return undefined;
    const placed = [...everyElement((await app.snapshot()).roots[0]!)].filter(
      (one) => one.bounds && one.ref !== app.ref,
    );
    const inside = placed.every((one) => contains(bounds!, one.bounds!));
    return inside ? new Map(placed.map((one) => [keyOf(one), one.bounds!])) : undefined;
  });
}

const keyOf = ({ id, role }: Element): string => `${role} ${id}`;

const APPS = [
  { toolkit: 'GTK 4', title: /^Calculator$/, command: 'gnome-calculator' },
  { toolkit: 'GTK 3', title: /Mousepad$/, command: 'mousepad' },
  { toolkit: 'Qt', title: /^KCalc$/, command: 'kcalc' },
];

describe.each(APPS)('a window of $toolkit', ({ title, command }) => {
  let app: App;

  beforeAll(async () => {
    app = await room.start(title, command);
  });

  test('moved: everything in it moves along', async () => {
    await app.move(40, 60);
    const before = await settled(app, ({ x, y }) => x < 60 && y < 80);
    const from = (await windowOf(app)).bounds!;
    await app.move(340, 160);
    const after = await settled(app, ({ x }) => x > from.x + 250);
    const to = (await windowOf(app)).bounds!;
    const shift = { x: to.x - from.x, y: to.y - from.y };
    expect(Math.abs(shift.x - 300)).toBeLessThanOrEqual(2);
    expect([...after.keys()]).toEqual([...before.keys()]);
    for (const [key, box] of before) {
      expect(after.get(key), key).toEqual({ ...box, x: box.x + shift.x, y: box.y + shift.y });
    }
    expect((await windowOf(app)).monitor).toBe(1);
  });

  test('resized: bounds follow, and lie inside', async () => {
    const { bounds } = await windowOf(app);
    await app.resize({ width: bounds!.width + 120, height: bounds!.height + 90 });
    await settled(app, (box) => box.width >= bounds!.width + 100 && box.height >= bounds!.height + 70);
    const { wrong } = await checkClickPoints(app);
    expect(wrong).toEqual([]);
  });

  test('on the second monitor: its number, and click points that hit', async () => {
    await app.move(MONITOR.width + 100, 80);
    await settled(app, ({ x }) => x >= MONITOR.width);
    const window = await windowOf(app);
    expect(window.monitor).toBe(2);
    const { text } = await room.real.call('ui_list_windows');
    expect(text).toContain(`${window.bounds!.x},${window.bounds!.y} (monitor 2)`);
    const { checked, wrong } = await checkClickPoints(app);
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThanOrEqual(7);
  });
});
