import { afterAll, beforeAll, expect, test } from 'vitest';
import { PageServer } from './support/page-server.js';
import { WorkRoom } from './support/work-room.js';

const DIALOG = 'Open File';

let work: WorkRoom;
let page: PageServer;
beforeAll(async () => {
  [work, page] = await Promise.all([WorkRoom.open(), PageServer.start('act-page.html')]);
  await work.launch('chromium', page.url);
  await work.until('button:Save');
  await page.run(
    `document.body.insertAdjacentHTML('afterbegin', '<button>Title</button><input type=file aria-label=Pick>'); 0`,
  );
  await work.until('button:"Pick: No file chosen"');
});
afterAll(async () => {
  await work?.close();
  await page?.stop();
});

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

async function placeOf(title: string): Promise<Box> {
  const { json } = await work.do('ui_list_windows');
  const { windows } = json as unknown as { windows: { title: string; bounds: Box }[] };
  return windows.find((one) => one.title.includes(title))!.bounds;
}

const open = (): Promise<unknown> =>
  work.act('ui_click', { target: 'button:"Pick: No file chosen"', verify: { window: DIALOG }, settleMs: 500 });
const close = (): Promise<unknown> =>
  work.act('ui_window', { action: 'close', window: DIALOG, verify: { windowClosed: DIALOG }, settleMs: 500 });

test('a file dialog just over its browser has nothing of the browser in it', async () => {
  await open();
  const { x, y, width, height } = await placeOf(DIALOG);
  await close();
  await work.act('ui_window', { action: 'move', window: 'Acted on', x, y, settleMs: 500 });
  await work.act('ui_window', { action: 'resize', window: 'Acted on', width, height, settleMs: 500 });
  await work.until('button:Title');
  await open();
  const { text } = await work.do('ui_snapshot', { window: DIALOG });
  expect(text).toMatch(/^snapshot s\d+ of w\d+, 1 element, degraded: w\d+: the app tells nothing of what is in/);
  expect((await work.do('ui_snapshot', { window: 'Acted on' })).text).toMatch(/"Title"/);
  const described = await work.do('ui_describe', { target: 'button:Title' });
  expect(described.text).not.toContain(DIALOG);
  await close();
});
