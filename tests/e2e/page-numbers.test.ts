import { expect, test } from 'vitest';
import { pageWork } from './support/page-work.js';

const FIELDS = `
<div id=numbers>
  <label>Cents <input id=cents type=number step=0.01 value=5></label>
  <label>Part <input id=part type=range min=0 max=1 step=0.1 value=0.5></label>
</div>`;

const room = pageWork(FIELDS, 'spinbutton:Cents');

const inPage = (id: string): Promise<string> => room.page.run<string>(`document.getElementById('${id}').value`);

test.each<[string, string, string, number, string, string]>([
  ['spinbutton:Cents', 'cents', 'auto', 12.34, '12.34', 'by input'],
  ['spinbutton:Cents', 'cents', 'auto', 7.5, '7.5', 'by pattern'],
  ['spinbutton:Cents', 'cents', 'auto', 123456789, '123456789', 'by input'],
  ['spinbutton:Cents', 'cents', 'input', 19.99, '19.99', 'by input'],
  ['slider:Part', 'part', 'auto', 0.3, '0.3', 'by pattern'],
  ['slider:Part', 'part', 'pattern', 0.7, '0.7', 'by pattern'],
])('%s (%s) by %s to %d: the page has %s', async (target, id, method, value, held, how) => {
  const { text } = await room.work.act('ui_set_value', { target, value, method });
  expect(await inPage(id)).toBe(held);
  expect(text).toContain(`${how}, `);
  expect(text).toContain('read back the same');
  await room.work.until({ value: [target, value] });
});

test('what would become another number is not written by pattern, and the answer says why', async () => {
  await room.work.act('ui_set_value', { target: 'spinbutton:Cents', value: 5 });
  for (const value of [12.34, 123456789])
    await expect(
      room.work.do('ui_set_value', { target: 'spinbutton:Cents', value, method: 'pattern' }),
    ).rejects.toThrow(`spinbutton would hold ${Math.fround(value)}: its app takes numbers in 32 bits. Delivered: no`);
  expect(await inPage('cents')).toBe('5');
});

test('reports changed numbers with the digits of the page', async () => {
  await room.page.run("document.getElementById('cents').value = '19.99'; 0");
  await room.work.until({ value: ['spinbutton:Cents', 19.99] });
  const { text } = await room.work.act('ui_act', { target: 'spinbutton:Cents', action: 'increment' });
  expect(await inPage('cents')).toBe('20');
  expect(text).toMatch(/: 20 \(was (not focused: )?19\.99\)/);
});
