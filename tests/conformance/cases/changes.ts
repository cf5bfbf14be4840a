import { expect } from 'vitest';
import type { WindowAnswer, WindowChange } from '../../../src/drivers/contract/index.js';
import { codeOf, soon, until, windowTitled, type Case } from '../case.js';
import { BYSTANDER, MAIN } from '../scene.js';
import type { Stage } from '../stage.js';

async function change(stage: Stage, title: string, what: WindowChange): Promise<WindowAnswer> {
  const { id } = await windowTitled(stage, title);
  return stage.driver.changeWindow!(id, what, { deadline: soon() });
}

const titles = async (stage: Stage): Promise<string[]> =>
  (await stage.driver.windows({ deadline: soon() })).windows.map(({ title }) => title);

/** Another snapshot shows the same as the answer. */
async function agrees(stage: Stage, { window }: WindowAnswer): Promise<void> {
  const { windows } = await stage.driver.windows({ deadline: soon() });
  expect(windows.find(({ id }) => id === window!.id)).toMatchObject({
    bounds: window!.bounds,
    minimised: window!.minimised,
    maximised: window!.maximised,
  });
}

export const CHANGES: Case[] = [
  {
    name: 'window: moved and sized as the user sees it',
    disturbs: true,
    async run(stage) {
      const moved = await change(stage, MAIN, { action: 'move', x: 90, y: 70 });
      expect(moved.window!.bounds).toMatchObject({ x: 90, y: 70 });
      expect(moved.confirmedBy).toBeDefined();
      const sized = await change(stage, MAIN, { action: 'resize', width: 760, height: 780 });
      expect(sized.window!.bounds).toEqual({ x: 90, y: 70, width: 760, height: 780 });
      await agrees(stage, sized);
    },
  },
  {
    name: 'window: an impossible size is reported as the actual size',
    disturbs: true,
    async run(stage) {
      const answer = await change(stage, MAIN, { action: 'resize', width: 20, height: 20 });
      expect(answer.window!.bounds!.width).toBeGreaterThan(20);
      await agrees(stage, answer);
    },
  },
  {
    name: 'window: maximised, moved out of that, restored',
    disturbs: true,
    async run(stage) {
      const large = await change(stage, MAIN, { action: 'maximize' });
      expect(large.window).toMatchObject({ maximised: true });
      expect(large.window!.bounds!.width).toBeGreaterThan(1000);
      const moved = await change(stage, MAIN, { action: 'move', x: 30, y: 60 });
      expect(moved.window).toMatchObject({ maximised: false, bounds: { x: 30, y: 60 } });
      await change(stage, MAIN, { action: 'maximize' });
      const plain = await change(stage, MAIN, { action: 'restore' });
      expect(plain.window).toMatchObject({ maximised: false });
      await agrees(stage, plain);
    },
  },
  {
    name: 'window: minimised and back',
    disturbs: true,
    async run(stage) {
      const gone = await change(stage, MAIN, { action: 'minimize' });
      expect(gone.window).toMatchObject({ minimised: true, visible: false });
      const back = await change(stage, MAIN, { action: 'restore' });
      expect(back.window).toMatchObject({ minimised: false, visible: true });
    },
  },
  {
    name: 'window: to the front without the keys, to the back, and active',
    disturbs: true,
    async run(stage) {
      await change(stage, BYSTANDER, { action: 'front' });
      expect((await titles(stage))[0]).toBe(BYSTANDER);
      expect((await windowTitled(stage, MAIN)).active).toBe(true);
      await change(stage, BYSTANDER, { action: 'back' });
      expect((await titles(stage)).at(-1)).toBe(BYSTANDER);
      const active = await change(stage, BYSTANDER, { action: 'focus' });
      expect(active.window).toMatchObject({ active: true });
      expect((await windowTitled(stage, MAIN)).active).toBe(false);
      await change(stage, MAIN, { action: 'focus' });
    },
  },
  {
    name: 'window: closed, and then it is not there',
    disturbs: true,
    async run(stage) {
      const { id } = await windowTitled(stage, MAIN);
      expect(await change(stage, MAIN, { action: 'close' })).toMatchObject({
        confirmedBy: expect.any(String) as string,
      });
      expect(await titles(stage)).not.toContain(MAIN);
      const again = (): Promise<unknown> => stage.driver.changeWindow!(id, { action: 'close' }, { deadline: soon() });
      await until('the window to be unknown', async () =>
        ['element_not_found', 'process_gone'].includes(await codeOf(again())),
      );
    },
  },
  {
    name: 'clipboard: what was written is read, whatever letters',
    async run(stage) {
      const clipboard = stage.driver.clipboard!;
      const text = 'héllo 日本 😀 Ω€\nsecond line';
      await clipboard.write(text, { deadline: soon() });
      expect(await clipboard.read({ deadline: soon() })).toBe(text);
      expect(await clipboard.owner?.({ deadline: soon() })).toBeUndefined();
      await clipboard.write('', { deadline: soon() });
      expect(await clipboard.read({ deadline: soon() })).toBe('');
    },
  },
];
