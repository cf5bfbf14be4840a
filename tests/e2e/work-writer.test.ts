import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from './support/seat-room.js';
import { WorkRoom } from './support/work-room.js';

// LibreOffice runs shortcuts later than other keys, has a paragraph for each line, and leaves the state "focused" on a
// paragraph while a field of its tool bar has the focus.

let work: WorkRoom;
let writer: number;
beforeAll(async () => {
  work = await WorkRoom.open();
  await work.launch('libreoffice', '--writer');
  await work.until('togglebutton:Bold && enabled=true');
  await work.until('role=paragraph');
  // Not the started process, which is a script.
  const { json } = await work.do('ui_list_windows');
  writer = (json.windows as { title: string; pid: number }[]).find(({ title }) => title.includes('Writer'))!.pid;
});
afterAll(() => work?.close());

const FIRST = 'role=document >> role=paragraph >> nth=0';
const paragraphs = async (): Promise<string[]> =>
  (await work.textsOf(writer)).filter(({ role }) => role === 'paragraph').map(({ text }) => text);
const document = (...expected: string[]): Promise<unknown> =>
  until(expected.join('|'), async () => (await paragraphs()).join('|') === expected.join('|'));

test('keys after a shortcut arrive where the shortcut has put the caret', async () => {
  await work.do('ui_set_value', { target: FIRST, value: 'A' });
  await work.do('ui_key', { keys: 'ctrl+End Enter B Enter C' });
  await document('A', 'B', 'C');
  const expected = ['A', 'B', 'C'];
  for (let round = 0; round < 3; round++) {
    await work.do('ui_key', { keys: 'ctrl+Home Down X ctrl+End Y ctrl+Home Z' });
    expected[1] = `X${expected[1]}`;
    expected[2] += 'Y';
    expected[0] = `Z${expected[0]}`;
    await document(...expected);
  }
});

test('each line of a text becomes a paragraph', async () => {
  await work.do('ui_key', { keys: 'ctrl+a Delete' });
  await document('');
  await work.do('ui_type', { target: FIRST, text: '1st\n2nd' });
  expect(await paragraphs()).toHaveLength(2);
  await work.do('ui_key', { keys: 'ctrl+a Delete' });
  await document('');
  await work.do('ui_set_value', { target: FIRST, value: 'Alpha\nBeta\nGamma' });
  await document('Alpha', 'Beta', 'Gamma');
});

test('a field of the tool bar takes its value with Enter, and has the focus before', async () => {
  const size = 'textbox:"Font Size"';
  const { json, text } = await work.do('ui_set_value', { target: size, value: '18' });
  expect(json).toMatchObject({ committed: 'no' });
  expect(text).toContain('not committed');
  await work.do('ui_click', { target: size, method: 'input' });
  await work.until({ focused: size });
  await work.do('ui_set_value', { target: size, value: '20', enter: true });
  await work.until(`${size} && value="20 pt"`);
  await work.do('ui_key', { target: size, keys: 'ctrl+a 1 1 Enter' });
  await work.until(`${size} && value="11 pt"`);
});
