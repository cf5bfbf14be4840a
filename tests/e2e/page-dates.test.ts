import { expect, test } from 'vitest';
import { pageWork } from './support/page-work.js';

const FIELDS = `
<label>Born <input id=born type=date></label>
<label>Hour <input id=hour type=time></label>
<label>Sealed <input readonly value=seal></label>`;

const room = pageWork(FIELDS, 'textbox:Sealed');

test.each([
  ['Born', 'born', 'Month Born', '05062021', '2021-05-06'],
  ['Hour', 'hour', 'Hours Hour', '0730AM', '07:30'],
])('%s takes keys in its first part and is not called readonly', async (name, id, part, text, held) => {
  for (const target of [`textbox:${name}`, `spinbutton:"${part}"`])
    expect((await room.work.do('ui_describe', { target })).text).not.toContain('readonly');
  const whole = room.work.do('ui_type', { target: `textbox:${name}`, text });
  await expect(whole).rejects.toThrow(`ui_type to type all digits into its first part`);
  await room.work.act('ui_type', { target: `spinbutton:"${part}"`, text });
  expect(await room.page.run(`document.getElementById('${id}').value`)).toBe(held);
});

test('a field that a page has made read-only is called so', async () => {
  expect((await room.work.do('ui_describe', { target: 'textbox:Sealed' })).text).toContain('readonly');
});
