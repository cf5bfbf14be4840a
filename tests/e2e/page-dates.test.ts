import { afterAll, beforeAll, expect, test } from 'vitest';
import { PageServer } from './support/page-server.js';
import { WorkRoom } from './support/work-room.js';

const FIELDS = `
<label>Born <input id=born type=date></label>
<label>Hour <input id=hour type=time></label>
<label>Sealed <input readonly value=seal></label>`;

let work: WorkRoom;
let page: PageServer;
beforeAll(async () => {
  [work, page] = await Promise.all([WorkRoom.open(), PageServer.start('act-page.html')]);
  await work.launch('chromium', page.url);
  await work.until('button:Save');
  await page.run(`document.body.insertAdjacentHTML('afterbegin', ${JSON.stringify(FIELDS)}); 0`);
  await work.until('textbox:Sealed');
});
afterAll(async () => {
  await work?.close();
  await page?.stop();
});

test.each([
  ['Born', 'born', 'Month Born', '05062021', '2021-05-06'],
  ['Hour', 'hour', 'Hours Hour', '0730AM', '07:30'],
])('%s takes keys in its first part and is not called readonly', async (name, id, part, text, held) => {
  for (const target of [`textbox:${name}`, `spinbutton:"${part}"`])
    expect((await work.do('ui_describe', { target })).text).not.toContain('readonly');
  const whole = work.do('ui_type', { target: `textbox:${name}`, text });
  await expect(whole).rejects.toThrow(`ui_type all digits into its first part`);
  await work.act('ui_type', { target: `spinbutton:"${part}"`, text });
  expect(await page.run(`document.getElementById('${id}').value`)).toBe(held);
});

test('a field that a page has made read-only is called so', async () => {
  expect((await work.do('ui_describe', { target: 'textbox:Sealed' })).text).toContain('readonly');
});
