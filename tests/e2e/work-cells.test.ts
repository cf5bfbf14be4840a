import { afterAll, beforeAll, expect, test } from 'vitest';
import { WorkRoom } from './support/work-room.js';

let work: WorkRoom;
let demo: number;
beforeAll(async () => {
  work = await WorkRoom.open();
  demo = await work.launch('gtk3-demo', '--run=editable_cells');
  await work.until('cell:"3" && focused=true');
});
afterAll(() => work?.close());

test('does not report letters as typed into a cell that is not being edited', async () => {
  const { json, text } = await work.do('ui_type', { text: 'bacon', enter: true });
  const cells = (await work.textsOf(demo)).filter(({ role }) => role === 'table cell').map((cell) => cell.text);
  expect(cells).toContain('bottles of coke');
  expect(cells).not.toContain('bacon');
  expect(json.status).toBe('unconfirmed');
  expect(text).toMatch(/a cell that is not being edited/);
});
