import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Snapshot } from '../../src/tree/index.js';
import { AppRoom, type App } from './support/app-room.js';
import { allMean, clickOn, meant, meantSoon, checkSuggestions } from './support/by-selector.js';
import { elements } from './support/real-desktop.js';
import { until } from './support/seat-room.js';

let room: AppRoom;

beforeAll(async () => {
  room = await AppRoom.open();
});

afterAll(() => room.close());

describe('gnome-calculator (GTK 4)', () => {
  let app: App;
  beforeAll(async () => {
    app = await room.start(/^Calculator$/, 'gnome-calculator');
    await app.move(0, 0);
  });

  const display = (snapshot: Snapshot) => elements(snapshot, 'textbox').map(({ value }) => value);
  const shows = (text: string) => app.until(`${text} in the display`, (snapshot) => display(snapshot).includes(text));

  test('digits and operators, each in two ways, are the keys that a hand presses', async () => {
    for (const digit of '1234567890') {
      await clickOn(room, `app=gnome-calculator >> button:${digit}`, `window="Calculator" >> name="${digit}"`);
    }
    await shows('1234567890');
    await clickOn(room, '"Clear Display"', 'role=button && name^="clear"', 'process=gnome-calculator >> ~Clear*');
    // Operators as a keyboard has them: − is a minus sign, × has a name of its own.
    await clickOn(room, 'button:9', '/^9$/');
    await clickOn(room, 'button:"-"', 'button:−', '"−" && enabled=true');
    await clickOn(room, 'button:4', 'button:"5" >> left-of >> role=button');
    await clickOn(room, 'button:×', 'button:"6" >> right-of >> role=button', '"×"');
    await clickOn(room, 'button:"2"', 'button:"5" >> below >> role=button');
    await clickOn(room, 'button:"+"', 'name="+"');
    await clickOn(room, 'button:"8"', 'button:"5" >> above >> role=button');
    await clickOn(room, 'button:÷', 'role=button && ("÷" || "/")');
    await clickOn(room, 'button:"4"', '"1" >> above >> role=button');
    await clickOn(room, 'button:"="', 'name="=" && role=button');
    await shows('3');
  });

  test('reports unknown keys with similar ones', async () => {
    expect(await room.real.failure('ui_describe', { target: 'button:"Clear Dsplay"' })).toMatch(
      /^failed: element_not_found\. Nothing matches .*\nnearest: e\d+ button "Clear Display" in w\d+ \(its name is similar\)\nnext: /,
    );
    expect(await room.real.failure('ui_describe', { target: 'checkbox:"7"' })).toMatch(/\(role is button\)/);
  });

  test('every control that shows gets a selector of its own', async () => {
    const { checked, wrong, byPosition } = await checkSuggestions(room.real, app.ref);
    expect(wrong).toEqual([]);
    expect(byPosition).toEqual([]);
    expect(checked).toBeGreaterThanOrEqual(30);
  });
});

describe('mousepad (GTK 3)', () => {
  let app: App;
  let path: string;
  beforeAll(async () => {
    path = await room.file('notes.txt', 'first line\n');
    app = await room.start(/notes\.txt - Mousepad$/, 'mousepad', path);
  });

  test('items of closed menus are found, and are not on the screen', async () => {
    const { element } = await allMean(
      room.real,
      'app=mousepad >> menuitem:"Save As"',
      'menuitem:File >> "Save As…"',
      'window~=Mousepad >> role=menuitem && name^="save as"',
    );
    expect(element).toMatchObject({ role: 'menuitem', name: 'Save As...', states: { offscreen: true } });
    // Its tool bar has a button of that name too, but it is not visible.
    expect((await meant(room.real, 'app=mousepad >> Save')).element.role).toBe('menuitem');
  });

  test('a menu and its item, each in two ways: a hand opens and presses them', async () => {
    await app.activate();
    await room.keys('ctrl+End');
    await room.typeText('typed');
    await app.until('what was typed', (snapshot) => elements(snapshot, 'textbox')[0]?.value === 'first line\ntyped');
    await clickOn(
      room,
      'app=mousepad >> menuitem:File',
      'role=menubar >> "File"',
      'role=menubar >> role=menuitem >> nth=0',
    );
    await until('the menu to be open', async () => {
      const { element } = await meant(room.real, 'app=mousepad >> menuitem:Save');
      return element.bounds && !element.states.offscreen;
    });
    await clickOn(room, 'menuitem:Save', 'menuitem:File >> Save', 'menuitem:"Save As" >> above >> role=menuitem');
    await until('the file to be written', async () => (await readFile(path, 'utf8')) === 'first line\ntyped');
  });

  test('the text, by kind and by state', async () => {
    await app.until('no menu', (snapshot) => snapshot.roots.length === 1);
    const { element } = await allMean(
      room.real,
      'app=mousepad >> role=textbox',
      'app=mousepad >> editable=true',
      'app=mousepad >> value~="typed"',
      'app=mousepad >> atspi:role=text && focused=true',
    );
    const { json } = await room.real.call('ui_read', { target: 'app=mousepad >> role=textbox' });
    expect(json).toMatchObject({ text: await readFile(path, 'utf8') });
    expect(element.value).toBe('first line\ntyped');
  });

  test('every control that shows gets a selector of its own', async () => {
    const { checked, wrong, byPosition } = await checkSuggestions(room.real, app.ref);
    expect({ wrong, byPosition }).toEqual({ wrong: [], byPosition: [] });
    expect(checked).toBe(7);
  });
});

describe('kcalc (Qt)', () => {
  let app: App;
  beforeAll(async () => {
    app = await room.start(/^KCalc$/, 'kcalc');
  });

  test('keys in two ways, and a hand that presses them', async () => {
    await clickOn(room, 'app=kcalc >> button:7', 'window="KCalc" >> "8" >> left-of >> role=button');
    await clickOn(room, 'window=KCalc >> button:"×"', 'app=kcalc >> button:"÷" >> right-of >> role=button');
    await clickOn(room, 'process=kcalc >> "6"', 'app=kcalc >> push button:6');
    await clickOn(room, 'app=kcalc >> button:"="', 'app=kcalc >> /^=$/');
    await app.until('42', (snapshot) => elements(snapshot, undefined, '42').length === 1);
  });

  test('the same key of two calculators is refused, and the window decides', async () => {
    const failure = await room.real.failure('ui_describe', { target: 'button:7' });
    expect(failure).toMatch(/^failed: ambiguous_target\. button:7 matches 2\./);
    expect(failure.match(/e\d+ button "7" in w\d+/g)).toHaveLength(2);
    const inKcalc = await meant(room.real, 'button:7', app.ref);
    expect(inKcalc.window.title).toBe('KCalc');
    expect((await meant(room.real, 'button:7', 'Calculator')).window.title).toBe('Calculator');
    expect((await meantSoon(room.real, 'window=KCalc >> button:7')).element.ref).toBe(inKcalc.element.ref);
  });

  test('every control that shows gets a selector of its own', async () => {
    const { checked, wrong, byPosition } = await checkSuggestions(room.real, app.ref);
    expect({ wrong, byPosition }).toEqual({ wrong: [], byPosition: [] });
    expect(checked).toBeGreaterThanOrEqual(25);
  });
});
