import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Element, Snapshot } from '../../src/tree/index.js';
import { checkClickPoints, tokensOf, AppRoom, type App } from './support/app-room.js';
import { elements, everyElement, theOne } from './support/real-desktop.js';

let room: AppRoom;

beforeAll(async () => {
  room = await AppRoom.open();
});

afterAll(() => room.close());

describe('gnome-calculator (GTK 4)', () => {
  let app: App;

  beforeAll(async () => {
    app = await room.start(/^Calculator$/, 'gnome-calculator');
  });

  const KEYS = [
    ['Clear Display', '(', ')', 'mod', 'π'],
    ['7', '8', '9', '÷', '√'],
    ['4', '5', '6', '×', 'x2'],
    ['1', '2', '3', '−', '='],
    ['0', '.', '%', '+'],
  ];

  test('every key is named once, in reading order, where the user sees it', async () => {
    const snapshot = await app.snapshot();
    const buttons = elements(snapshot, 'button');
    const names = buttons.map((button) => button.name);
    expect(names.slice(-24)).toEqual(KEYS.flat());
    expect(names.slice(0, 3)).toEqual(['Undo', 'Basic', 'Primary menu']);
    expect(new Set(names).size).toBe(names.length);
    for (const row of KEYS) {
      const boxes = row.map((name) => theOne(snapshot, 'button', name).bounds!);
      expect(new Set(boxes.map((box) => box.y)).size).toBe(1);
      boxes.slice(1).forEach((box, i) => expect(box.x).toBeGreaterThanOrEqual(boxes[i]!.x + boxes[i]!.width));
    }
    const columns = KEYS.map(([first]) => theOne(snapshot, 'button', first).bounds!);
    columns.slice(1).forEach((box, i) => expect(box.y).toBeGreaterThanOrEqual(columns[i]!.y + columns[i]!.height));
    const equals = theOne(snapshot, 'button', '=').bounds!;
    expect(equals.height).toBeGreaterThan(columns[0]!.height * 2 - 1);
  });

  test('the snapshot costs under 400 tokens and has each key once', async () => {
    const { text } = await room.real.call('ui_snapshot', { window: app.ref });
    expect(tokensOf(text)).toBeLessThan(400);
    for (const name of KEYS.flat()) expect(text.split(` ${JSON.stringify(name)}`).length, name).toBe(2);
  });

  const display = (snapshot: Snapshot): Element =>
    elements(snapshot, 'textbox').find((field) => field.states.editable === true)!;

  test('the display shows what was typed, and the result', async () => {
    await app.activate();
    expect(display(await app.snapshot()).states.focused).toBe(true);
    await room.typeText('12.5*8');
    await app.until('12.5×8 in the display', (snapshot) => display(snapshot).value === '12.5×8');
    await room.keys('Return');
    await app.until('the result', (snapshot) => display(snapshot).value === '100');
    await room.keys('Escape');
    await app.until('an empty display', (snapshot) => display(snapshot).value === '');
  });

  test('a click in the middle of a key presses that key', async () => {
    for (const name of ['7', '0', '9', '+', '5', '×', '(', 'π', ')', '√', '4']) {
      await room.click(await app.the('button', name));
    }
    await app.until('what was clicked', (snapshot) => display(snapshot).value === '709+5×(π)√4');
    await room.click(await app.the('button', 'Clear Display'));
    await app.until('an empty display', (snapshot) => display(snapshot).value === '');
  });

  test('lists the items of the main menu with their positions after a click', async () => {
    const before = await app.snapshot();
    await room.click(theOne(before, 'button', 'Primary menu'));
    const open = await app.until('the menu', (snapshot) => elements(snapshot, 'menuitem', 'Preferences').length > 0);
    expect(theOne(open, 'button', 'Primary menu').states.expanded).toBe(true);
    const menu = theOne(open, 'menu');
    expect(elements(menu, 'menuitem').map(({ name }) => name)).toEqual([
      'New Window',
      'Number format',
      'Preferences',
      'Keyboard Shortcuts',
      'Help',
      'About Calculator',
    ]);
    const formats = elements(menu, 'menuitemradio').map(({ name, states }) => [name, states.checked]);
    expect(formats).toEqual([
      ['Automatic', true],
      ['Fixed', false],
      ['Scientific', false],
      ['Engineering', false],
    ]);
    const { checked, wrong } = await checkClickPoints(app, ({ role }) => role.startsWith('menuitem'));
    expect(wrong).toEqual([]);
    expect(checked).toBe(10);
    await room.click(theOne(menu, 'menuitemradio', 'Fixed'));
    await app.until('no menu', (snapshot) => elements(snapshot, 'menu').length === 0);
    await room.click(await app.the('button', 'Primary menu'));
    await app.until('the other format', (snapshot) => elements(snapshot, 'menuitemradio', 'Fixed')[0]?.states.checked);
    await room.keys('Escape');
    await app.until('no menu', (snapshot) => elements(snapshot, 'menu').length === 0);
  });

  test('every click point is in its control', async () => {
    const { checked, wrong } = await checkClickPoints(app);
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThanOrEqual(30);
  });
});

