import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppRoom, proveClickPoints, tokensOf, type App } from './support/app-room.js';
import { elements, theOne } from './support/real-desktop.js';

let room: AppRoom;

beforeAll(async () => {
  room = await AppRoom.open();
});

afterAll(() => room.close());

describe('LibreOffice Calc', () => {
  let app: App;

  beforeAll(async () => {
    const rows = ['12.5,apples,=A1*8', '3,naïve café,x', ...Array.from({ length: 1996 }, () => ',,'), ',,far away'];
    const file = await room.file('orders.csv', `${rows.join('\n')}\n`);
    app = await room.start(/orders\.csv/, 'libreoffice', '--calc', '--infilter=CSV:44,34,76,1', file);
  });

  test('the sheet is one element that tells its size, what is on screen, and the filled cells there', async () => {
    const sheet = await app.the('sheet');
    expect(sheet.table).toMatchObject({ rows: 1_048_576, columns: 16_384, sheet: true });
    const [first, last] = sheet.table!.shown!.rows;
    expect(first).toBe(1);
    expect(last).toBeGreaterThan(20);
    expect(last).toBeLessThan(80);
    const cells = elements(sheet, 'cell').map(({ cell, name }) => [cell!.address, name]);
    expect(cells).toEqual(
      expect.arrayContaining([
        ['A1', '12.5'],
        ['B1', 'apples'],
        ['C1', '100'],
        ['B2', 'naïve café'],
      ]),
    );
    const text = await app.text();
    expect(text).toMatch(/sheet "[^"]+" 1048576 x 16384, A1:[A-Z]+\d+ on screen/);
    expect(text).toMatch(/1 \| A: 12\.5 \| B: apples \| C: 100/);
  });

  test('cells are read by address, also far from the screen, and nothing is walked', async () => {
    const sheet = await app.the('sheet');
    const near = await room.real.call('ui_read', { target: sheet.ref, range: 'A1:C2' });
    expect(near.text).toContain('apples');
    expect(near.text).toContain('naïve café');
    const far = await room.real.call('ui_read', { target: sheet.ref, range: 'C1999:C1999' });
    expect(far.text).toContain('far away');
  });

  test('menus and toolbars by name; every click point is in its control', async () => {
    const look = await app.look();
    for (const name of ['File', 'Edit', 'View', 'Insert', 'Format']) theOne(look, 'menuitem', name);
    for (const name of ['New', 'Open', 'Save', 'Cut', 'Copy']) {
      expect(elements(look, 'button', name).length, name).toBeGreaterThanOrEqual(1);
    }
    const { proved, wrong } = await proveClickPoints(app, ({ name }) => name !== undefined);
    expect(wrong).toEqual([]);
    expect(proved).toBeGreaterThan(60);
  });

  test('what LibreOffice draws itself is where we say: a click there presses Bold', async () => {
    await app.activate();
    await room.click(await app.the('togglebutton', 'Bold'));
    await app.until('Bold pressed', (look) => theOne(look, 'togglebutton', 'Bold').states.pressed);
    await room.click(await app.the('togglebutton', 'Bold'));
    await app.until('Bold released', (look) => !theOne(look, 'togglebutton', 'Bold').states.pressed);
  });
});

describe('LibreOffice Writer', () => {
  let app: App;

  beforeAll(async () => {
    const file = await room.file('letter.txt', 'Dear Ada,\nthe engine works: naïve café 日本.\n');
    app = await room.start(/letter\.txt/, 'libreoffice', '--writer', file);
  });

  test('paragraphs are read as they stand in the file', async () => {
    const look = await app.until('both paragraphs', (seen) => elements(seen, 'paragraph').length >= 2);
    const texts = elements(look, 'paragraph').map(({ value, name }) => value ?? name);
    expect(texts).toEqual(expect.arrayContaining(['Dear Ada,', 'the engine works: naïve café 日本.']));
  });

  test('what a person types is read', async () => {
    await app.activate();
    await room.keys('ctrl+End');
    await room.typeText('Yours, Charles');
    await app.until('the typed words', (look) =>
      elements(look, 'paragraph').some(({ value }) => String(value).endsWith('Yours, Charles')),
    );
  });
});

describe('an empty sheet with the others open', () => {
  test('costs under 1,500 tokens and is not folded', async () => {
    const app = await room.start(/^Untitled \d+ - LibreOffice Calc$/, 'libreoffice', '--calc');
    const { text } = await room.real.call('ui_snapshot', { window: app.ref });
    expect(tokensOf(text)).toBeLessThan(1500);
    expect(text).toContain('nothing folded');
  });
});
