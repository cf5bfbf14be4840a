import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { soon, until } from '../conformance/case.js';
import { FixtureApp, type DiaryLine } from '../conformance/fixture-app.js';
import { openRealDesktop, type RealDesktop } from '../e2e/support/real-desktop.js';

const run = promisify(execFile);
let folder: string;
let real: RealDesktop;
let app: FixtureApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dp-gtk2-'));
  const source = fileURLToPath(new URL('../fixture-apps/gtk2.c', import.meta.url));
  const { stdout } = await run('pkg-config', ['--cflags', '--libs', 'gtk+-2.0']);
  await run('gcc', ['-w', '-o', join(folder, 'gtk2'), source, ...stdout.trim().split(/\s+/)]);
  real = await openRealDesktop();
  app = await FixtureApp.startProgram(join(folder, 'gtk2'), [], real.seat.env);
  await real.call('ui_wait', { until: 'button:Save', timeoutMs: 30_000 });
});
afterAll(async () => {
  await app?.end();
  await real?.stop();
  await rm(folder, { recursive: true, force: true });
});

test('shows controls, labels and rows', async () => {
  const { text } = await real.call('ui_snapshot', {});
  expect(text).toMatch(/textbox "Name": "Ada"/);
  expect(text).toMatch(/spinbutton "Age": 36 \(0 to 130\)/);
  expect(text).toMatch(/combobox "Colour": "Red"/);
  expect(text).toMatch(/table .*60 rows, .*: Task \| Owner/);
});

test('keeps the password out of a snapshot', { tags: 'safety' }, async () => {
  const { text } = await real.call('ui_snapshot', {});
  expect(text).toMatch(/"Password" secret/);
  expect(text).not.toContain('hunter2');
});

test.each([
  ['ui_click', { target: 'button:Save' }, { clicked: 'Save' }],
  ['ui_act', { target: 'checkbox:Wrap', action: 'check' }, { wrap: 'on' }],
  ['ui_set_value', { target: 'textbox:Name', value: 'Grace' }, { name: 'Grace' }],
  ['ui_set_value', { target: 'spinbutton:Age', value: 42 }, { age: '42' }],
  ['ui_set_value', { target: 'combobox:Colour', value: 'Blue' }, { colour: 'Blue' }],
  ['ui_click', { target: 'cell:"Task 3"' }, { row: 'Task 3' }],
] as [string, Record<string, unknown>, DiaryLine][])('%s %o is written down by the app', async (tool, args, wrote) => {
  const from = app.diary.length;
  await real.call(tool, args);
  const fits = (line: DiaryLine): boolean => Object.entries(wrote).every(([key, value]) => line[key] === value);
  await until(JSON.stringify(wrote), () => Promise.resolve(app.diary.slice(from).some(fits)), 20_000);
});

test('names the packages of a bridge that is not loaded', async () => {
  const env = { ...real.seat.env, GTK_MODULES: '' };
  const bare = await FixtureApp.startProgram(join(folder, 'gtk2'), [], env);
  try {
    const text = await until('the reason', async () => {
      const { windows } = await real.driver.windows({ deadline: soon() });
      const window = windows.find(({ pid }) => pid === bare.pid);
      if (!window) return undefined;
      const { degraded } = await real.driver.read!({ window: window.id }, { deadline: soon() });
      return degraded?.reason;
    });
    expect(text).toMatch(/GTK 2 apps expose theirs only if they were started with GTK_MODULES/);
  } finally {
    await bare.end();
  }
});
