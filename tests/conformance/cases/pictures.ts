import { expect } from 'vitest';
import type { Screenshot, CaptureArea } from '../../../src/drivers/contract/index.js';
import type { WindowNode } from '../../../src/tree/index.js';
import { codeOf, soon, until, windowTitled, type Case } from '../case.js';
import { BYSTANDER, MAIN } from '../scene.js';
import type { Stage } from '../stage.js';

const take = (stage: Stage, area?: CaptureArea): Promise<Screenshot> =>
  stage.driver.screenshot!(area, { deadline: soon() });

/** When two in a row are the same: apps fade things in, and show that they are not the active one. */
function still(stage: Stage, window: WindowNode): Promise<Screenshot> {
  let before: Screenshot | undefined;
  return until('a window that stands still', async () => {
    const now = await take(stage, { window: window.id });
    const same = before?.rgba.equals(now.rgba) === true;
    before = now;
    return same && now;
  });
}

function crop({ rgba, width }: Screenshot, left: number, top: number, wide: number, high: number): Buffer {
  const rows = Array.from({ length: high }, (_, row) => ((top + row) * width + left) * 4);
  return Buffer.concat(rows.map((from) => rgba.subarray(from, from + wide * 4)));
}

const moveTo = async (stage: Stage, window: WindowNode, x: number, y: number): Promise<void> => {
  await stage.driver.changeWindow!(window.id, { action: 'move', x, y }, { deadline: soon() });
};

export const PICTURES: Case[] = [
  {
    name: 'picture: the pixels of an area',
    async run(stage) {
      const picture = await take(stage, { x: 10, y: 20, width: 30, height: 40 });
      expect(picture).toMatchObject({ width: 30, height: 40, origin: { x: 10, y: 20 } });
      expect(picture.rgba.length).toBe(30 * 40 * 4);
      expect(picture.rgba[3]).toBe(255);
    },
  },
  {
    name: 'picture: of a window is its frame, of a part of it that crop',
    async run(stage) {
      const window = await windowTitled(stage, MAIN);
      const { x, y, width, height } = window.bounds!;
      const whole = await still(stage, window);
      expect(whole).toMatchObject({ width, height, origin: { x, y } });
      const part = { x: x + 20, y: y + 60, width: 50, height: 30 };
      // A caret may blink between the two.
      await until('a part that is the crop of the whole', async () => {
        const [all, some] = [await take(stage, { window: window.id }), await take(stage, { window: window.id, part })];
        expect(some).toMatchObject({ width: 50, height: 30, origin: { x: part.x, y: part.y } });
        return crop(all, 20, 60, 50, 30).equals(some.rgba);
      });
    },
  },
  {
    name: 'picture: what covers a window is not in it',
    disturbs: true,
    async run(stage) {
      const [main, other] = [await windowTitled(stage, MAIN), await windowTitled(stage, BYSTANDER)];
      const { x, y, width, height } = main.bounds!;
      const place = other.bounds!;
      await stage.driver.changeWindow!(other.id, { action: 'focus' }, { deadline: soon() });
      // Swing on a busy machine draws that its window is no longer active only after two equal pictures.
      const much = await until('the same picture of a window that hardly is covered, and much', async () => {
        await moveTo(stage, other, x + width - 20, y + height - 20);
        const hardly = await still(stage, main);
        await moveTo(stage, other, x + 30, y + 30);
        const picture = await still(stage, main);
        return picture.rgba.equals(hardly.rgba) && picture;
      });
      const seen = await take(stage, { x, y, width, height });
      expect(seen.rgba.equals(much.rgba)).toBe(false);
      await moveTo(stage, other, place.x, place.y);
    },
  },
  {
    name: 'picture: of a minimised window there is none',
    disturbs: true,
    async run(stage) {
      const { id } = await windowTitled(stage, MAIN);
      await stage.driver.changeWindow!(id, { action: 'minimize' }, { deadline: soon() });
      await until('it minimised', async () => (await windowTitled(stage, MAIN)).minimised);
      expect(await codeOf(take(stage, { window: id }))).toBe('not_ready');
    },
  },
  {
    name: 'picture: of what is not there there is none',
    async run(stage) {
      expect(await codeOf(take(stage, { monitor: 9 }))).toBe('bad_arguments');
      expect(await codeOf(take(stage, { x: 90_000, y: 0, width: 5, height: 5 }))).toBe('bad_arguments');
      expect(await codeOf(take(stage, { window: 'nowhere' }))).toBe('element_not_found');
      const over = stage.driver.screenshot!(undefined, { deadline: soon().atMost(0) });
      expect(await codeOf(over)).toBe('timeout');
    },
  },
];
