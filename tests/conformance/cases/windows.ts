import { expect } from 'vitest';
import { soon, until, windowTitled, type Case } from '../case.js';
import { BYSTANDER, DIALOG, MAIN } from '../scene.js';

export const WINDOWS: Case[] = [
  {
    name: 'windows: every field that a user could check',
    async run(stage) {
      const main = await windowTitled(stage, MAIN);
      expect(main).toMatchObject({ title: MAIN, role: 'window', visible: true, minimised: false, maximised: false });
      expect(main.id).not.toBe('');
      expect(main.app).not.toBe('');
      expect(main.pid).toBeGreaterThan(0);
      expect(main.bounds!.width).toBeGreaterThan(100);
      expect(main.bounds!.height).toBeGreaterThan(100);
      expect(main.monitor).toBe(1);
    },
  },
  {
    name: 'windows: front to back, one of them active',
    async run(stage) {
      const windows = await until('the fixture active', async () => {
        const answer = await stage.driver.windows({ deadline: soon() });
        return answer.windows.find((window) => window.title === MAIN)?.active && answer.windows;
      });
      expect(windows.filter((window) => window.active)).toHaveLength(1);
      const titles = windows.map((window) => window.title);
      expect(titles.indexOf(MAIN)).toBeLessThan(titles.indexOf(BYSTANDER));
    },
  },
  {
    name: 'windows: two apps have two process ids, and ids stay',
    async run(stage) {
      const [main, bystander] = [await windowTitled(stage, MAIN), await windowTitled(stage, BYSTANDER)];
      expect(main.pid).not.toBe(bystander.pid);
      expect((await windowTitled(stage, MAIN)).id).toBe(main.id);
      expect(main.id).not.toBe(bystander.id);
    },
  },
  {
    name: 'windows: a dialog knows its window, and goes',
    disturbs: true,
    async run(stage) {
      const main = await windowTitled(stage, MAIN);
      await stage.command('open-dialog');
      const dialog = await windowTitled(stage, DIALOG);
      expect(dialog.role).toBe('dialog');
      expect(dialog.of).toBe(main.id);
      await stage.command('close-dialog');
      await until('the dialog gone', async () => {
        const { windows } = await stage.driver.windows({ deadline: soon() });
        return !windows.some((window) => window.title === DIALOG);
      });
    },
  },
  {
    name: 'windows: a new title is reported',
    disturbs: true,
    async run(stage) {
      const main = await windowTitled(stage, MAIN);
      await stage.command('title Another title');
      expect((await windowTitled(stage, 'Another title')).id).toBe(main.id);
    },
  },
];
