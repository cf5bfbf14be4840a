import { expect } from 'vitest';
import { Deadline } from '../../../src/shared/index.js';
import { codeOf, readWindow, shown, soon, until, windowTitled, type Case } from '../case.js';
import { BYSTANDER, MAIN } from '../scene.js';

/** A hung app is reported within 2 s. One second more for a busy machine; the caller's own deadline is much later. */
const HUNG_MS = 3_000;

export const FAILURES: Case[] = [
  {
    name: 'hung: a stopped app is reported as app_hung within two seconds',
    disturbs: true,
    async run(stage) {
      const main = await windowTitled(stage, MAIN);
      await stage.hang();
      const read = stage.driver.read({ window: main.id }, { deadline: Deadline.in(60_000) });
      expect(await codeOf(Deadline.in(HUNG_MS).race(read, 'The read'))).toBe('app_hung');
    },
  },
  {
    name: 'hung: the others answer meanwhile, the list of windows too',
    disturbs: true,
    async run(stage) {
      const main = await windowTitled(stage, MAIN);
      await stage.hang();
      const stuck = codeOf(stage.driver.read({ window: main.id }, { deadline: soon() }));
      const { windows } = await stage.driver.windows({ deadline: soon() });
      expect(windows.map((window) => window.title)).toEqual(expect.arrayContaining([MAIN, BYSTANDER]));
      await readWindow(stage, BYSTANDER);
      expect(await stuck).toBe('app_hung');
    },
  },
  {
    name: 'hung: read again after it goes on',
    disturbs: true,
    async run(stage) {
      const main = await windowTitled(stage, MAIN);
      await stage.hang();
      expect(await codeOf(stage.driver.read({ window: main.id }, { deadline: soon() }))).toBe('app_hung');
      await stage.resume();
      await shown(stage, 'button', 'Save');
    },
  },
  {
    name: 'dead: a window whose app was killed is process_gone',
    disturbs: true,
    async run(stage) {
      const main = await windowTitled(stage, MAIN);
      const save = await shown(stage, 'button', 'Save');
      await stage.kill();
      await until('process_gone', async () => {
        const code = await codeOf(stage.driver.read({ window: main.id }, { deadline: soon() }));
        return code === 'process_gone';
      });
      expect(await codeOf(stage.driver.read({ element: save.id }, { deadline: soon() }))).toBe('process_gone');
      expect((await stage.driver.windows({ deadline: soon() })).windows.map((w) => w.title)).toContain(BYSTANDER);
    },
  },
  {
    name: 'dead: an app that dies during reads never breaks the driver',
    disturbs: true,
    async run(stage) {
      const main = await windowTitled(stage, MAIN);
      const reads = Array.from({ length: 8 }, () =>
        codeOf(stage.driver.read({ window: main.id }, { deadline: soon(), full: true })),
      );
      await stage.kill();
      // A window may be gone a moment before its process is.
      const truths = ['no error', 'process_gone', 'element_not_found'];
      for (const code of await Promise.all(reads)) expect(truths).toContain(code);
      await readWindow(stage, BYSTANDER);
    },
  },
  {
    name: 'stale: an element that was removed is stale_ref',
    disturbs: true,
    async run(stage) {
      await stage.command('add-child Extra');
      const extra = await shown(stage, 'button', 'Extra');
      await stage.command('remove-child Extra');
      await until('stale_ref', async () => {
        return (await codeOf(stage.driver.read({ element: extra.id }, { deadline: soon() }))) === 'stale_ref';
      });
      if (stage.driver.text) {
        expect(await codeOf(stage.driver.text(extra.id, { start: 0, end: 9 }, { deadline: soon() }))).toBe('stale_ref');
      }
    },
  },
  {
    name: 'bad input: a window that never was, an id that is nothing',
    async run(stage) {
      const { driver } = stage;
      expect(await codeOf(driver.read({ window: 'no such window' }, { deadline: soon() }))).toBe('element_not_found');
      expect(['stale_ref', 'element_not_found']).toContain(
        await codeOf(driver.read({ element: 'no such element' }, { deadline: soon() })),
      );
    },
  },
  {
    name: 'deadlines: over before it began, and cancelled',
    async run(stage) {
      const main = await windowTitled(stage, MAIN);
      const read = (deadline: Deadline) => codeOf(stage.driver.read({ window: main.id }, { deadline }));
      expect(await read(Deadline.in(0))).toBe('timeout');
      expect(await read(Deadline.in(5_000, AbortSignal.abort()))).toBe('cancelled');
    },
  },
];
