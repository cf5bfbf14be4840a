// @module-tag safety

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { GovernedDesktop, YES } from './support/governed-desktop.js';
import { PageServer } from './support/page-server.js';
import { until } from './support/seat-room.js';

/** A rule about what lies in a row holds wherever the row is when it is named: browsers bring it into view. */
let room: GovernedDesktop;
let page: PageServer;

const POLICY = 'version: 1\nrules: [{ name: no-havoc, when: { name: Havoc, class: act }, decision: deny }]\n';
const button = (name: string): string =>
  `<button style="width:100%;height:40px" onclick="hits.push('${name}')">${name}</button>`;
const row = (name: string, inside: string): string =>
  `<div role=listitem aria-label="${name}" style="height:40px">${inside}</div>`;
const ROWS = [
  ...Array.from({ length: 60 }, (_, n) => row(`Filler ${n}`, `words ${n}`)),
  row('Full', button('Havoc')),
  row('Fine', button('Keep')),
].join('');
const box = (name: string, more = ''): string =>
  `<input type=checkbox ${more} aria-label="${name}" onclick="parent.hits.push('${name}')">`;
/** With `aria-label`, Chromium exposes no relation between a control and its label. */
const LABELS = `<label>around${box('Havoc')}</label><p>
<label for=beside>beside</label>${box('Havoc', 'id=beside')}<p>plain text
<iframe srcdoc='<label>in a frame${box('Havoc').replaceAll("'", '&apos;')}</label>'></iframe>`;

beforeAll(async () => {
  [room, page] = await Promise.all([GovernedDesktop.open(POLICY), PageServer.start('act-page.html')]);
  await room.seat.launch('chromium', ['--start-maximized', page.url]);
  await page.run(`window.hits = []; document.body.innerHTML = ${JSON.stringify(`<div role=list>${ROWS}</div>`)}; 1`);
  await until(
    'the page',
    async () => Number((await room.call('ui_query', { target: 'listitem:Fine' })).json.total) > 0,
  );
});
afterAll(async () => {
  await room?.close();
  await page?.stop();
});
beforeEach(() => page.run('scrollTo(0, 0); 1'));

const click = (name: string): ReturnType<GovernedDesktop['call']> =>
  room.call('ui_click', { target: `listitem:${name}`, method: 'input', timeoutMs: 10_000 });

test('a click on a row does not press a button in it that a rule denies', async () => {
  expect((await click('Full')).code).toBe('policy_denied');
  expect(await page.run('window.hits')).toEqual([]);
});

test('and presses what none denies', async () => {
  expect((await click('Fine')).text).toMatch(/^(ok|no change|unconfirmed): click/);
  await until('the click', async () => (await page.run<string[]>('window.hits')).join() === 'Keep');
});

test('a drag that opens a menu is not released on an item that a rule denies', async () => {
  const menu =
    '<button id=b style="margin:40px" onmousedown="m.style.visibility=\'visible\';hits.push(\'down\')">Menu</button>' +
    '<div id=m style="visibility:hidden;position:absolute"><div role=menuitem style="height:60px;width:160px"' +
    ' onmouseup="hits.push(\'Havoc\')">Havoc</div></div>';
  await page.run(`window.hits = []; document.body.innerHTML = ${JSON.stringify(menu)}; 1`);
  const { left, bottom } = await page.run<{ left: number; bottom: number }>('b.getBoundingClientRect().toJSON()');
  await page.run(`m.style.left = '${left}px'; m.style.top = '${bottom}px'; 1`);
  await until('the page', async () => Number((await room.call('ui_query', { target: 'button:Menu' })).json.total) > 0);
  const dragged = await room.call('ui_drag', { from: 'button:Menu', dx: 10, dy: 40, timeoutMs: 10_000 });
  expect(dragged.text).toMatch(/^failed: policy_denied\. .*"Havoc" came to \d+,\d+ during the drag/);
  expect(await page.run('window.hits')).toEqual(['down']);
});

const show = async (html: string, named: string): Promise<void> => {
  await page.run(`window.hits = []; document.body.innerHTML = ${JSON.stringify(html)}; 1`);
  await until('the page', async () => Number((await room.call('ui_query', { target: named })).json.total) > 0);
};

test('a click on a label does not press a control that a rule denies', async () => {
  await show(LABELS, '"in a frame"');
  for (const text of ['around', 'beside', 'in a frame']) {
    const said = await room.call('ui_click', { target: `"${text}"`, method: 'input', timeoutMs: 10_000 });
    expect([text, said.code]).toEqual([text, 'policy_denied']);
    expect(said.text).toMatch(/A click here may also press checkbox "Havoc", which rule no-havoc denies/);
  }
  expect(await page.run('window.hits')).toEqual([]);
  const plain = await room.call('ui_click', { target: '"plain text"', method: 'input', timeoutMs: 10_000 });
  expect(plain.code).toBeUndefined();
});

test('a suggestion of the address bar does not run a script without approval', async () => {
  await show(button('Keep'), 'button:Keep');
  const address = 'textbox:"Address and search bar"';
  const script = "javascript:hits.push('script')";
  const typed = { text: script, target: address, method: 'input', timeoutMs: 10_000 };
  expect((await room.call('ui_type', typed, () => YES)).code).toBeUndefined();
  const suggestion = 'role=listitem && name^="javascript:hits"';
  await until('the list', async () => Number((await room.call('ui_query', { target: suggestion })).json.total) > 0);
  const chosen = await room.call('ui_click', { target: `${suggestion} >> nth=0`, timeoutMs: 10_000 });
  const entered = await room.call('ui_key', { keys: 'Enter', timeoutMs: 10_000 });
  const done = [await page.run('window.hits'), room.asked.length, chosen.code, entered.code];
  expect(done).toEqual([[], 1, 'approval_required', 'approval_required']);
});
