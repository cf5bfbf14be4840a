import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from './support/seat-room.js';
import { WorkRoom } from './support/work-room.js';

let work: WorkRoom;
let demo: number;
beforeAll(async () => {
  work = await WorkRoom.open();
  demo = await work.launch('gtk4-demo');
});
afterAll(() => work?.close());

/** Whether the app itself has the row below it. */
const shows = (row: string, wanted: boolean): Promise<unknown> =>
  until(`${wanted ? '' : 'no '}${row}`, async () => {
    const rows = await work.textsOf(demo);
    return rows.some(({ role, text }) => role === 'label' && text === row) === wanted;
  });

test.each(['pattern', 'input'])('a row of a GTK 4 tree is closed and opened, by %s', async (method) => {
  await shows('Fishbowl', true);
  const closed = await work.act('ui_act', { action: 'collapse', target: 'group:Benchmark', method });
  expect(closed.json.method).toBe(method);
  await shows('Fishbowl', false);
  await work.act('ui_act', { action: 'expand', target: 'group:Benchmark', method });
  await shows('Fishbowl', true);
});
