import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from './support/seat-room.js';
import { WorkRoom } from './support/work-room.js';

let work: WorkRoom;
let calculator: number;
beforeAll(async () => {
  work = await WorkRoom.open();
  calculator = await work.launch('gnome-calculator');
});
afterAll(() => work?.close());

const key = (name: string): string => `app=gnome-calculator >> button:"${name}"`;
const shows = (result: string): Promise<unknown> =>
  until(`${result} in its display`, async () =>
    (await work.textsOf(calculator)).some(({ role, text }) => role === 'text' && text === result),
  );

test('gnome-calculator computes 12.5 × 8, key by key', async () => {
  for (const name of ['1', '2', '.', '5', '×', '8', '=']) {
    const { json, text } = await work.act('ui_click', { target: key(name) });
    expect(json, text).toMatchObject({ method: 'pattern', delivered: 'yes', changed: 'yes' });
  }
  await shows('100');
});

test('and another in one call', async () => {
  const clicks = ['9', '×', '9', '='].map((name) => ({ tool: 'ui_click', target: key(name) }));
  const clear = { tool: 'ui_key', keys: 'Escape', window: 'Calculator' };
  const { text } = await work.do('ui_batch', { steps: [clear, ...clicks] });
  expect(text).toMatch(/^ok: 5 of 5 steps/);
  await shows('81');
});
