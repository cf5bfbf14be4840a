import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { centre, contains, type Snapshot } from '../../src/tree/index.js';
import { AppRoom, checkClickPoints, type App } from './support/app-room.js';
import { elements, everyElement, soon, theOne } from './support/real-desktop.js';

/** GTK 3 names the notebook where a page of it is asked for: what is on the page has to be found by us. */
const PAGES = `
import gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk
window = Gtk.Window(title="Plain pages")
store = Gtk.TreeStore(str, str)
for n in range(4):
    store.append(None, ["Dir %d" % n, "Kind %d" % n])
view = Gtk.TreeView(model=store)
for i, title in enumerate(["Name", "Kind"]):
    view.append_column(Gtk.TreeViewColumn(title, Gtk.CellRendererText(), text=i))
book = Gtk.Notebook()
book.append_page(view, Gtk.Label(label="Page"))
window.add(book)
window.show_all()
Gtk.main()
`;

/** An icon and a name in one cell, a cell part that does not show, and a tick in a cell of its own. */
const TICKS = `
import gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk
window = Gtk.Window(title="Plain ticks", default_width=300, default_height=200)
store = Gtk.TreeStore(str, str, bool)
for n in range(1, 61):
    row = store.append(None, ["Day %d" % n, "never shown", n % 2 == 0])
    if n % 10 == 0:
        store.append(row, ["Eve", "never shown", False])
view = Gtk.TreeView(model=store)
column = Gtk.TreeViewColumn("Day")
for cell, expand in [(Gtk.CellRendererPixbuf(icon_name="folder"), False), (Gtk.CellRendererText(), True)]:
    column.pack_start(cell, expand)
column.add_attribute(cell, "text", 0)
hidden = Gtk.CellRendererText(visible=False)
column.pack_start(hidden, False)
column.add_attribute(hidden, "text", 1)
view.append_column(column)
view.append_column(Gtk.TreeViewColumn("Done", Gtk.CellRendererToggle(), active=2))
pane = Gtk.ScrolledWindow()
pane.add(view)
window.add(pane)
window.show_all()
Gtk.main()
`;

const NOTES = 'first line\nhéllo 日本 😀\nlast | line\n';

let room: AppRoom;

beforeAll(async () => {
  room = await AppRoom.open();
});

afterAll(() => room.close());

