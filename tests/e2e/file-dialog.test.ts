import { expect, test } from 'vitest';
import { pageWork } from './support/page-work.js';

const DIALOG = 'Open File';

const room = pageWork('<button>Title</button><input type=file aria-label=Pick>', 'button:"Pick: No file chosen"');

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

async function placeOf(title: string): Promise<Box> {
  const { json } = await room.work.do('ui_list_windows');
  const { windows } = json as unknown as { windows: { title: string; bounds: Box }[] };
  return windows.find((one) => one.title.includes(title))!.bounds;
}

const open = (): Promise<unknown> =>
  room.work.act('ui_click', { target: 'button:"Pick: No file chosen"', verify: { window: DIALOG }, settleMs: 500 });
const close = (): Promise<unknown> =>
  room.work.act('ui_window', { action: 'close', window: DIALOG, verify: { windowClosed: DIALOG }, settleMs: 500 });

test('a file dialog just over its browser has nothing of the browser in it', async () => {
  await open();
  const { x, y, width, height } = await placeOf(DIALOG);
  await close();
  await room.work.act('ui_window', { action: 'move', window: 'Acted on', x, y, settleMs: 500 });
  await room.work.act('ui_window', { action: 'resize', window: 'Acted on', width, height, settleMs: 500 });
  await room.work.until('button:Title');
  await open();
  const { text } = await room.work.do('ui_snapshot', { window: DIALOG });
  expect(text).toMatch(/^snapshot s\d+ of w\d+, 1 element, complete: no, w\d+: the app exposes no content for/);
  expect((await room.work.do('ui_snapshot', { window: 'Acted on' })).text).toMatch(/"Title"/);
  const described = await room.work.do('ui_describe', { target: 'button:Title' });
  expect(described.text).not.toContain(DIALOG);
  await close();
});
