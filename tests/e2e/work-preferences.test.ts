import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from './support/seat-room.js';
import { WorkRoom } from './support/work-room.js';

let work: WorkRoom;
let pid: number;
beforeAll(async () => {
  work = await WorkRoom.open();
  pid = await work.launch('gnome-calculator');
  await work.act('ui_click', { target: 'button:"Primary menu"' });
  await work.act('ui_click', { target: 'menuitem:Preferences', verify: { window: 'Preferences' } });
});
afterAll(() => work?.close());

const words = async (): Promise<string[]> => (await work.textsOf(pid)).map(({ text }) => text);

test('reads the selected item of libadwaita rows', async () => {
  const { text } = await work.do('ui_snapshot', { window: 'Preferences' });
  expect(text).toMatch(/combobox "Angle units": "Degrees"/);
  expect(text).toMatch(/combobox "Word size": "64-bit"/);
});

test('an option of such a row is chosen and read back, and stays when another row is set', async () => {
  const first = await work.act('ui_set_value', { target: 'combobox:"Angle units"', value: 'Gradians' });
  expect(first.text).toMatch(/read back the same/);
  const second = await work.act('ui_set_value', { target: 'combobox:"Word size"', value: '16-bit' });
  expect(second.text).toMatch(/read back the same/);
  const same = await work.do('ui_set_value', { target: 'combobox:"Word size"', value: '16-bit' });
  expect(same.text).toMatch(/read back the same/);
  const refused = work.do('ui_set_value', { target: 'combobox:"Word size"', value: '17-bit' });
  await expect(refused).rejects.toThrow(/has no option "17-bit"/);
  const { text } = await work.do('ui_snapshot', { window: 'Preferences' });
  expect(text).toMatch(/combobox "Angle units": "Gradians"/);
  const told = await words();
  expect(told).toContain('Gradians');
  expect(told).toContain('16-bit');
});

test('what the calculator reckons with is what was chosen', async () => {
  await work.act('ui_key', { keys: 'Escape', verify: { windowClosed: 'Preferences' } });
  await work.act('ui_set_value', { target: 'role=textbox && editable=true', window: 'Calculator', value: 'sin(100)' });
  await work.act('ui_key', { keys: 'Enter' });
  // A right angle has 100 gradians.
  await until('the sine of a right angle', async () => (await words()).includes('1'));
});