describe('mousepad (GTK 3)', () => {
  let app: App;
  let path: string;

  beforeAll(async () => {
    path = await room.file('notes.txt', NOTES);
    app = await room.start(/notes\.txt - Mousepad$/, 'mousepad', path);
  });

  test('the menu bar, and the text of the file', async () => {
    const snapshot = await app.until('the text', (next) => elements(next, 'textbox')[0]?.value);
    const bar = theOne(snapshot, 'menubar');
    expect(bar.children.map(({ role, name }) => [role, name])).toEqual([
      ['menuitem', 'File'],
      ['menuitem', 'Edit'],
      ['menuitem', 'Search'],
      ['menuitem', 'View'],
      ['menuitem', 'Document'],
      ['menuitem', 'Help'],
    ]);
    const area = theOne(snapshot, 'textbox');
    expect(area.value).toBe(await readFile(path, 'utf8'));
    expect(area.states).toMatchObject({ enabled: true, editable: true, multiline: true, focused: true });
    const { json } = await room.real.call('ui_read', { target: area.ref });
    expect(json).toMatchObject({ kind: 'text', text: NOTES, total: [...NOTES].length });
  });

  test('omits invisible elements: closed menus, the tab of a single page, the hidden tool bar', async () => {
    const snapshot = await app.snapshot();
    for (const role of ['tab', 'tablist', 'toolbar', 'menu'] as const)
      expect(elements(snapshot, role), role).toEqual([]);
    expect(elements(snapshot, 'menuitem')).toHaveLength(6);
  });

  test('typed text is read as it stands in the app', async () => {
    await app.activate();
    await room.keys('ctrl+Home');
    await room.typeText('typed ');
    await app.until('what was typed', (snapshot) => elements(snapshot, 'textbox')[0]?.value === `typed ${NOTES}`);
    expect((await app.snapshot()).windows[0]!.title).toMatch(/^\*/);
  });

  test('lists the items of an open menu once, with their positions', async () => {
    await room.keys('alt+f');
    const isOpen = (snapshot: Snapshot) =>
      elements(snapshot, 'menuitem', 'Save As...').length > 0 && snapshot.roots.length === 2;
    const open = await app.until('the menu', isOpen);
    const file = theOne(open, 'menuitem', 'File');
    const names = file.children.filter(({ role }) => role === 'menuitem').map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['New', 'Open...', 'Save', 'Save As...', 'Print...', 'Quit']));
    expect(theOne(open, 'menuitem', 'Detach Tab').states.enabled).toBe(false);
    expect(theOne(open, 'menuitem', 'Save').states.enabled).toBe(true);
    const popup = open.windows.find(({ role }) => role === 'popup');
    expect(popup).toMatchObject({ of: app.ref });
    for (const item of file.children) expect(contains(popup!.bounds!, item.bounds!), item.name).toBe(true);
    const { checked, wrong } = await checkClickPoints(app, ({ role }) => role === 'menuitem');
    expect(wrong).toEqual([]);
    expect(checked).toBe(names.length + 6);
    await room.keys('Escape');
    await app.until('no menu', (snapshot) => elements(snapshot, 'menuitem').length === 6);
  });

  test('the dialog Save As: modal, of its window, with name, files and buttons', async () => {
    await room.keys('ctrl+shift+s');
    const dialog = await room.window(/^Save As$/);
    const snapshot = await dialog.until('the files', (next) => elements(next, 'table', 'Files')[0]?.children.length);
    expect(snapshot.windows[0]).toMatchObject({ role: 'dialog', modal: true, active: true, of: app.ref });
    expect(snapshot.roots[0]).toMatchObject({ role: 'dialog', name: 'Save As', states: { modal: true, active: true } });
    const text = await dialog.text();
    expect(text).toContain(`${dialog.ref} dialog "Save As" (mousepad) active modal, of ${app.ref} `);
    expect(theOne(snapshot, 'textbox', 'Name:')).toMatchObject({ value: 'notes.txt', states: { focused: true } });
    for (const name of ['Cancel', 'Save']) expect(theOne(snapshot, 'button', name).states.enabled, name).toBe(true);
    expect(theOne(snapshot, 'combobox', 'Encoding:').value).toBe('Default (UTF-8)');
    const files = theOne(snapshot, 'table', 'Files');
    expect(files.table!.headers).toEqual(['Name', 'Size', 'Type', 'Modified']);
    const rows = files.children.map((row) => row.children.map(({ name }) => name ?? ''));
    expect(rows.map(([name, size, type]) => [name, size, type])).toEqual([['notes.txt', '42 bytes', 'Text']]);
    const { checked, wrong } = await checkClickPoints(dialog);
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThanOrEqual(12);
  });

  test('includes the dialog in a snapshot of the window below it', async () => {
    const snapshot = await app.snapshot();
    expect(snapshot.roots.map(({ role }) => role)).toEqual(['window', 'dialog']);
    expect(theOne(snapshot, 'button', 'Cancel')).toBeDefined();
  });

  test('a click on Cancel closes it', async () => {
    const dialog = await room.window(/^Save As$/);
    await room.click(await dialog.the('button', 'Cancel'));
    await app.until('the window alone', (snapshot) => snapshot.roots.length === 1);
    expect(await readFile(path, 'utf8')).toBe(NOTES);
  });

  test('every click point is in its control', async () => {
    const { checked, wrong } = await checkClickPoints(app);
    expect(wrong).toEqual([]);
    expect(checked).toBe(7);
  });
});

