import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Snapshot } from '../../src/tree/index.js';
import { AppRoom, proveClickPoints, type App } from './support/app-room.js';
import { elements, theOne } from './support/real-desktop.js';
import { soon } from './support/real-desktop.js';
import { until } from './support/seat-room.js';

let room: AppRoom;

beforeAll(async () => {
  room = await AppRoom.open();
});

afterAll(() => room.close());

const NOTES = 'Groceries: apples\nnaïve café 日本 😀\nlast line';

describe('mousepad (GTK 3)', () => {
  let app: App;

  beforeAll(async () => {
    app = await room.start(/notes\.txt/, 'mousepad', await room.file('notes.txt', NOTES));
  });

  test('menus in order, and the text of the file as it is on disk', async () => {
    const look = await app.look();
    expect(elements(look, 'menuitem').map(({ name }) => name)).toEqual([
      'File',
      'Edit',
      'Search',
      'View',
      'Document',
      'Help',
    ]);
    const area = theOne(look, 'textbox');
    expect(area).toMatchObject({ value: NOTES, states: { multiline: true, editable: true, enabled: true } });
    const { json } = await room.real.call('ui_read', { target: area.ref });
    expect(JSON.stringify(json)).toContain('naïve café 日本 😀');
  });

  test('what a person types is read', async () => {
    await app.activate();
    await room.keys('ctrl+End');
    await room.typeText(' typed');
    await app.until('the typed word', (look) => String(theOne(look, 'textbox').value).endsWith('last line typed'));
  });

  test('an open menu shows its items where they are', async () => {
    await room.click(await app.the('menuitem', 'File'));
    const open = await app.until('the menu', (look) => elements(look, 'menuitem', /^Save As/).length > 0);
    const items = elements(open, 'menuitem').map(({ name }) => name);
    expect(items).toEqual(expect.arrayContaining(['New', 'Open...', 'Save', 'Save As...', 'Quit']));
    const { proved, wrong } = await proveClickPoints(app, ({ role, name }) => role === 'menuitem' && name === 'Quit');
    expect(wrong).toEqual([]);
    expect(proved).toBe(1);
    await room.keys('Escape');
    await app.until('no menu', (look) => elements(look, 'menuitem', /^Save As/).length === 0);
  });

  test('Save As is a dialog of this window, with a name field and its buttons', async () => {
    await app.activate();
    await room.keys('ctrl+shift+s');
    const dialog = await room.window(/^Save As$/);
    const { windows } = await room.real.desktop.listWindows(soon());
    expect(windows.find(({ ref }) => ref === dialog.ref)).toMatchObject({ role: 'dialog', of: app.ref });
    const look = await dialog.until('the buttons', (seen) => elements(seen, 'button', 'Save').length > 0);
    expect(theOne(look, 'textbox', /^Name/).value).toBe('notes.txt');
    theOne(look, 'button', 'Cancel');
    const { text } = await room.real.call('ui_snapshot', { window: dialog.ref });
    expect(text).toMatch(new RegExp(`${dialog.ref} dialog "Save As" \\(mousepad\\).*, of ${app.ref} `));
    await room.keys('Escape');
    await until('the dialog closed', async () => {
      const list = await room.real.desktop.listWindows(soon());
      return !list.windows.some(({ title }) => title === 'Save As');
    });
  });

  test('bounds follow the window', async () => {
    const before = (await app.the('menuitem', 'Edit')).bounds!;
    const frame = (await app.look()).windows[0]!.bounds!;
    await app.move(frame.x === 40 ? 60 : 40, 30);
    await app.until('the menu moved with its window', (look) => {
      const window = look.windows[0]!.bounds!;
      const box = theOne(look, 'menuitem', 'Edit').bounds!;
      return window.x !== frame.x && box.x - before.x === window.x - frame.x && box.y - before.y === window.y - frame.y;
    });
  });

  test('every click point is in its control', async () => {
    const { proved, wrong } = await proveClickPoints(app);
    expect(wrong).toEqual([]);
    expect(proved).toBeGreaterThanOrEqual(7);
  });
});

describe('gtk3-widget-factory', () => {
  let app: App;
  let look: Snapshot;

  beforeAll(async () => {
    app = await room.start(/^gtk3-widget-factory$/, 'gtk3-widget-factory');
    look = await app.look();
  });

  test('check boxes and radio buttons: checked, unchecked, mixed, and the same disabled', () => {
    for (const [role, name] of [
      ['checkbox', 'checkbutton'],
      ['radio', 'radiobutton'],
    ] as const) {
      const states = elements(look, role, name).map((one) => [one.states.enabled, one.states.checked]);
      expect(states).toEqual([
        [true, true],
        [true, false],
        [true, 'mixed'],
        [false, true],
        [false, false],
        [false, 'mixed'],
      ]);
    }
  });

  test('numbers: spin buttons and sliders with their limits', () => {
    const [spin, off] = elements(look, 'spinbutton');
    expect(spin).toMatchObject({ value: 50, range: { min: 1, max: 1000 }, states: { enabled: true } });
    expect(off!.states.enabled).toBe(false);
    expect(elements(look, 'slider')[0]).toMatchObject({ value: 50, range: { min: 1, max: 100 } });
  });

  test('the table: headers, rows and cells as a person reads them', () => {
    const table = theOne(look, 'table');
    expect(table.table).toMatchObject({ rows: 4, columns: 4, headers: ['Cool', 'Icon', 'Name', 'Nick'] });
    const names = elements(table, 'row').map((row) => elements(row, 'cell').map(({ name }) => name ?? ''));
    expect(names.map((cells) => cells[2])).toEqual(['Andrea', 'Otto', 'Orville', 'Benjamin']);
  });

  test('tabs, fields, combo boxes', () => {
    const tabs = elements(look, 'tab');
    expect(tabs.filter(({ states }) => states.selected).map(({ name }) => name)).toEqual(Array(4).fill('page 1'));
    expect(elements(look, 'textbox').map(({ value }) => value)).toEqual(
      expect.arrayContaining(['comboboxentry', 'entry']),
    );
    expect(elements(look, 'combobox').map(({ value }) => value)).toEqual(
      expect.arrayContaining(['Left', 'Middle', 'Right']),
    );
  });

  test('a click in the middle of a check box toggles it', async () => {
    await app.activate();
    const first = (seen: Snapshot) => elements(seen, 'checkbox', 'checkbutton')[0]!;
    await room.click(first(await app.look()));
    await app.until('unchecked', (seen) => first(seen).states.checked === false);
  });

  test('every click point is in its control', async () => {
    const { proved, wrong } = await proveClickPoints(app, ({ name }) => name !== undefined);
    expect(wrong).toEqual([]);
    expect(proved).toBeGreaterThan(35);
  });
});
