import { beforeEach, expect, test } from 'vitest';
import { pageWork } from './support/page-work.js';

/** Two lists as pages draw them: one that scrolls by itself, and one that the edge of the window cuts off. */
const LISTS = `
<style>
  .list { background: white; border: 1px solid; display: none; position: absolute; width: 200px; z-index: 9 }
  .open .list { display: block }
  #short .list { height: 70px; overflow: auto }
  #low { left: 500px; position: absolute; top: calc(100vh - 60px) }
</style>
<div id=short><div role=combobox tabindex=0 aria-label=Fruit>none</div><div role=listbox class=list></div></div>
<div id=low><div role=combobox tabindex=0 aria-label=Herb>none</div><div role=listbox class=list></div></div>`;

const FILL = `
window.taken = [];
for (const [id, word] of [['short', 'Fruit'], ['low', 'Herb']]) {
  const box = document.getElementById(id);
  const combo = box.querySelector('[role=combobox]');
  const list = box.querySelector('.list');
  list.id = id + '-list';
  combo.setAttribute('aria-controls', list.id);
  combo.setAttribute('aria-haspopup', 'listbox');
  const show = (on) => { box.classList.toggle('open', on); combo.setAttribute('aria-expanded', String(on)) };
  show(false);
  combo.onclick = () => show(!box.classList.contains('open'));
  for (const name of [...Array(40).keys()].map((n) => word + ' ' + (n + 1)).concat('Twice', 'Twice')) {
    const option = document.createElement('div');
    option.setAttribute('role', 'option');
    option.textContent = name;
    option.onclick = () => { window.taken.push(name); combo.textContent = name; show(false) };
    list.append(option);
  }
}
0`;

const room = pageWork(LISTS, 'combobox:Herb', FILL);
beforeEach(() => room.page.run('window.taken = []; 0'));

test.each([
  ['Fruit', 'Fruit 2'],
  ['Fruit', 'Fruit 30'],
  ['Fruit', 'Fruit 1'],
  ['Fruit', 'Fruit 40'],
  ['Herb', 'Herb 25'],
])('%s: the option %s is chosen, in view or not', async (combo, value) => {
  await room.work.act('ui_set_value', { target: `combobox:${combo}`, value });
  expect(await room.page.run('window.taken')).toEqual([value]);
});

test.each([
  ['Twice', /^failed: ambiguous_target\. e\d+ combobox has 2 options "Twice"; its list was closed again/],
  ['Fruit 77', /^failed: element_not_found\. e\d+ combobox has no option "Fruit 77"[^]* and 22 more/],
])('%s is refused, and the list is closed again', async (value, said) => {
  await expect(room.work.do('ui_set_value', { target: 'combobox:Fruit', value })).rejects.toThrow(said);
  expect(await room.page.run('window.taken')).toEqual([]);
  expect(await room.page.run("document.getElementById('short').className")).toBe('');
});
