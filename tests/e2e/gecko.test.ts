import { afterAll, beforeAll, expect, test } from 'vitest';
import { PageServer } from './support/page-server.js';
import { elements, openRealDesktop, snapshotUntil, theOne, type RealDesktop } from './support/real-desktop.js';
import { until } from './support/seat-room.js';

let real: RealDesktop;
let page: PageServer;

const ALL = { maxTokens: 20_000 };

beforeAll(async () => {
  [real, page] = await Promise.all([
    openRealDesktop({ width: 1280, height: 1000 }),
    PageServer.start('gecko-page.html'),
  ]);
  await real.seat.launch('firefox-esr', [page.url]);
  await snapshotUntil(real, 'the page', (snapshot) => elements(snapshot, 'paragraph').some(isEnd));
});
afterAll(async () => {
  await real?.stop();
  await page?.stop();
});

const isEnd = ({ value }: { value?: unknown }): boolean => value === 'End of the page';
const text = async (tool: string, args: Record<string, unknown>): Promise<string> => (await real.call(tool, args)).text;
const diary = (entry: string): Promise<unknown> =>
  until(`the page to note ${entry}`, async () => (await page.run<string[]>('diary')).includes(entry) || undefined);

test('every text that the page shows is in the snapshot', async () => {
  const shown = await page.run<string[]>('shownTexts()');
  expect(shown).toContain('Words of the frame');
  expect(shown).not.toContain('Folded words');
  const snapshot = await text('ui_snapshot', ALL);
  for (const words of shown) expect(snapshot).toContain(words);
});

test('nothing that the page hides is in the snapshot', async () => {
  const snapshot = await text('ui_snapshot', ALL);
  for (const words of ['Hidden words', 'Folded', 'Panel two', 'gecko-canary', 'Name 20'])
    expect(snapshot).not.toContain(words);
  expect(snapshot.match(/"Restore Down"|"Maximize"/g)).toHaveLength(1);
});

test.each(['In a flat box', 'Not ignored', 'Without a box', 'Visible in hidden'])(
  'the button %s is shown although a box around it says that it is not',
  async (name) => {
    expect(theOne(await real.snapshot(ALL), 'button', name).bounds).toBeDefined();
  },
);

test('fields have one name each, and a date has its parts', async () => {
  const snapshot = await real.snapshot(ALL);
  expect(theOne(snapshot, 'textbox', 'Birthday').value).toBe('02/03/2020');
  expect(theOne(snapshot, 'spinbutton', 'Month').states.readonly).toBeUndefined();
  expect(theOne(snapshot, 'spinbutton', 'Age').value).toBe(36);
  expect(theOne(snapshot, 'combobox', 'Country').value).toBe('United Kingdom');
  expect(theOne(snapshot, 'textbox', 'Shadow field')).toBeDefined();
  expect(theOne(snapshot, 'passwordbox', 'Password').states).toMatchObject({ secret: true, filled: true });
  expect(elements(snapshot, 'label', 'Private')).toEqual([]);
});

test('a table has its rows, columns and the controls in its cells', async () => {
  const { table, ref } = theOne(await real.snapshot(ALL), 'table');
  expect(table).toMatchObject({ rows: 300, columns: 5, headers: ['Id', 'Name', 'Done', 'Amount', 'Action'] });
  const rows = await text('ui_read', { target: ref, range: '200-201' });
  expect(rows).toMatch(
    /\| 1200 \| Name 200 \| e\d+ checkbox "Done" \| e\d+ textbox "Amount": "400" \| e\d+ button "Edit"/,
  );
  expect(rows).toContain('rows 200-201 of 300');
});

test.each([
  ['ui_click', { target: 'button:"an inline button"' }, 'click inline'],
  ['ui_click', { target: 'button:"Shadow button"' }, 'shadow'],
  ['ui_click', { target: 'button:"Inner button"' }, 'inner'],
  ['ui_click', { target: 'checkbox:"I accept"' }, 'terms true'],
  ['ui_click', { target: 'radio:Business' }, 'business on'],
  ['ui_click', { target: 'tab:Second', verify: { exists: 'text="Panel two text"' } }, 'click tab2'],
  ['ui_set_value', { target: 'combobox:Country', value: 'Japan' }, 'land Japan'],
  ['ui_set_value', { target: 'slider:Volume', value: 7 }, 'vol 7'],
  ['ui_click', { target: 'row:"1150" >> button:Edit' }, 'click edit150'],
  ['ui_click', { target: 'row:"1250" >> checkbox:Done' }, 'done250 true'],
])('%s %j has its effect in the page', async (tool, args, entry) => {
  expect(await text(tool, args)).toMatch(/^ok/);
  await diary(entry);
});

test.each([
  ['textbox:"Full name"', 'Grace Höpper', 'who.value', 'Grace Höpper'],
  ['spinbutton:Age', 41, 'age.value', '41'],
  ['row:"1150" >> textbox:Amount', '77', 'amount150.value', '77'],
])('set_value writes into %s', async (target, value, code, held) => {
  expect(await text('ui_set_value', { target, value })).toMatch(/^ok/);
  expect(await page.run(code)).toBe(held);
});