describe('gtk3-widget-factory', () => {
  let app: App;
  let snapshot: Snapshot;

  beforeAll(async () => {
    app = await room.start(/^gtk3-widget-factory$/, 'gtk3-widget-factory');
    snapshot = await app.snapshot();
  });

  const SIX = [true, false].flatMap((enabled) =>
    [true, false, 'mixed'].map((checked) => expect.objectContaining({ enabled, checked }) as unknown),
  );

  test('check boxes and radio buttons: checked, unchecked, mixed, and the same disabled', () => {
    expect(elements(snapshot, 'checkbox', 'checkbutton').map(({ states }) => states)).toEqual(SIX);
    expect(elements(snapshot, 'radio', 'radiobutton').map(({ states }) => states)).toEqual(SIX);
  });

  test('toggle buttons and switches', () => {
    const toggles = elements(snapshot, 'togglebutton', 'togglebutton').map(({ states }) => [
      states.enabled,
      states.pressed,
    ]);
    expect(toggles).toEqual([
      [true, false],
      [false, false],
      [true, true],
      [false, true],
    ]);
    const switches = [...everyElement(snapshot)].filter(
      ({ role, name }) => role === 'togglebutton' && name === undefined,
    );
    expect(switches.map(({ states }) => [states.enabled, states.pressed])).toEqual([
      [true, false],
      [false, false],
    ]);
  });

  test('fields: text, placeholder, disabled', () => {
    const fields = elements(snapshot, 'textbox').filter(({ states }) => !states.multiline);
    expect(fields.map(({ name, value, states }) => [name ?? '', value ?? '', states.enabled])).toEqual([
      ['', 'comboboxentry', true],
      ['', 'comboboxentry', false],
      ['Click icon to change mode', '', true],
      ['', 'entry', false],
      ['', 'entry', true],
    ]);
  });

  test('reads the selected item of combo boxes, not the name of an icon', () => {
    const values = elements(snapshot, 'combobox').map(({ name, value, states }) => [
      name ?? '',
      value ?? '',
      states.enabled,
    ]);
    expect(values).toEqual([
      ['', '', true],
      ['', '', false],
      ['', 'Left', true],
      ['', 'Middle', true],
      ['', 'Right', true],
      ['', 'Andrea', true],
      ['', 'Otto', false],
    ]);
  });

  test('numbers: spin buttons, sliders, progress and level bars', () => {
    const [spin, off] = elements(snapshot, 'spinbutton');
    expect(spin).toMatchObject({ value: 50, range: { min: 1, max: 1000 }, states: { enabled: true, editable: true } });
    expect(off).toMatchObject({ states: { enabled: false } });
    const sliders = elements(snapshot, 'slider').map(({ value, range, states }) => [value, range?.max, states.enabled]);
    expect(sliders).toEqual([
      [50, 100, true],
      [50, 100, false],
      [2, 4, true],
      [50, 100, true],
      [50, 100, false],
    ]);
    expect(elements(snapshot, 'progressbar').map(({ value }) => value)).toEqual([0.5, 0.5, 0.5, 0.5, 0.5]);
    expect(elements(snapshot, 'meter').map(({ value }) => value)).toEqual([0.6, 2]);
  });

  test('the table: headers, rows, ticks, and bounds inside of it', async () => {
    const table = theOne(snapshot, 'table');
    expect(table.table).toMatchObject({ rows: 4, columns: 4, headers: ['Cool', 'Icon', 'Name', 'Nick'] });
    expect(table.children.map((row) => row.children.slice(2).map(({ name }) => name))).toEqual([
      ['Andrea', 'Cimi'],
      ['Otto', 'chaotic'],
      ['Orville', 'Redenbacher'],
      ['Benjamin', 'Company'],
    ]);
    expect(table.children.map((row) => row.children[0]!.states.checked ?? false)).toEqual([true, false, true, true]);
    for (const row of table.children) {
      const { x, y, width, height } = row.bounds!;
      expect(contains(table.bounds!, { x, y })).toBe(true);
      expect(contains(table.bounds!, { x: x + width - 1, y: y + height - 1 })).toBe(true);
    }
    expect(await app.text()).toMatch(
      /table 4 rows: Cool \| Icon \| Name \| Nick\n\s+e\d+ \| checked \| \| Andrea \| Cimi\n/,
    );
  });

  test('tabs: one selected in each of four strips', () => {
    const strips = elements(snapshot, 'tablist').map((strip) => elements(strip, 'tab'));
    expect(strips).toHaveLength(4);
    for (const tabs of strips) {
      expect(tabs.map(({ name, states }) => [name, states.selected])).toEqual([
        ['page 1', true],
        ['page 2', false],
        ['page 3', false],
      ]);
    }
  });

  test('omits the content of other pages', async () => {
    const first = [...everyElement(snapshot)].map(({ id }) => id);
    await room.click(await app.the('radio', 'Page 2'));
    const second = await app.until('page 2', (next) => elements(next, 'checkbox', 'checkbutton').length === 0);
    expect(theOne(second, 'radio', 'Page 2').states.checked).toBe(true);
    const others = [...everyElement(second)].filter(({ id }) => !first.includes(id));
    expect(others.length).toBeGreaterThan(30);
    await room.click(await app.the('radio', 'Page 1'));
    await app.until('page 1', (next) => elements(next, 'checkbox', 'checkbutton').length === 6);
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

  test('a click on a row selects that row', async () => {
    const [, , orville] = theOne(await app.snapshot(), 'table').children;
    await room.click(orville!);
    const after = await app.until('the choice', (next) => theOne(next, 'table').children[2]!.states.selected);
    expect(theOne(after, 'table').children.map(({ states }) => states.selected)).toEqual([false, false, true, false]);
  });

  test('every click point is in its control', async () => {
    const { checked, wrong } = await checkClickPoints(app);
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThanOrEqual(75);
  });
});

describe('a table on a page of a notebook', () => {
  let app: App;

  beforeAll(async () => {
    app = await room.start(/^Plain pages$/, '/usr/bin/python3', '-B', await room.file('pages.py', PAGES));
  });

  test('each cell is what is found in its middle, in its row', async () => {
    const { driver } = room.real;
    const snapshot = await app.until('the rows', (next) => elements(next, 'cell').length === 8);
    for (const row of theOne(snapshot, 'treegrid').children) {
      for (const cell of row.children) {
        const found = await driver.atPoint!(centre(cell.bounds!), { deadline: soon() });
        expect(
          found?.path.slice(-2).map(({ id }) => id),
          cell.name,
        ).toEqual([row.id, cell.id]);
      }
    }
  });

  test('and a mouse reaches it', async () => {
    const cell = await app.the('cell', 'Dir 2');
    await room.real.call('ui_click', { target: cell.ref, method: 'input' });
    const after = await app.until('the choice', (next) => theOne(next, 'treegrid').children[2]!.states.selected);
    expect(theOne(after, 'treegrid').children.map(({ states }) => states.selected)).toEqual([
      false,
      false,
      true,
      false,
    ]);
  });
});

describe('a table of GTK 3 that is longer than its pane', () => {
  let app: App;

  beforeAll(async () => {
    app = await room.start(/^Plain ticks$/, '/usr/bin/python3', '-B', await room.file('ticks.py', TICKS));
  });

  test('is read as displayed: names, check marks and branches, on the screen and off', async () => {
    await app.until('the rows', (next) => elements(next, 'cell', 'Day 1').length === 1);
    const table = { target: 'role=treegrid', window: 'Plain ticks' };
    const lines = ({ text }: { text: string }) =>
      text.split('\n').flatMap((line) => /^ *(e\d+ \|.*)/.exec(line)?.[1] ?? []);
    const read = lines(await room.real.call('ui_read', { ...table, range: '1-60' }));
    const words = read.map((line) =>
      line.replace(/^e\d+ /, '').replace(/e\d+ cell "(.*)" focused(?: selected)?/, '$1'),
    );
    expect(words.map((line) => line.replace(' | selected', ''))).toEqual(
      Array.from({ length: 60 }, (_, i) => i + 1).map(
        (n) => `| Day ${n} |${n % 2 === 0 ? ' checked' : ''}${n % 10 === 0 ? ' | collapsed' : ''}`,
      ),
    );
    const seen = lines(await room.real.call('ui_snapshot', table));
    expect(seen.length).toBeGreaterThan(3);
    expect(read.slice(0, seen.length)).toEqual(seen);
  });
});
