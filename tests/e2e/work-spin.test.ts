import { afterAll, beforeAll, expect, test } from 'vitest';
import { WorkRoom } from './support/work-room.js';

let work: WorkRoom;
let factory: number;
beforeAll(async () => {
  work = await WorkRoom.open();
  factory = await work.launch('gtk3-widget-factory');
});
afterAll(() => work?.close());

const SPIN = 'role=spinbutton >> nth=0';
const shown = async (): Promise<string[]> =>
  (await work.textsOf(factory)).filter(({ role }) => role === 'spin button').map(({ text }) => text);

test('a spin button that shows another number than it was given is told with what it shows', async () => {
  const whole = await work.act('ui_set_value', { target: SPIN, value: 12 });
  expect(whole.text).toMatch(/read back the same/);
  expect((await shown())[0]).toBe('12');
  const rounded = await work.do('ui_set_value', { target: SPIN, value: 12.75 });
  expect((await shown())[0]).toBe('13');
  expect(rounded.json.status).toBe('unconfirmed');
  expect(rounded.text).toMatch(/its value is as requested, but it displays "13"/);
});
