import { afterAll, beforeAll, expect, it } from 'vitest';
import { PageServer } from './support/page-server.js';
import { elements, snapshotUntil, openRealDesktop, type RealDesktop } from './support/real-desktop.js';

let real: RealDesktop;
let page: PageServer;

const ROWS = 1500;

beforeAll(async () => {
  [real, page] = await Promise.all([openRealDesktop(), PageServer.start('page.html')]);
  await real.seat.launch('chromium', ['--start-maximized', page.url]);
  await page.run(`document.body.innerHTML = '<table id="long">' + Array.from({ length: ${ROWS} }, (_, at) =>
    '<tr><td>Person ' + at + '</td><td><button>Edit ' + at + '</button></td></tr>').join('') + '</table>'`);
});
afterAll(async () => {
  await real?.stop();
  await page?.stop();
});

/** Buttons that lie wholly in the view, in the page's own words. */
function inView(): Promise<string[]> {
  return page.run<string[]>(`[...document.querySelectorAll('button')]
    .filter((one) => one.getBoundingClientRect().top >= 2 && one.getBoundingClientRect().bottom <= innerHeight - 2)
    .map((one) => one.innerText)`);
}

// Their parent has more children than are asked one by one.
it.each([
  ['the first rows', 0],
  ['rows in the middle', 700],
  ['the next ones', 712],
  ['the last rows', ROWS - 1],
  ['the first ones again', 0],
])('%s of very many are seen where the page is scrolled to', async (_, row) => {
  await page.run(`long.rows[${row}].scrollIntoView({ block: ${row === 0 ? "'start'" : "'end'"} })`);
  const wanted = await inView();
  expect(wanted.length).toBeGreaterThan(5);
  await snapshotUntil(real, `${wanted[0]} to ${wanted.at(-1)}`, (snapshot) => {
    const seen = new Set(elements(snapshot, 'button').map(({ name }) => name));
    return wanted.every((name) => seen.has(name));
  });
});
