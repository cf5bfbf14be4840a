import { afterAll, beforeAll, expect, test } from 'vitest';
import { WorkRoom } from './support/work-room.js';

let work: WorkRoom;
beforeAll(async () => {
  work = await WorkRoom.open();
  await work.launch('libreoffice', '--calc');
  await work.until('togglebutton:Bold && enabled=true');
});
afterAll(() => work?.close());

test('a new sheet comes by the button beside the tabs, which listens to the mouse alone', async () => {
  expect((await work.do('ui_snapshot')).text).toMatch(/"Sheet 1 of 1"/);
  const { json } = await work.act('ui_click', { target: 'button:Add', verify: 'tab:Sheet2' });
  expect(json.method).toBe('input');
  // Its status bar counts them.
  await work.until({ text: 'Sheet 2 of 2' });
});

test('buttons of its tool bars and dialogs are pressed without the mouse', async () => {
  const bold = await work.act('ui_click', { target: 'togglebutton:Bold' });
  expect(bold.json.method).toBe('pattern');
  await work.act('ui_click', { target: 'menuitem:"Cells..."', verify: { window: 'Format Cells' } });
  const cancel = 'window="Format Cells" >> button:Cancel';
  const closed = await work.act('ui_click', { target: cancel, verify: { windowClosed: 'Format Cells' } });
  expect(closed.json.method).toBe('pattern');
});
