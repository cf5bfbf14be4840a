import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect as so, test } from 'vitest';
import type { App, Desktop } from '../../src/index.js';
import { CliRoom } from './cli-room.js';
import { LIBRARY, OPEN_POLICY, openDesktop } from './support/library.js';

// The output of programs, read by the process that started them.

describe('all of it arrives', () => {
  let desktop: Desktop;
  beforeAll(async () => {
    desktop = await openDesktop({ policy: OPEN_POLICY, timeoutMs: 20_000 });
  });
  afterAll(() => desktop?.close());

  const shell = (script: string): Promise<App> => desktop.launch('sh', { args: ['-c', script] });
  const all = async ({ stdout, stderr, exited }: App): Promise<[string, string, number | null]> =>
    Promise.all([text(stdout), text(stderr), exited]);

  test('of programs that end at once', async () => {
    const seen = new Set<string>();
    for (let run = 0; run < 30; run++) seen.add(await text((await desktop.launch('echo', { args: ['hi'] })).stdout));
    so([...seen]).toEqual(['hi\n']);
  });

  test('also when it is read after they have ended', async () => {
    const app = await shell('echo out; echo err >&2; exit 7');
    so(await app.exited).toBe(7);
    so(await all(app)).toEqual(['out\n', 'err\n', 7]);
  });

  test('of programs that write much and end', async () => {
    const [out, err, code] = await all(await desktop.launch('seq', { args: ['1', '200000'] }));
    so([out.length, out.slice(-8), err, code]).toEqual([1_288_895, '\n200000\n', '', 0]);
  });

  test('the last output, after it was asked to end', async () => {
    const app = await shell('trap "echo bye; exit 3" TERM; echo up; while :; do sleep 0.05; done');
    await once(app.stdout, 'readable');
    await app.close();
    so([await text(app.stdout), await app.exited]).toEqual(['up\nbye\n', 3]);
  });

  test('an app has ended although what it left behind keeps its output open', async () => {
    so(await all(await shell('echo hi; setsid sleep 600 & exit 4'))).toEqual(['hi\n', '', 4]);
  });
});

describe('a program goes on for as long as it reads', () => {
  const room = new CliRoom();
  const folder = mkdtempSync(join(tmpdir(), 'dp-library-'));
  afterAll(async () => {
    await room.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const SPEAKS = "const app = await desktop.launch('sh', { args: ['-c', 'sleep 1; echo hi; sleep 1; echo ho'] });";
  const RUNS_ON = "const app = await desktop.launch('sh', { args: ['-c', 'echo hi; exec sleep 600'] });";
  const READING: Record<string, [script: string, out: string]> = {
    'in a loop': [`${SPEAKS} for await (const some of app.stdout) console.log('read', String(some).trim());`, 'hi ho'],
    'as text': [
      `${SPEAKS} const { text } = await import('node:stream/consumers');
       console.log('read', (await text(app.stdout)).trim().replace('\\n', '\\nread '));`,
      'hi ho',
    ],
    'line by line': [
      `${SPEAKS} const { createInterface } = await import('node:readline');
       for await (const line of createInterface({ input: app.stdout })) console.log('read', line);`,
      'hi ho',
    ],
    'by events': [`${SPEAKS} app.stdout.on('data', (some) => console.log('read', String(some).trim()));`, 'hi ho'],
    'and no longer: the loop was left': [
      `${RUNS_ON} for await (const some of app.stdout) { console.log('read', String(some).trim()); break; }`,
      'hi',
    ],
    'and no longer: it paused': [
      `${RUNS_ON} app.stdout.on('data', (some) => (console.log('read', String(some).trim()), app.stdout.pause()));`,
      'hi',
    ],
    'no output without a reader': [`${RUNS_ON} await app.windows();`, ''],
  };

  test.each(Object.entries(READING))('%s', async (name, [body, out]) => {
    const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.mjs`);
    writeFileSync(
      file,
      `import { openDesktop } from ${JSON.stringify(LIBRARY)};
       const desktop = await openDesktop({ policy: { version: 1 }, timeoutMs: 30000 });
       ${body}`,
    );
    const child = spawn(process.execPath, [file], { env: room.env, cwd: folder });
    const [seen, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    so({ seen, code: child.exitCode }, err).toEqual({ seen: out && `read ${out.replace(' ', '\nread ')}\n`, code: 0 });
  });
});
