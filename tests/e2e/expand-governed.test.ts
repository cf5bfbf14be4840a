// @module-tag safety

import { afterAll, beforeAll, expect, test } from 'vitest';
import { GovernedDesktop } from './support/governed-desktop.js';
import { PageServer } from './support/page-server.js';
import { until } from './support/seat-room.js';

let room: GovernedDesktop;
let page: PageServer;

/** Whatever they are called, they do something when they are clicked. */
const CONTROLS = ['menuitem', 'treeitem', 'tab', 'checkbox', 'switch', 'combobox', 'row', 'gridcell', 'button', 'link'];
const WRITTEN = CONTROLS.map(
  (role) =>
    `<div role=${role} tabindex=0 aria-expanded=false aria-label="As ${role}" onclick="hits.push('${role}')">x</div>`,
).join('');
const SUMMARY = `<details><summary aria-label="As summary" onclick="hits.push('summary')">x</summary>y</details>`;
const TOGGLE = `<button aria-pressed=false aria-expanded=false aria-label="As toggle" onclick="hits.push('toggle')">x</button>`;

beforeAll(async () => {
  [room, page] = await Promise.all([
    GovernedDesktop.open('version: 1\nprofile: { virtual: guarded }\nenabled: true\n'),
    PageServer.start('act-page.html'),
  ]);
  await room.seat.launch('chromium', ['--start-maximized', page.url]);
  await page.run(
    `window.hits = []; document.body.innerHTML = ${JSON.stringify(`<div role=tree>${WRITTEN}</div>${SUMMARY}${TOGGLE}`)}; 1`,
  );
  await until('the page', () => isThere('name="As toggle"'));
});
afterAll(async () => {
  await room?.close();
  await page?.stop();
});

const isThere = async (target: string): Promise<boolean> =>
  Number((await room.call('ui_query', { target })).json.total) > 0;

test.each([...CONTROLS, 'summary', 'toggle'])('expand is a click on a page, and is asked about: %s', async (role) => {
  const said = await room.call('ui_act', { action: 'expand', target: `name="As ${role}"`, timeoutMs: 2_000 });
  expect(said.code).toBe('approval_required');
  expect(await page.run('window.hits')).toEqual([]);
});

test('and is free where it only opens something', async () => {
  await room.seat.launch('mousepad', []);
  await until('the editor', () => isThere('menuitem:Search'));
  const shown = async (): Promise<boolean> => {
    const { matches } = (await room.call('ui_query', { target: 'menuitem:"Find..."' })).json;
    return (matches as { offscreen?: true }[] | undefined)?.some(({ offscreen }) => !offscreen) ?? false;
  };
  expect(await shown()).toBe(false);
  const said = await room.call('ui_act', { action: 'expand', target: 'menuitem:Search' });
  expect(said.text).toMatch(/^ok: expand/);
  await until('the menu', shown);
});
