import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { traceHtml, traceOf } from '../../src/replay/index.js';
import { HOSTILE, hostileTrace } from '../scenes/hostile-trace.js';

// The page of a trace in the browser that people open it with. It needs no display.

const folder = mkdtempSync(join(tmpdir(), 'dp-page-'));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/** What the browser made of a page, as it stands when its scripts have run. */
function opened(name: string, page: string): Promise<string> {
  const file = join(folder, `${name}.html`);
  writeFileSync(file, page);
  const flags = [
    '--headless=new',
    '--no-sandbox',
    '--disable-gpu',
    `--user-data-dir=${join(folder, name)}`,
    '--dump-dom',
  ];
  return new Promise((resolve, reject) => {
    const options = { maxBuffer: 64 * 1024 * 1024, timeout: 100_000 };
    execFile('chromium', [...flags, pathToFileURL(file).href], options, (error, out) =>
      error && out === '' ? reject(new Error('The browser gave no page.', { cause: error })) : resolve(out),
    );
  });
}

const titleOf = (dom: string): string | undefined => /<title>([^<]*)<\/title>/.exec(dom)?.[1]?.replaceAll('&#39;', "'");

describe('a page of hostile texts', () => {
  const page = traceHtml(hostileTrace());
  let dom: string;
  beforeAll(async () => {
    dom = await opened('hostile', page);
  });

  test('runs its own script and no other', () => {
    expect(dom).toContain('<body class="live">');
    expect(titleOf(dom)).toBe(titleOf(page));
  });

  test('has no element that a text brought', () => {
    expect(dom.match(/<(img|svg|iframe|object|script|style)\b/g)?.sort()).toEqual(['<script', '<style']);
  });
});

test('a script that got in all the same is not run', async () => {
  const page = traceHtml(traceOf([])).replace(
    '<main>',
    `<main><script>document.title='hacked'</script><img src=x onerror="document.title='hacked'">`,
  );
  expect(page).toContain('hacked');
  expect(titleOf(await opened('broken', page))).toBe(titleOf(page));
});

test('keys and buttons show what is asked for', async () => {
  const keys = `
    const press = (key, on = document.body) => on.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    const shown = () => document.querySelectorAll('.step:not([hidden])').length;
    const said = [shown()];
    press('1'); said.push(shown());
    press('1'); said.push(shown());
    document.querySelector('[data-filter=act]').click(); said.push(shown());
    press('0'); said.push(shown());
    const search = document.querySelector('input'); search.value = 'zzz'; search.dispatchEvent(new Event('input'));
    said.push(shown(), document.querySelector('.nothing').hidden);
    press('Escape', search); said.push(shown());
    press('j'); press('j'); said.push(document.activeElement.id); press('k'); said.push(document.activeElement.id);
    press('o'); said.push(document.querySelectorAll('details[open]').length);
    document.title = JSON.stringify(said);`;
  const page = traceHtml(hostileTrace()).replace(/script-src 'sha256-[^']*'/, "script-src 'unsafe-inline'");
  const dom = await opened(
    'keys',
    page.replace('</body>', () => `<script>${keys}</script></body>`),
  );
  const each = HOSTILE.length;
  const all = 3 * each;
  expect(JSON.parse(titleOf(dom)!)).toEqual([all, each, all, each, all, 0, false, all, 's2', 's1', 1]);
});
