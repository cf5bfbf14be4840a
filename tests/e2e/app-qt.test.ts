import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Snapshot } from '../../src/tree/index.js';
import { AppRoom, checkClickPoints, tokensOf, type App } from './support/app-room.js';
import { elements, theOne } from './support/real-desktop.js';

let room: AppRoom;

beforeAll(async () => {
  room = await AppRoom.open();
});

afterAll(() => room.close());

describe('kcalc (Qt)', () => {
  let app: App;

  beforeAll(async () => {
    app = await room.start(/^KCalc$/, 'kcalc');
  });

  const KEYS = [
    ['%', '÷', '×', '−'],
    ['7', '8', '9', '+'],
    ['4', '5', '6'],
    ['1', '2', '3', '='],
    ['0', '.'],
    ['C'],
    ['AC'],
    ['('],
    [')'],
    ['+/−'],
  ];

  test('every key is named once, in reading order, where the user sees it', async () => {
    const snapshot = await app.snapshot();
    expect(elements(snapshot, 'button').map(({ name }) => name)).toEqual(KEYS.flat());
    for (const row of KEYS) {
      const boxes = row.map((name) => theOne(snapshot, 'button', name).bounds!);
      expect(new Set(boxes.map((box) => box.y)).size, String(row)).toBe(1);
      boxes.slice(1).forEach((box, i) => expect(box.x).toBeGreaterThanOrEqual(boxes[i]!.x + boxes[i]!.width));
    }
    const heights = ['9', '+', '='].map((name) => theOne(snapshot, 'button', name).bounds!.height);
    expect(heights[1]).toBeGreaterThan(heights[0]! * 2 - 1);
    expect(heights[2]).toBe(heights[1]);
    expect(theOne(snapshot, 'menubar').children.map(({ name }) => name)).toEqual(['File', 'Edit', 'Settings', 'Help']);
  });

  test('a snapshot costs under 400 tokens', async () => {
    const { text } = await room.real.call('ui_snapshot', { window: app.ref });
    expect(tokensOf(text)).toBeLessThan(400);
  });

  const shows = (number: string) => (snapshot: Snapshot) => elements(snapshot, undefined, number).length === 1;

  test('the display shows what was typed, and the result', async () => {
    await app.activate();
    await room.typeText('12.5*8');
    await room.keys('Return');
    await app.until('the result', shows('100'));
    await room.keys('Escape');
    await app.until('0 in the display', (snapshot) => elements(snapshot, 'group', '0').length === 1);
  });

  test('a click in the middle of a key presses that key', async () => {
    for (const name of ['7', '0', '9', '+', '5', '×', '(', '4', '−', '1', ')', '=']) {
      await room.click(await app.the('button', name));
    }
    await app.until('709 + 5 × 3', shows('724'));
    await room.click(await app.the('button', 'AC'));
    await app.until('0 in the display', (snapshot) => elements(snapshot, 'group', '0').length === 1);
  });

  test('lists the items of an open menu once, with their positions', async () => {
    await room.click(await app.the('menuitem', 'Settings'));
    const isOpen = (snapshot: Snapshot) =>
      elements(snapshot, undefined, 'Science Mode').length > 0 && snapshot.roots.length === 2;
    const open = await app.until('the menu', isOpen);
    const modes = elements(open, undefined, /^(Simple|Science|Statistic|Numeral System) Mode$/);
    expect(modes.map(({ name }) => name)).toEqual([
      'Simple Mode',
      'Science Mode',
      'Statistic Mode',
      'Numeral System Mode',
    ]);
    // Qt exposes a check mark, but not which unchecked items could have one.
    expect(modes.filter(({ states }) => states.checked).map(({ name }) => name)).toEqual(['Simple Mode']);
    const { checked, wrong } = await checkClickPoints(app, ({ name }) => / Mode$/.test(name ?? ''));
    expect(wrong).toEqual([]);
    expect(checked).toBe(4);
    await room.keys('Escape');
    await app.until('no menu', (snapshot) => elements(snapshot, undefined, 'Science Mode').length === 0);
  });

  test('every click point is in its control', async () => {
    const { checked, wrong } = await checkClickPoints(app);
    expect(wrong).toEqual([]);
    expect(checked).toBe(26);
  });
});

