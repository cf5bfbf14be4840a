import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WorkRoom } from './support/work-room.js';

let work: WorkRoom;
beforeAll(async () => {
  work = await WorkRoom.open();
  await work.launch('libreoffice', '--calc');
  await work.until('togglebutton:Bold && enabled=true');
});
afterAll(() => work?.close());

const CELLS: [string, string | number][] = [
  ['A1', 'Item'],
  ['B1', 'Prix €'],
  ['A2', '日本 tea, green'],
  ['B2', 12.5],
  // The sheet suggests "Item" here; it must not be taken.
  ['A3', 'It'],
  ['B3', '8'],
  ['A4', 'Ω total'],
  ['B4', '=B2*B3'],
];
const CSV = 'Item,Prix €\n"日本 tea, green",12.5\nIt,8\nΩ total,100\n#DIV/0!,\n';

test.each(CELLS)('%s takes %s', async (address, value) => {
  const { json, text } = await work.act('ui_set_value', { target: `cell:${address}`, value });
  expect(json.method).toBe(typeof value === 'number' || value === '8' ? 'pattern' : 'input');
  // Its side bar is re-created at each of them.
  expect(text).not.toMatch(/"Gallery"/);
});

test('types into a cell that is out of view, and does not overwrite the content of a cell', async () => {
  await work.act('ui_set_value', { target: 'cell:C200', value: 'far down' });
  await expect(work.do('ui_type', { target: 'cell:C200', text: 'x' })).rejects.toThrow(/typing would replace/);
  await work.act('ui_set_value', { target: 'cell:C200', value: '' });
  await work.act('ui_set_value', { target: 'cell:B4', value: '=B2*B3' });
});

test('a cell takes no second line', async () => {
  await expect(work.do('ui_set_value', { target: 'cell:C1', value: 'one\ntwo' })).rejects.toThrow(/takes one line/);
});

test('what has the focus is the cell below the last one', async () => {
  expect((await work.do('ui_describe', { target: 'focused' })).text).toMatch(/cell:B5/);
});

test('a cell is emptied', async () => {
  await work.act('ui_set_value', { target: 'cell:D1', value: 'not for long' });
  await work.act('ui_set_value', { target: 'cell:D1', value: '' });
});

test('reports a formula with an error as the formula, not as done or as an empty cell', async () => {
  const { text, json } = await work.do('ui_set_value', { target: 'cell:A5', value: '=1/0' });
  expect(json.status).toBe('unconfirmed');
  expect(text).toMatch(/the cell holds a formula and exposes no text/);
  expect((await work.do('ui_read', { target: 'cell:A5' })).text).toMatch(/cell: "=1\/0"/);
  expect((await work.do('ui_read', { target: 'role=sheet', range: 'A4:B6' })).text).toMatch(/^5 \| A: =1\/0$/m);
  await expect(work.do('ui_type', { target: 'cell:A5', text: 'x' })).rejects.toThrow(/typing would replace/);
});

test('the sheet is saved as CSV through its dialogs', async () => {
  const path = work.file('sheet.csv');
  await work.act('ui_click', { target: 'app=libreoffice >> menuitem:"Save As..."', verify: { window: 'Save' } });
  await work.act('ui_set_value', { target: 'window=Save >> textbox:Name', value: path });
  await work.act('ui_click', { target: 'window=Save >> button:Save', verify: { window: 'Confirm File Format' } });
  await work.act('ui_click', { target: 'button:"Use Text CSV Format"', verify: { window: 'Export Text File' } });
  const ok = 'window="Export Text File" >> button:OK';
  await work.act('ui_click', { target: ok, verify: { window: 'sheet.csv' } });
  expect(await readFile(path, 'utf8')).toBe(CSV);
});
