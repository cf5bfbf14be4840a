import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect as so, test } from 'vitest';
import { CliRoom } from './cli-room.js';
import { LIBRARY } from './support/library.js';
import { until } from './support/seat-room.js';

// A desktop ends with the process that opened it, however that ends. Each case runs in its own process.

const room = new CliRoom();
const folder = mkdtempSync(join(tmpdir(), 'dp-library-'));
afterAll(async () => {
  await room.close();
  rmSync(folder, { recursive: true, force: true });
});

function script(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

async function run(file: string, ...flags: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [...flags, file], { env: room.env, cwd: folder });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

const OPEN = `
import { openDesktop } from ${JSON.stringify(LIBRARY)};
const desktop = await openDesktop({ policy: { version: 1 }, timeoutMs: 30000 });
const app = await desktop.launch('xeyes', { timeoutMs: 30000 });
await app.firstWindow();
console.log('open');
`;

const ENDS: Record<string, [how: string, code: number | null]> = {
  'dispose after an exception': [
    "try { throw new Error('oh'); } finally { await app[Symbol.asyncDispose](); await desktop[Symbol.asyncDispose](); }",
    1,
  ],
  'an uncaught exception': ['throw new Error("oh");', 1],
  'the end of the script, without close()': ['', 0],
  'kill -9': ['process.kill(process.pid, "SIGKILL");', null],
};

describe('nothing is left', () => {
  let ended: { name: string; code: number | null; out: string; err: string }[];
  beforeAll(async () => {
    ended = await Promise.all(
      Object.entries(ENDS).map(async ([name, [how]], at) => ({
        name,
        ...(await run(script(`ends-${at}.mjs`, `${OPEN}\n${how}`))),
      })),
    );
  });

  test.each(Object.entries(ENDS))('the program ran, and ended by %s', (name, [, code]) => {
    const { out, err, code: seen } = ended.find((one) => one.name === name)!;
    so({ out, code: seen }, err).toEqual({ out: 'open\n', code });
  });

  test('desktops and apps are gone, and their files', async () => {
    await until('everything to be gone', () => room.processes().length === 0 && room.files().length === 0);
  });
});

test('a trace is a page of each failure and one of all that was done, for its owner alone', async () => {
  const stays = { name: 'stays', when: { tool: 'ui_window', args: { action: 'close' } }, decision: 'deny' };
  const file = script(
    'traced.mjs',
    `import { openDesktop } from ${JSON.stringify(LIBRARY)};
     const policy = ${JSON.stringify({ version: 1, rules: [stays] })};
     const desktop = await openDesktop({ policy, timeoutMs: 30000, trace: 'on' });
     await desktop.launch('xclock', { args: ['-title', 'Plain <b>clock</b>'], timeoutMs: 60000 });
     const window = await desktop.waitForWindow('Plain', { timeoutMs: 60000 });
     await window.close().catch(({ message }) => console.log(message));
     await window.move({ x: 5, y: 6 });
     await desktop.close();
     console.log('closed ' + desktop.name);`,
  );
  const { code, out, err } = await run(file);
  so(code, err).toBe(0);
  const name = /^closed (.+)$/m.exec(out)![1]!;
  const traces = join(folder, 'deskproof-trace');
  const [failure, all] = [`${name}-failure-1.html`, `${name}.html`];
  so(readdirSync(traces).sort()).toEqual([failure, all]);
  so(out).toContain(`\ntrace: ${join(traces, failure)}\nclosed `);
  const modes = ['', failure, all].map((one) => statSync(join(traces, one)).mode & 0o777);
  so(modes).toEqual([0o700, 0o600, 0o600]);
  const [part, whole] = [failure, all].map((one) => readFileSync(join(traces, one), 'utf8')) as [string, string];
  for (const page of [part, whole]) {
    so(page).toContain('The log verifies');
    so(page).toContain('Plain &lt;b&gt;clock&lt;/b&gt;');
    so(page).not.toContain('<b>clock');
    so(page).toMatch(/policy_denied[^]*stays/);
  }
  so(/<title>(.*)<\/title>/.exec(whole)![1]).toContain(`Trace of ${name}`);
  so([part, whole].map((page) => page.includes('ui_window') && page.includes('>move<'))).toEqual([false, true]);
});

test('importing it loads no driver, no library of a display, and nothing native', async () => {
  const list = join(folder, 'loaded.txt');
  const hooks = script(
    'hooks.mjs',
    `import { appendFileSync } from 'node:fs';
     export const load = (url, context, next) => (appendFileSync(${JSON.stringify(list)}, url + '\\n'), next(url, context));`,
  );
  const register = `data:text/javascript,import{register}from"node:module";register(${JSON.stringify(`file://${hooks}`)})`;
  const file = script(
    'loads.mjs',
    `import { createRequire } from 'node:module';
     const before = new Set(process.report.getReport().sharedObjects);
     const library = await import(${JSON.stringify(LIBRARY)});
     console.log(JSON.stringify({
       names: Object.keys(library).sort(),
       native: process.report.getReport().sharedObjects.filter((one) => !before.has(one)),
       required: Object.keys(createRequire(import.meta.url).cache),
     }));`,
  );
  const { code, out, err } = await run(file, '--import', register);
  so(code, err).toBe(0);
  const { names, native, required } = JSON.parse(out) as { names: string[]; native: string[]; required: string[] };
  so(names).toEqual(['DesktopError', 'Secret', 'VERSION', 'expect', 'openDesktop', 'secret']);
  const loaded = readFileSync(list, 'utf8').split('\n');
  so(loaded.filter((url) => url.includes('/dist/')).length).toBeGreaterThan(20);
  so(
    [...loaded, ...required, ...native].filter((url) =>
      /\/drivers\/|\/x11\/|\/sharp|\.node$|compose|modelcontext/.test(url),
    ),
  ).toEqual([]);
});
