// node bench/tokens.mjs [--json]: what one look costs a model, ours beside cua-driver's and Playwright MCP's, in tokens
// of o200k, at the same windows at the same time. Playwright's server looks at the page in a browser of its own.
import '../scripts/node-version.mjs';

const { mkdtemp, rm } = await import('node:fs/promises');
const { tmpdir } = await import('node:os');
const { join } = await import('node:path');
const { build, isBuilt } = await import('../scripts/build.mjs');
const { BENCH, ensurePackages } = await import('../scripts/packages.mjs');
const { giveUp } = await import('../scripts/run.mjs');
if (!isBuilt()) {
  const problems = await build();
  if (problems) giveUp(problems);
}
await ensurePackages(BENCH);
const { openDesktop, perform, TOOLS } = await import('./house.mjs');
const { installCua, startCua } = await import('./act-cua.mjs');
const { servePage } = await import('./orders-page.mjs');
const { ourListing, playwrightTokens } = await import('./tokens-mcp.mjs');
const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');

const WINDOW_MS = 60_000;
const directory = await mkdtemp(join(tmpdir(), 'dp-bench-'));
const page = await servePage();
const url = `http://127.0.0.1:${page.address().port}/`;
const cua = await installCua();
try {
  const rows = [...(await looks()), { what: 'the list of tools', ours: countTokens(await ourListing()) }];
  const playwright = await playwrightTokens(url, directory);
  rows[1].playwright = playwright.look;
  rows[2].playwright = playwright.listing;
  console.log(process.argv.includes('--json') ? JSON.stringify(rows, undefined, 2) : table(rows));
  if (playwright.missing) console.log(`Playwright MCP: ${playwright.missing}`);
} finally {
  page.close();
  page.closeAllConnections();
  await cua.remove?.();
  await rm(directory, { recursive: true, force: true });
}

async function looks() {
  const opened = await openDesktop({
    kind: 'virtual',
    name: `tokens-${process.pid}`,
    size: { width: 1280, height: 900 },
    monitors: 1,
    visible: false,
    runtimeDir: join(directory, 'run'),
    homeDir: join(directory, 'home'),
  });
  const peer = cua.folder ? await startCua(cua, opened.seat.env) : undefined;
  try {
    const rows = [];
    for (const [what, title, program, args] of [
      ['gnome-calculator', 'Calculator', 'gnome-calculator', []],
      ['Chromium, a form and a table of 200 rows', 'Orders', 'chromium', [url]],
    ]) {
      const { pid } = await opened.seat.launch(program, args);
      const call = async (tool, given) =>
        (await perform(opened.desktop, TOOLS, { tool, args: given, caller: 'bench' })).text;
      await call('ui_wait', { until: { window: title }, timeoutMs: WINDOW_MS });
      if (program === 'chromium') await call('ui_wait', { until: 'button:Search', timeoutMs: WINDOW_MS });
      const ours = countTokens(await call('ui_snapshot', { window: title }));
      const theirs = await peer?.ask({ do: 'look', pid });
      rows.push({ what, ours, cua: theirs && countTokens(theirs.text) });
    }
    return rows;
  } finally {
    peer?.end();
    await opened.close();
  }
}

function table(rows) {
  const cell = (tokens, ours) => (tokens === undefined ? '' : `${tokens} (${(tokens / ours).toFixed(1)}x)`);
  return rows
    .map(({ what, ours, cua: theirs, playwright }) =>
      [
        what.padEnd(42),
        `ours ${ours}`.padEnd(12),
        `cua-driver ${cell(theirs, ours)}`.padEnd(28),
        `Playwright MCP ${cell(playwright, ours)}`,
      ].join(''),
    )
    .join('\n');
}
