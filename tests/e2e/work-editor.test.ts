import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from './support/seat-room.js';
import { WorkRoom } from './support/work-room.js';

const TEXT = 'héllo 日本 😀 Ω€\nand a second line\n';
const DOCUMENT = 'app=mousepad >> role=textbox';

let work: WorkRoom;
beforeAll(async () => {
  work = await WorkRoom.open();
});
afterAll(() => work?.close());

test('mousepad writes a text and saves it through its menus and dialogs', async () => {
  await work.launch('mousepad');
  await work.act('ui_type', { target: DOCUMENT, text: TEXT });
  await work.act('ui_click', { target: 'app=mousepad >> menuitem:"Save As..."', verify: { window: 'Save As' } });
  const path = work.file('notes.txt');
  await work.act('ui_set_value', { target: 'window="Save As" >> textbox:Name', value: path });
  await work.act('ui_click', { target: 'window="Save As" >> button:Save', verify: { windowClosed: 'Save As' } });
  await work.until({ window: 'notes.txt' });
  expect(await readFile(path)).toEqual(Buffer.from(TEXT));
});

test('it is closed', async () => {
  const { text } = await work.act('ui_window', { action: 'close', window: 'notes.txt' });
  expect(text).toMatch(/confirmed by the window manager/);
});

test('and reopened through File > Open, written on and saved again', async () => {
  const pid = await work.launch('mousepad');
  await work.act('ui_click', { target: 'app=mousepad >> menuitem:"Open..."', verify: { window: 'Open File' } });
  await work.act('ui_key', { keys: 'ctrl+l', window: 'Open File', verify: 'textbox:Location && focused=true' });
  await work.act('ui_type', { text: work.file('notes.txt'), target: 'textbox:Location', enter: true });
  await work.until({ window: 'notes.txt' });
  const held = async (): Promise<string[]> => (await work.textsOf(pid)).map(({ text }) => text);
  expect(await held()).toContain(TEXT);

  // Moving only the caret changes nothing in the snapshot.
  await work.do('ui_key', { keys: 'ctrl+End', target: DOCUMENT });
  await work.act('ui_type', { target: DOCUMENT, text: 'the end\n', method: 'input' });
  await work.act('ui_key', { keys: 'ctrl+s', window: 'notes.txt' });
  await until('the file', async () => (await readFile(work.file('notes.txt'), 'utf8')) === `${TEXT}the end\n`);
});
