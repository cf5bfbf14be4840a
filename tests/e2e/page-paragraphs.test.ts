import { expect, test } from 'vitest';
import { pageWork } from './support/page-work.js';

const NOTE = '<div id=note contenteditable role=textbox aria-multiline=true aria-label=Note style="height:90px"></div>';

const room = pageWork(NOTE, 'textbox:Note');

test('reports text of two lines as two lines', async () => {
  await room.work.act('ui_type', { target: 'textbox:Note', text: 'first\nsecond' });
  expect(await room.page.run("document.getElementById('note').innerText")).toBe('first\nsecond');
  await room.work.until({ value: ['textbox:Note', 'first\nsecond'] });
  const { text } = await room.work.act('ui_type', { target: 'textbox:Note', text: ' and more' });
  expect(await room.page.run("document.getElementById('note').innerText")).toBe('first\nsecond and more');
  expect(text).toMatch(/"first\\nsecond and more" \(was "first\\nsecond"\)/);
});