describe('featherpad (Qt)', () => {
  const NOTES = 'first line\nhéllo 日本 😀\nlast | line\n';
  let app: App;
  let path: string;

  beforeAll(async () => {
    path = await room.file('notes.txt', NOTES);
    app = await room.start(/notes\.txt$/, 'featherpad', '--standalone', path);
  });

  test('the text of the file, in the field that has the keys', async () => {
    await app.activate();
    const snapshot = await app.until('the text', (next) => elements(next, 'textbox')[0]?.value === NOTES);
    const [area] = elements(snapshot, 'textbox');
    expect(area).toMatchObject({ states: { focused: true, editable: true, multiline: true }, children: [] });
    const focused = await room.real.call('ui_describe', { target: 'focused' });
    expect(focused.json).toMatchObject({ element: { ref: area!.ref, role: 'textbox' } });
    const read = await room.real.call('ui_read', { target: area!.ref });
    expect(read.json).toMatchObject({ kind: 'text', text: await readFile(path, 'utf8'), total: [...NOTES].length });
    const part = await room.real.call('ui_read', { target: area!.ref, range: 'characters 17-21' });
    expect(part.json).toMatchObject({ text: '日本 😀', start: 17, end: 21 });
  });

  test('typed text is read as it stands in the app', async () => {
    await room.keys('ctrl+Home');
    await room.typeText('typed ');
    await app.until('what was typed', (snapshot) => elements(snapshot, 'textbox')[0]?.value === `typed ${NOTES}`);
    await app.until('Save and Undo usable', (snapshot) =>
      ['Save', 'Undo'].every((name) => theOne(snapshot, 'button', name).states.enabled),
    );
  });

  test('menus, tool bar and the tab', async () => {
    const snapshot = await app.snapshot();
    expect(theOne(snapshot, 'menubar').children.map(({ name }) => name)).toEqual([
      'File',
      'Edit',
      'Options',
      'Search',
      'Help',
    ]);
    const tools = elements(theOne(snapshot, 'toolbar'), 'button').map(({ name }) => name);
    expect(tools).toEqual(expect.arrayContaining(['New', 'Open', 'Save', 'Undo', 'Redo', 'Reload', 'Find']));
    expect(theOne(snapshot, 'button', 'Redo').states.enabled).toBe(false);
    const tab = theOne(snapshot, 'tab');
    expect(tab.name).toMatch(/notes\.txt$/);
    expect(tab.states).toMatchObject({ selected: true });
    expect(tab.states.focused).toBeUndefined();
    expect(theOne(snapshot, 'tablist').name).toBeUndefined();
  });

  test('icons without words are named by their tool tips', async () => {
    const snapshot = await app.snapshot();
    const names = ['Next', 'Previous'].map((name) => theOne(snapshot, 'button', name).name);
    expect(names).toEqual(['Next', 'Previous']);
    expect(elements(snapshot, 'checkbox').map(({ name }) => name)).toEqual([
      'Match Case',
      'Whole Word',
      'Regular Expression',
    ]);
    expect(theOne(snapshot, 'button', 'Calculate number of words')).toBeDefined();
    expect(theOne(snapshot, 'textbox', 'Search...')).toMatchObject({ nameFrom: 'placeholder' });
  });

  test('lists the items of an open menu once, with their positions', async () => {
    await room.keys('alt+f');
    const isOpen = (snapshot: Snapshot) =>
      elements(snapshot, 'menuitem', 'Save As').length > 0 && snapshot.roots.length === 2;
    const open = await app.until('the menu', isOpen);
    const names = elements(theOne(open, 'menu'), 'menuitem').map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['New', 'Open', 'Save', 'Save As', 'Print', 'Close', 'Quit']));
    expect(theOne(open, 'menuitem', 'Detach Tab').states.enabled).toBe(false);
    const { checked, wrong } = await checkClickPoints(app, ({ role }) => role === 'menuitem');
    expect(wrong).toEqual([]);
    expect(checked).toBe(names.length + 5);
    await room.keys('Escape');
    await app.until('no menu', (snapshot) => elements(snapshot, 'menuitem', 'Save As').length === 0);
  });

  test('a click in the middle toggles the box', async () => {
    await room.click(await app.the('checkbox', 'Whole Word'));
    const after = await app.until('the tick', (snapshot) => theOne(snapshot, 'checkbox', 'Whole Word').states.checked);
    expect(theOne(after, 'checkbox', 'Match Case').states.checked).toBe(false);
  });

  test('every click point is in its control', async () => {
    const { checked, wrong } = await checkClickPoints(app);
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThanOrEqual(26);
  });
});