describe('gtk4-widget-factory', () => {
  let app: App;
  let snapshot: Snapshot;

  beforeAll(async () => {
    app = await room.start(/^GTK Widget Factory$/, 'gtk4-widget-factory');
    snapshot = await app.snapshot();
  });

  const statesOf = (name: string) => elements(snapshot, 'checkbox', name).map(({ states }) => states);

  test('check boxes and radio buttons: checked, unchecked, mixed, and the same disabled', () => {
    const all = [true, false, 'mixed'];
    const expected = [
      ...all.map((checked) => expect.objectContaining({ enabled: true, checked }) as unknown),
      ...all.map((checked) => expect.objectContaining({ enabled: false, checked }) as unknown),
    ];
    expect(statesOf('checkbutton')).toEqual(expected);
    expect(statesOf('radiobutton')).toEqual(expected);
  });

  test('switches are switches, disabled or not', () => {
    expect(elements(snapshot, 'switch').map(({ states }) => [states.enabled, states.checked])).toEqual([
      [true, false],
      [false, false],
    ]);
  });

  test('toggle buttons: pressed and disabled', () => {
    const toggles = elements(snapshot, 'button', 'togglebutton').map(({ states }) => [
      states.enabled,
      states.pressed ?? false,
    ]);
    expect(toggles).toEqual([
      [true, false],
      [false, false],
      [true, true],
      [false, true],
    ]);
  });

  test('fields: text, placeholder, password, disabled', { tags: 'safety' }, () => {
    const fields = elements(snapshot, 'textbox').filter((field) => field.bounds!.x < 430);
    const words = fields.map(({ name, value, states }) => [name ?? '', value ?? '', states.enabled]);
    expect(words).toEqual([
      ['', 'comboboxentry', true],
      ['', 'comboboxentry', false],
      ['Click icon to change mode', '', true],
      ['', 'entry', false],
      ['', 'entry', true],
    ]);
    expect(theOne(snapshot, 'passwordbox').states).toMatchObject({ secret: true, filled: false });
  });

  test('numbers: spin buttons, sliders, progress and level bars', () => {
    const [spin, off] = elements(snapshot, 'spinbutton');
    expect(spin).toMatchObject({ value: 50, range: { min: 1, max: 1000 }, states: { enabled: true } });
    expect(off).toMatchObject({ value: 0, states: { enabled: false } });
    const sliders = elements(snapshot, 'slider').map(({ value, states }) => [value, states.enabled]);
    expect(sliders).toEqual(
      expect.arrayContaining([
        [50, true],
        [50, false],
        [2, true],
      ]),
    );
    expect(elements(snapshot, 'progressbar').map(({ value }) => value)).toEqual([0.5, 0.5, 0.5, 0.5, 0.5]);
    expect(elements(snapshot, 'meter').map(({ value }) => value)).toEqual([0.6, 2]);
  });

  test('tabs: names as people read them, one selected in each strip', () => {
    const strips = elements(snapshot, 'tablist').map((strip) => elements(strip, 'tab'));
    const names = strips.map((tabs) => tabs.map(({ name }) => name));
    expect(names).toContainEqual(['Page 1', 'Page 2', 'Page 3']);
    expect(names).toContainEqual(['Sunset', 'NYC', 'Beach']);
    for (const tabs of strips) expect(tabs.map(({ states }) => states.selected)).toEqual([true, false, false]);
  });

  test('headers of the tree list come from left to right', () => {
    const names = elements(snapshot, 'button').map(({ name }) => name);
    expect(names.filter((name) => ['Cool', 'Icon', 'Name', 'Nick'].includes(name ?? ''))).toEqual([
      'Cool',
      'Icon',
      'Name',
      'Nick',
    ]);
  });

  test('a long text is truncated in a snapshot and read completely by ui_read', async () => {
    const [lorem] = elements(snapshot, 'textbox', undefined).filter(({ value }) =>
      String(value).startsWith('Lorem ipsum'),
    );
    expect(String(lorem!.value)).toMatch(/…\(\+\d+\)$/);
    const { json } = await room.real.call('ui_read', { target: lorem!.ref });
    expect(json.text).toMatch(/^Lorem ipsum[\s\S]{1000,}$/);
    expect(json.total).toBe([...String(json.text)].length);
  });

  test('omits the content of other pages', async () => {
    const words = [...everyElement(snapshot)].map(({ name }) => name);
    expect(words).not.toContain('News');
    await room.click(await app.the('tab', 'Page 2'));
    const second = await app.until('page 2', (next) => elements(next, 'tab', 'Page 2')[0]?.states.selected);
    expect(elements(second, 'tab', 'News')).toHaveLength(1);
    expect(elements(second, 'tab', 'Sunset')).toEqual([]);
    expect(elements(second, 'checkbox', 'radiobutton')).toEqual([]);
    await room.click(await app.the('tab', 'Page 1'));
    await app.until('page 1', (next) => elements(next, 'checkbox', 'radiobutton').length === 6);
  });

  test('a click in the middle toggles the box, and that one only', async () => {
    const [, unchecked] = elements(await app.snapshot(), 'checkbox', 'checkbutton');
    await room.click(unchecked!);
    const after = await app.until('the tick', (next) => elements(next, 'checkbox', 'checkbutton')[1]!.states.checked);
    expect(elements(after, 'checkbox', 'checkbutton').map(({ states }) => states.checked)).toEqual([
      true,
      true,
      'mixed',
      true,
      false,
      'mixed',
    ]);
  });

  test('every click point is in its control', async () => {
    const { checked, wrong } = await checkClickPoints(app);
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThanOrEqual(60);
  });
});
