import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { PatternAct } from '../../src/drivers/contract/index.js';
import type { Role, WindowNode } from '../../src/tree/index.js';
import { codeOf } from '../conformance/case.js';
import { FixtureApp, type DiaryLine } from '../conformance/fixture-app.js';
import { ActRoom, by, has, number, text } from './support/act-room.js';
import { PageServer } from './support/page-server.js';
import { until } from './support/seat-room.js';

let room: ActRoom;
let page: PageServer;
let window: WindowNode;
/** Has the keys all the time. */
let bystander: FixtureApp;
let from = 0;

beforeAll(async () => {
  [room, page] = await Promise.all([ActRoom.open(), PageServer.start('act-page.html')]);
  await room.seat.launch('chromium', [page.url]);
  window = await room.window(({ title, active }) => /^Acted on/.test(title) && active);
  await room.find(window, 'button', 'Save');
  bystander = await FixtureApp.start('gtk3.py', room.seat.env, ['--bystander']);
  await room.window(({ pid, active }) => pid === bystander.pid && active);
});
afterAll(async () => {
  await bystander?.end();
  await room?.close();
  await page?.stop();
});
afterEach(async () => {
  from = (await diary()).length;
});

const diary = (): Promise<DiaryLine[]> => page.run<DiaryLine[]>('window.diary');
const NONE = 'pattern_unsupported';
type Outcome = DiaryLine | typeof NONE | 'not_ready' | 'nothing';
const TOGGLES: Role[] = ['togglebutton', 'switch', 'checkbox'];
const OPTIONS: Role[] = ['option', 'menuitem', 'listitem'];

/** In this order: each stands on what those before it did. */
const ROWS: [Role | Role[], string, PatternAct, Outcome][] = [
  ['button', 'Save', by('invoke'), { clicked: 'Save' }],
  ['button', 'Delete', by('invoke'), 'not_ready'],
  [TOGGLES, 'Bold', by('toggle'), { toggled: 'Bold', on: true }],
  [TOGGLES, 'Power', by('toggle'), { toggled: 'Power', on: true }],
  ['link', 'Help page', by('invoke'), { clicked: 'Help page' }],
  [['text', 'label'], 'Plain words', by('invoke'), NONE],
  ['checkbox', 'Wrap', by('toggle'), { toggled: 'Wrap', on: true }],
  ['checkbox', 'Wrap', by('toggle'), { toggled: 'Wrap', on: false }],
  ['checkbox', 'Locked', by('toggle'), 'not_ready'],
  ['radio', 'Right', by('select'), { toggled: 'Right', on: true }],
  ['radio', 'Right', by('select'), 'nothing'],
  // Selecting what is selected would empty the list.
  [OPTIONS, 'Blue', by('select'), { selected: 'Blue' }],
  [OPTIONS, 'Blue', by('select'), 'nothing'],
  [OPTIONS, 'Blue', by('invoke'), 'nothing'],
  ['combobox', 'Colour', text('Green'), { selected: 'Green' }],
  ['combobox', 'Colour', text('Mauve'), NONE],
  [OPTIONS, 'Pear', by('select'), { selected: 'Pear' }],
  [OPTIONS, 'Pear', by('select'), 'nothing'],
  ['tab', 'Details', by('select'), { selected: 'Details' }],
  ['tab', 'Details', by('select'), 'nothing'],
  ['tab', 'General', by('invoke'), { selected: 'General' }],
  [['togglebutton', 'button'], 'More', by('expand'), { expanded: 'More', on: true }],
  [['togglebutton', 'button'], 'More', by('expand'), 'nothing'],
  [['togglebutton', 'button'], 'More', by('collapse'), { expanded: 'More', on: false }],
  ['treeitem', 'Fruit', by('expand'), { expanded: 'Fruit', on: true }],
  ['treeitem', 'Fruit', by('collapse'), { expanded: 'Fruit', on: false }],
  ['menuitem', 'New', by('invoke'), { clicked: 'New' }],
  ['menuitemcheckbox', 'Grid', by('toggle'), { toggled: 'Grid', on: true }],
  ['spinbutton', 'Age', number(40), { value: 'Age', is: 40 }],
  ['spinbutton', 'Age', by('increment'), { value: 'Age', is: 45 }],
  ['slider', 'Volume', number(60), { value: 'Volume', is: 60 }],
  ['slider', 'Volume', by('decrement'), { value: 'Volume', is: 59 }],
  // The browser offers no way to write into a field: keys do it.
  ['textbox', 'Name', text('x'), NONE],
  ['textbox', 'Name', by('invoke'), NONE],
  ['textbox', 'Fixed', text('x'), 'not_ready'],
];

test.each(ROWS.map((row): [string, ...typeof row] => [`${row[2].kind} ${row[1]} → ${JSON.stringify(row[3])}`, ...row]))(
  '%s',
  async (_, role, name, act, outcome) => {
    const node = await room.find(window, role, name);
    const before = await room.attention();
    if (outcome === NONE || outcome === 'not_ready') expect(await codeOf(room.act(node, act))).toBe(outcome);
    else if (outcome === 'nothing') expect((await room.act(node, act)).by).toMatch(/^nothing/);
    else {
      await room.act(node, act);
      await until(JSON.stringify(outcome), async () => (await diary()).slice(from).some((line) => has(line, outcome)));
    }
    // With two radio buttons, the change of the other one is reported, too.
    const lines = (await diary()).slice(from).filter((line) => !('scrolled' in line || line.toggled === 'Left'));
    expect(lines).toHaveLength(typeof outcome === 'string' ? 0 : 1);
    expect(await room.attention()).toBe(before);
  },
);

test('an option that cannot be chosen is not_ready, and not gone', async () => {
  await page.run("document.querySelector('option').disabled = true");
  const colour = await room.find(window, 'combobox', 'Colour');
  await until('it to be reported', async () => (await codeOf(room.act(colour, text('Red')))) === 'not_ready');
  await page.run("document.querySelector('option').disabled = false");
});

test('a field gets the focus without its window becoming active', async () => {
  await room.act(await room.find(window, 'textbox', 'Name'), by('focus'));
  await until('the focus', () => page.run<boolean>("document.activeElement.id === 'name'"));
});

test('what is far down is scrolled into view', async () => {
  await room.act(await room.find(window, 'button', 'Far 40'), by('scrollIntoView'));
  await until('it to be seen', () =>
    page.run<boolean>('document.getElementById("far").getBoundingClientRect().top < innerHeight'),
  );
});

test('a context menu opens, says what it takes, and goes', async () => {
  const { by: word } = await room.act(await room.find(window, 'button', 'Save'), by('contextMenu'));
  expect(word).toMatch(/takes pointer and keyboard/);
  await room.window(({ role, pid }) => role === 'popup' && pid === window.pid);
  await room.keys('Escape');
  await until('it to go', async () => !(await room.windows()).some(({ role }) => role === 'popup'));
});
