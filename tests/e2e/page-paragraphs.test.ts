import { afterAll, beforeAll, expect, test } from 'vitest';
import { PageServer } from './support/page-server.js';
import { WorkRoom } from './support/work-room.js';

const NOTE = '<div id=note contenteditable role=textbox aria-multiline=true aria-label=Note style="height:90px"></div>';

let work: WorkRoom;
let page: PageServer;
beforeAll(async () => {
  [work, page] = await Promise.all([WorkRoom.open(), PageServer.start('act-page.html')]);
  await work.launch('chromium', page.url);
  await work.until('button:Save');
  await page.run(`document.body.insertAdjacentHTML('afterbegin', ${JSON.stringify(NOTE)}); 0`);
  await work.until('textbox:Note');
});
afterAll(async () => {
  await work?.close();
  await page?.stop();
});

test('what was written in two lines is told as two lines', async () => {
  await work.act('ui_type', { target: 'textbox:Note', text: 'first\nsecond' });
  expect(await page.run("document.getElementById('note').innerText")).toBe('first\nsecond');
  await work.until({ value: ['textbox:Note', 'first\nsecond'] });
  const { text } = await work.act('ui_type', { target: 'textbox:Note', text: ' and more' });
  expect(await page.run("document.getElementById('note').innerText")).toBe('first\nsecond and more');
  expect(text).toMatch(/"first\\nsecond and more" \(was "first\\nsecond"\)/);
});
