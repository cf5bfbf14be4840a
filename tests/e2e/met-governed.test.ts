// @module-tag safety

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { GovernedDesktop } from './support/governed-desktop.js';
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
  expect((await click('Fine')).text).toMatch(/^(ok|no change): click/);
  await until('the click', async () => (await page.run<string[]>('window.hits')).join() === 'Keep');
});
