import { expect } from 'vitest';
import { DesktopError } from '../../../src/shared/index.js';
import type { Node } from '../../../src/tree/index.js';
import { everyNode, readWindow, shown, soon, until, windowTitled, type Case } from '../case.js';
import { CANARY, CONTROLS, MAIN, NASTY } from '../scene.js';
import type { Stage } from '../stage.js';

/** Toolkits lay out a megabyte of text for seconds, and answer nothing meanwhile. */
const LAYOUT_MS = 60_000;

async function rootUnlessBusy(stage: Stage): Promise<Node | undefined> {
  try {
    return (await readWindow(stage)).root;
  } catch (error) {
    if (error instanceof DesktopError && error.code === 'app_hung') return undefined;
    throw error;
  }
}

export const UNTRUSTED: Case[] = [
  {
    name: 'secret: a password never leaves the driver',
    safety: true,
    async run(stage) {
      const field = CONTROLS.find((control) => control.name === 'Password')!;
      const { driver } = stage;
      const main = await windowTitled(stage, MAIN);
      const node = await shown(stage, field.role, 'Password');
      expect(node).not.toHaveProperty('value');
      const options = { deadline: soon(), full: true, detail: true };
      const said: unknown[] = [
        await driver.windows({ deadline: soon() }),
        await driver.read({ window: main.id }, options),
        await driver.read({ element: node.id }, options),
      ];
      const refused = (error: Error) => [error.message, JSON.stringify(error)];
      said.push(await driver.text?.(node.id, { start: 0, end: 100 }, { deadline: soon() }).catch(refused));
      said.push(await driver.range?.(node.id, { rows: [1, 9] }, { deadline: soon() }).catch(refused));
      expect(JSON.stringify(said)).not.toContain(CANARY);
      // Its length would reveal something, too.
      expect(JSON.stringify(said)).not.toMatch(new RegExp(`[•●*]{${CANARY.length}}`));
    },
  },
  {
    name: 'secret: not in events either',
    safety: true,
    disturbs: true,
    async run(stage) {
      const end = new AbortController();
      const heard: unknown[] = [];
      const listening = (async () => {
        for await (const event of stage.driver.events({ signal: end.signal })) heard.push(event);
      })();
      await stage.command('focus Password');
      await stage.command(`set-text Password "${CANARY}-2"`);
      await until(
        'a text event',
        async () => heard.length > 0 || stage.command(`set-text Password "${CANARY}-3"`).then(() => false),
      );
      end.abort();
      await listening;
      expect(JSON.stringify(heard)).not.toContain(CANARY);
    },
  },
  ...Object.entries(NASTY).map(([kind, { raw, must, never }]): Case => ({
    name: `text: ${kind} in a label arrives cleaned and bounded`,
    disturbs: true,
    async run(stage) {
      await stage.command(`set-label ${JSON.stringify(raw)}`);
      const label = await until(
        'the label',
        async () => {
          const root = await rootUnlessBusy(stage);
          return root && [...everyNode(root)].find((node) => node.name !== undefined && must.test(node.name));
        },
        LAYOUT_MS,
      );
      expect(label.name).not.toMatch(never);
      if (raw.length < 200 && kind !== 'instruction') expect(label.cleaned).toBeGreaterThan(0);
    },
  })),
  {
    name: 'text: a window title arrives cleaned',
    disturbs: true,
    async run(stage) {
      await stage.command(`title ${JSON.stringify(NASTY.bidi.raw)}`);
      const window = await windowTitled(stage, 'invoicefdp.exe');
      const { root } = await stage.driver.read({ window: window.id }, { deadline: soon() });
      expect(root.name).toBe('invoicefdp.exe');
    },
  },
];
