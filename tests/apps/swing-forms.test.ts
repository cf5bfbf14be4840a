import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../conformance/case.js';
import type { DiaryLine, FixtureApp } from '../conformance/fixture-app.js';
import { openRealDesktop, type RealDesktop } from '../e2e/support/real-desktop.js';
import { compileJava, type JavaFixture } from './support/java.js';

// What a Swing app wrote down about itself after each act of a caller.
let fixture: JavaFixture;
let real: RealDesktop;
let app: FixtureApp;

beforeAll(async () => {
  fixture = await compileJava('SwingForms');
  real = await openRealDesktop();
  app = await fixture.start(real.seat.env);
  await real.call('ui_wait', { until: 'tree:Books', timeoutMs: 30_000 });
});
afterAll(async () => {
  await app?.end();
  await real?.stop();
  await fixture?.remove();
});

/** Calls a tool, and waits until the app has written this down. */
async function does(tool: string, args: Record<string, unknown>, wrote: DiaryLine): Promise<string> {
  const from = app.diary.length;
  const { text } = await real.call(tool, args);
  await until(
    `${JSON.stringify(wrote)} in the diary`,
    () =>
      Promise.resolve(
        app.diary.slice(from).some((line) => Object.entries(wrote).every(([key, value]) => line[key] === value)),
      ),
    20_000,
  );
  return text;
}

const read = async (args: Record<string, unknown> = {}): Promise<string> => (await real.call('ui_snapshot', args)).text;

describe('reading', () => {
  test('names combo boxes by their labels, and spinners of words have no number', async () => {
    const text = await read();
    expect(text).toMatch(/combobox e\d+ "Size": "Small"|e\d+ combobox "Size": "Small"/);
    expect(text).toMatch(/spinbutton "Day": "Monday"/);
    expect(text).toMatch(/spinbutton "Count": 5 \(0 to 50\)/);
    expect(text).not.toContain('readonly');
  });

  test('shows tree items with their level, and the headers of the table', async () => {
    const text = await read();
    expect(text).toMatch(/treeitem e\d+ "Poems" collapsed|e\d+ treeitem "Poems" collapsed/);
    expect(text).toContain('Task | Owner | Done');
  });

  test('refs of tree items are the same in the next snapshot', async () => {
    const refs = async (): Promise<string[]> =>
      [...(await read()).matchAll(/(e\d+) (?:treeitem )?"(?:Library|Poems|Plays)"/g)].map(([, ref]) => ref!);
    const before = await refs();
    expect(before).toHaveLength(3);
    expect(await refs()).toEqual(before);
  });
});

describe('acts', () => {
  test.each([
    ['ui_set_value', { target: 'combobox:Size', value: 'Large' }, { size: 'Large' }],
    ['ui_set_value', { target: 'slider:Zoom', value: 120 }, { zoom: '120' }],
    ['ui_act', { target: 'spinbutton:Day', action: 'increment' }, { day: 'Tuesday' }],
    ['ui_act', { target: 'spinbutton:Count', action: 'increment' }, { count: '10' }],
    ['ui_click', { target: 'tab:Help' }, { tab: 'Help' }],
    ['ui_act', { target: 'tab:Form', action: 'select' }, { tab: 'Form' }],
    ['ui_act', { target: 'table:Tasks >> row:"Task 4"', action: 'select' }, { row: 'Task 4' }],
    ['ui_click', { target: 'table:Tasks >> cell:"Task 6"' }, { row: 'Task 6' }],
  ] as [string, Record<string, unknown>, DiaryLine][])(
    '%s %o is written down by the app',
    async (tool, args, wrote) => {
      await does(tool, args, wrote);
    },
  );

  test('writes into a field', async () => {
    await real.call('ui_set_value', { target: 'textbox:Title', value: 'Plan' });
    await does('ui_key', { target: 'textbox:Title', keys: 'Enter' }, { title: 'Plan' });
  });

  test('opens a menu and chooses in it', async () => {
    await real.call('ui_click', { target: 'menuitem:File' });
    await does('ui_click', { target: 'menuitem:Open' }, { chosen: 'Open' });
  });
});
