import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Element, Snapshot } from '../../src/tree/index.js';
import { AppRoom, checkClickPoints, tokensOf, type App } from './support/app-room.js';
import { elements, everyElement, soon, theOne } from './support/real-desktop.js';

let room: AppRoom;

beforeAll(async () => {
  room = await AppRoom.open();
  // LibreOffice must be quick and short also when it is not alone.
  await room.start(/^Calculator$/, 'gnome-calculator');
  await room.start(/Mousepad$/, 'mousepad');
});

afterAll(() => room.close());

const PARAGRAPHS = ['Übersicht', 'Schöne Grüße aus 東京, 100 € in bar.', 'Third paragraph'];

/** An OpenDocument text in one file. */
function documentOf(paragraphs: string[]): string {
  const urn = (name: string) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`;
  const [heading, ...rest] = paragraphs;
  return `<?xml version="1.0" encoding="UTF-8"?>
<office:document ${urn('office')} ${urn('text')} office:version="1.2"
  office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text>
<text:h text:outline-level="1">${heading}</text:h>${rest.map((text) => `<text:p>${text}</text:p>`).join('')}
</office:text></office:body></office:document>`;
}

/** What a user reads in the document, from top to bottom. */
function writtenIn(snapshot: Snapshot): string[] {
  const inside = [...everyElement(theOne(snapshot, 'document'))].slice(1);
  return inside.map(({ name, value }) => String(name ?? value ?? '')).filter((text) => text !== '');
}

describe('LibreOffice Writer', () => {
  let app: App;

  beforeAll(async () => {
    const path = await room.file('report.fodt', documentOf(PARAGRAPHS));
    app = await room.start(/^report\.fodt - LibreOffice Writer$/, 'libreoffice', '--writer', path);
    await app.until('its tool bars', (snapshot) => elements(snapshot, 'togglebutton', 'Bold').length > 0);
  });

  test('the paragraphs, also those that are not in ASCII', async () => {
    const snapshot = await app.until('the text', (next) => writtenIn(next).length === PARAGRAPHS.length);
    expect(writtenIn(snapshot)).toEqual(PARAGRAPHS);
    expect(elements(snapshot, 'heading').map(({ name, level }) => [name, level])).toEqual([['Übersicht', 1]]);
    const tops = [...everyElement(theOne(snapshot, 'document'))].slice(1).map(({ bounds }) => bounds!.y);
    expect(tops).toEqual([...tops].sort((a, b) => a - b));
  });

  test('typed text is in the snapshot, and so is the focus', async () => {
    await app.activate();
    await room.keys('ctrl+End', 'Return');
    await app.until('an empty paragraph', (snapshot) =>
      elements(snapshot, 'paragraph').some(({ states, value }) => states.focused && (value ?? '') === ''),
    );
    expect(await app.text()).toMatch(/e\d+ paragraph focused: ""/);
    await room.typeText('Typed by hand.');
    const snapshot = await app.until('what was typed', (next) => writtenIn(next).includes('Typed by hand.'));
    expect(writtenIn(snapshot)).toEqual([...PARAGRAPHS, 'Typed by hand.']);
    const focused = await room.real.call('ui_describe', { target: 'focused' });
    expect(focused.json).toMatchObject({ element: { role: 'paragraph' }, window: { ref: app.ref } });
  });

  test('menus, tool bars and fields', async () => {
    // Writer enables its tools some time after what made them useful.
    const snapshot = await app.until('Undo to be there', (next) => theOne(next, 'button', 'Undo').states.enabled);
    expect(theOne(snapshot, 'menubar').children.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'File',
        'Edit',
        'View',
        'Insert',
        'Format',
        'Styles',
        'Table',
        'Tools',
        'Window',
        'Help',
      ]),
    );
    const standard = theOne(snapshot, 'toolbar', 'Standard');
    for (const name of ['Open', 'Save', 'Print', 'Cut', 'Copy', 'Undo', 'Table']) {
      expect(elements(standard, 'button', name), name).toHaveLength(1);
    }
    expect(theOne(standard, 'button', 'Cut').states.enabled).toBe(false);
    const formatting = theOne(snapshot, 'toolbar', 'Formatting');
    const pressed = elements(formatting, 'togglebutton').filter(({ states }) => states.pressed);
    expect(pressed.map(({ name }) => name)).toContain('Left');
    expect(theOne(formatting, 'textbox', 'Font Size').value).toMatch(/^\d+ pt$/);
    expect(String(theOne(formatting, 'textbox', 'Paragraph Style').value)).not.toBe('');
    expect(elements(snapshot, 'togglebutton', 'Styles')).toHaveLength(1);
    expect([...everyElement(theOne(snapshot, 'statusbar'))].map(({ name }) => name)).toContain('Page 1 of 1');
  });

  const bold = (snapshot: Snapshot): Element => theOne(snapshot, 'togglebutton', 'Bold');

  test('a click in the middle of a tool presses that tool', async () => {
    expect(bold(await app.snapshot()).states.pressed).toBe(false);
    for (const on of [true, false]) {
      await room.click(bold(await app.snapshot()));
      const after = await app.until(`Bold ${on}`, (snapshot) => bold(snapshot).states.pressed === on);
      expect(theOne(after, 'togglebutton', 'Italic').states.pressed).toBe(false);
    }
  });

  test('clicks in the side bar, which uses different coordinates', async () => {
    const styles = await app.the('togglebutton', 'Styles');
    await room.click(styles);
    await app.until('the styles', (snapshot) => theOne(snapshot, 'togglebutton', 'Styles').states.pressed);
    await room.click(await app.the('togglebutton', 'Styles'));
    await app.until('no styles', (snapshot) => !theOne(snapshot, 'togglebutton', 'Styles').states.pressed);
  });

  test('lists the items of an open menu once, with their positions', async () => {
    await room.click(await app.the('menuitem', 'File'));
    const isOpen = (snapshot: Snapshot) =>
      elements(snapshot, 'menuitem', 'Save As...').length > 0 && snapshot.roots.length === 2;
    const open = await app.until('the menu', isOpen);
    expect(elements(open, 'menuitem', 'Exit LibreOffice')).toHaveLength(1);
    const items = elements(theOne(open, 'menuitem', 'File'), 'menuitem').map(({ name }) => name);
    const { checked, wrong } = await checkClickPoints(
      app,
      ({ name, role }) => role === 'menuitem' && items.includes(name),
    );
    expect(wrong).toEqual([]);
    expect(checked).toBe(items.length);
    await room.keys('Escape');
    await app.until('no menu', (snapshot) => elements(snapshot, 'menuitem', 'Save As...').length === 0);
  });

  test('every click point is in its control', async () => {
    const { checked, wrong } = await checkClickPoints(app);
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThanOrEqual(75);
  });

  test('moved and made smaller: click points still hit', async () => {
    await app.unmaximise();
    await app.resize({ width: 1100, height: 700 });
    await app.move(230, 140);
    await app.until('the new place', ({ windows }) => windows[0]!.bounds!.x > 200 && windows[0]!.bounds!.width < 1200);
    const { checked, wrong } = await checkClickPoints(app);
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThanOrEqual(50);
    await room.click(bold(await app.snapshot()));
    await app.until('Bold', (snapshot) => bold(snapshot).states.pressed);
    await room.click(bold(await app.snapshot()));
    await app.until('not Bold', (snapshot) => !bold(snapshot).states.pressed);
  });
});

describe('LibreOffice Calc', () => {
  const CELLS = [
    ['Item', 'Qty', 'Price'],
    ['Apfel', '3', '1.5'],
    ['Böse | Birne', '12', '0.25'],
    ['日本', '7', '100'],
    ['Total', '22', '=B2*C2'],
  ];
  const SHEET = [
    '1 | A: Item | B: Qty | C: Price',
    '2 | A: Apfel | B: 3 | C: 1.5',
    '3 | A: Böse \\| Birne | B: 12 | C: 0.25',
    '4 | A: 日本 | B: 7 | C: 100',
    '5 | A: Total | B: 22 | C: 4.5',
  ];
  let app: App;

  beforeAll(async () => {
    const rows = CELLS.map((row) => row.join(','));
    const far = `${','.repeat(25)}far away`;
    const text = [...rows, ...Array<string>(2000 - rows.length - 1).fill(''), far, ''].join('\n');
    const path = await room.file('table.csv', text);
    const filter = '--infilter=CSV:44,34,76,1';
    app = await room.start(/^table\.csv - LibreOffice Calc$/, 'libreoffice', '--calc', filter, path);
    await app.until('the cells', (snapshot) => elements(snapshot, 'cell', '4.5').length > 0);
  });

  const sheet = (snapshot: Snapshot): Element => theOne(snapshot, 'sheet');
  const inputLine = (snapshot: Snapshot) => elements(snapshot, 'textbox', 'Input line')[0]?.value;
  /** The name box shows the address of the selected cell. */
  const isAt = (address: string) => (snapshot: Snapshot) =>
    elements(snapshot, 'textbox').some(({ value }) => value === address);

  test('reports the size of a sheet, its visible range and its filled cells', async () => {
    const text = await app.text();
    expect(text).toMatch(
      /e\d+ sheet "Sheet table" 1048576 x 16384, A1:[A-Z]+\d+ on screen, 15 cells filled, A1 focused\n/,
    );
    const lines = text.split('\n').map((line) => line.trim());
    const at = lines.indexOf(SHEET[0]!);
    expect(lines.slice(at, at + SHEET.length)).toEqual(SHEET);
    expect(text).not.toContain('far away');
  });

  test('the sheet is never walked', async () => {
    const window = room.real.desktop.refs.get(app.ref)!.id;
    const { calls, count } = await room.real.driver.read!({ window }, { deadline: soon() });
    expect(count).toBeLessThan(400);
    expect(calls).toBeLessThan(8_000);
  });

  const read = async (range?: string) => {
    const { ref } = sheet(await app.snapshot());
    const { text } = await room.real.call('ui_read', { target: ref, ...(range && { range }) });
    return text.replace(/<\/?ui [0-9a-f]+.*>\n/g, '').split('\n');
  };

  test('cells by address and by rows, also far away', async () => {
    expect(await read('A1:C5')).toEqual([...SHEET, 'cells A1:C5, 1048576 rows in all']);
    expect(await read('B2:B3')).toEqual(['2 | B: 3', '3 | B: 12', 'cells B2:B3, 1048576 rows in all']);
    expect(await read('Z2000:Z2000')).toEqual(['2000 | Z: far away', 'cells Z2000:Z2000, 1048576 rows in all']);
    expect(await read('XFD1048576')).toEqual(['cells XFD1048576:XFD1048576, 1048576 rows in all, all empty']);
    const rows = await read('rows 2-4');
    expect(rows.slice(0, 3)).toEqual(SHEET.slice(1, 4));
    expect(await read('table!A2')).toEqual(['2 | A: Apfel', 'cells A2:A2, 1048576 rows in all']);
  });

  test('refuses ranges that do not exist or are too large, with the reason', async () => {
    const { ref } = sheet(await app.snapshot());
    const failure = (range: string) => room.real.failure('ui_read', { target: ref, range });
    expect(await failure('XFE1')).toContain('ask for 1-16384.');
    expect(await failure('rows 1048577')).toContain('ask for 1-1048576.');
    expect(await failure('Budget!A1')).toContain('another sheet');
    expect(await failure('A1:XFD2')).toContain('too many');
    const [last] = (await read('A1:ZZ1000')).slice(-1);
    expect(last).toMatch(/^cells A1:ZZ\d+, 1048576 rows in all; next: ui_read e\d+ A\d+:ZZ\d+$/);
  });

  test('keys move the focus, and the input line shows the formula', async () => {
    await app.activate();
    await room.keys('ctrl+Home');
    await app.until('A1', isAt('A1'));
    await room.keys('Down', 'Down', 'Down', 'Down', 'Right', 'Right');
    await app.until('C5 in the input line', (snapshot) => inputLine(snapshot) === '=B2*C2');
    expect(await app.text()).toMatch(/15 cells filled, C5 focused\n/);
    const { json } = await room.real.call('ui_describe', { target: 'focused' });
    expect(json).toMatchObject({ element: { role: 'cell', name: '4.5', cell: { row: 5, column: 3, address: 'C5' } } });
  });

  test('a click in the middle of a cell chooses that cell', async () => {
    const cell = theOne(sheet(await app.snapshot()), 'cell', 'Böse | Birne');
    await room.click(cell);
    await app.until(
      'A3 in the input line',
      (snapshot) => inputLine(snapshot) === 'Böse | Birne' && isAt('A3')(snapshot),
    );
  });

  test('text typed into a cell is in the snapshot', async () => {
    await room.keys('ctrl+Home');
    await app.until('A1', isAt('A1'));
    // One at a time: a busy LibreOffice may take two keys for one.
    for (let row = 2; row <= 7; row++) {
      await room.keys('Down');
      await app.until(`A${row}`, isAt(`A${row}`));
    }
    await room.typeText('42');
    await app.until('42 in the input line', (snapshot) => inputLine(snapshot) === '42');
    await room.keys('Return');
    await app.until('A7', (snapshot) => elements(sheet(snapshot), 'cell', '42')[0]?.cell?.address === 'A7');
    expect(await app.text()).toContain('\n      7 | A: 42\n');
  });

  test('far away, when one goes there', async () => {
    await room.keys('ctrl+End');
    const snapshot = await app.until('Z2000', (next) => elements(sheet(next), 'cell', 'far away').length > 0);
    const { rows, columns } = sheet(snapshot).table!.shown!;
    expect(rows[0]).toBeGreaterThan(1900);
    expect(rows[1]).toBeGreaterThanOrEqual(2000);
    expect(columns[1]).toBeGreaterThanOrEqual(26);
    await room.keys('ctrl+Home');
    await app.until('A1', (next) => elements(sheet(next), 'cell', 'Apfel').length > 0);
  });

  test('every click point is in its control', async () => {
    // A sheet's rows stand for their cells; no app knows them.
    const { checked, wrong } = await checkClickPoints(app, ({ role }) => role !== 'row');
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThanOrEqual(100);
  });

  test('an empty sheet costs under 1,500 tokens with the other apps open', async () => {
    const empty = await room.start(/^Untitled \d+ - LibreOffice Calc$/, 'libreoffice', '--calc');
    await empty.until(
      'the sheet',
      (snapshot) => elements(snapshot, 'togglebutton', 'Bold').length > 0 && sheet(snapshot),
    );
    const { text } = await room.real.call('ui_snapshot', { window: empty.ref });
    expect(text).toMatch(/sheet "Sheet Sheet1" 1048576 x 16384, A1:[A-Z]+\d+ on screen, no cells filled, A1 focused\n/);
    expect(text).toMatch(/nothing folded\n/);
    expect(tokensOf(text)).toBeLessThan(1_500);
    const { windows } = await room.real.desktop.listWindows(soon());
    expect(windows.length).toBeGreaterThanOrEqual(5);
  });
});
