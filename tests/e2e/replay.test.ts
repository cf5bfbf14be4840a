import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CLI, CliRoom } from './cli-room.js';
import { until } from './support/seat-room.js';

// A session that a desktop's own host has written down, done again on desktops that know nothing of it. What came of it
// is read from the apps: the calculator's display by its own accessibility, the editor's file from the disk.

const TEXT = 'héllo 日本 😀 "quoted" $(id)\n';
const KEYS = ['1', '2', '.', '5', '×', '8', '='];
const run = promisify(execFile);
let room: CliRoom;
let log: string;
let note: string;
let desktop = '';

beforeAll(async () => {
  room = new CliRoom();
  note = join(room.base, 'note.txt');
  log = join(room.base, '.local/share/deskproof/audit/first');
  const bin = join(room.base, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'deskproof'), `#!/bin/sh\nexec ${process.execPath} ${CLI} "$@"\n`, { mode: 0o700 });
  room.env.PATH = `${bin}:${room.env.PATH}`;
  await start('first');
  await record();
  await stop();
});
afterEach(stop);
afterAll(() => room?.close());

async function start(name: string): Promise<void> {
  await room.ok('desktop', 'start', '--name', name);
  desktop = name;
}

async function stop(): Promise<void> {
  if (desktop !== '') await room.ok('desktop', 'stop', desktop);
  desktop = '';
  rmSync(note, { force: true });
}

const act = (...words: string[]): Promise<string> => room.ok(...words, '--desktop', desktop);

async function record(): Promise<void> {
  await act('launch', 'gnome-calculator');
  // A key that is said to have changed nothing is no session to hold another against.
  for (const key of KEYS) await act('click', `app=gnome-calculator >> button:"${key}"`, '--settle-ms', '5000');
  await act('wait', 'app=gnome-calculator >> role=textbox && value="100"');
  await act('launch', 'mousepad');
  const ref = /(e\d+) textbox/.exec(await act('snapshot', 'Mousepad'))![1]!;
  await act('type', TEXT, ref);
  await act('click', 'app=mousepad >> menuitem:"Save As..."', '--verify', '{"window":"Save As"}');
  await act('set-value', 'window="Save As" >> textbox:Name', note);
  await act('click', 'window="Save As" >> button:Save', '--verify', '{"window":"note.txt"}');
}

async function seatEnv(): Promise<NodeJS.ProcessEnv> {
  const rows = (await room.json<{ env: Record<string, string> }>('desktop', 'env', desktop)).env;
  return { ...room.env, ...rows };
}

/** Read from the calculator's own accessibility tree, without Deskproof. */
async function displayed(): Promise<string[]> {
  const env = await seatEnv();
  const { windows } = await room.json<{ windows: { app: string; pid: number }[] }>(
    'list-windows',
    '--desktop',
    desktop,
  );
  const { pid } = windows.find(({ app }) => app === 'gnome-calculator')!;
  const script = join(import.meta.dirname, 'support/app-text.py');
  const { stdout } = await run('/usr/bin/python3', [script, String(pid)], { env });
  const lines = stdout.split('\n').filter(Boolean);
  return lines.map((line) => (JSON.parse(line) as { text: string }).text);
}

async function expectSameEffects(): Promise<void> {
  await until('100 in the display', async () => (await displayed()).includes('100'));
  expect(readFileSync(note)).toEqual(Buffer.from(TEXT));
}

interface Replayed {
  result: string;
  first?: number;
  steps: {
    number: number;
    tool: string;
    description: string;
    result: string;
    differences?: object[];
    error?: object;
  }[];
}

async function replay(...words: string[]): Promise<{ code: number | null; json: Replayed }> {
  const { code, out, err } = await room.run(['replay', log, '--desktop', desktop, '--json', ...words]);
  expect(err).toBe('');
  return { code, json: JSON.parse(out) as Replayed };
}

describe('on a fresh desktop', () => {
  test('a replay has the same effects and reports it', async () => {
    await start('again');
    const { code, out, err } = await room.run(['replay', log, '--desktop', desktop]);
    expect({ code, err }, out).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/ok +click button "×" in "Calculator" {2}\S+ m?s \(then \S+ m?s\)\n/);
    expect(out).toMatch(/\nSame results: 14 steps, \S+ s \(then \S+ s\)\.\n$/);
    await expectSameEffects();
    const own = readFileSync(join(log, '../again/000001.jsonl'), 'utf8');
    expect(own).toMatch(/"session":"replay:[0-9a-f]{8}","surface":"replay"/);
  });

  test('the exported script has them too', async () => {
    await start('script');
    const script = join(room.base, 'again.mjs');
    await room.ok('export', log, '--to', 'ts', '--out', script);
    await run(process.execPath, [script, '--desktop', desktop], { env: room.env, cwd: room.base });
    await expectSameEffects();
  });
});

describe('on a changed app', () => {
  test('the first key that is not there is named, and nothing after it is done', async () => {
    await start('changed');
    const options = { env: await seatEnv() };
    await run('gsettings', ['set', 'org.gnome.calculator', 'button-mode', 'keyboard'], options);
    const { code, json } = await replay();
    expect(code).toBe(1);
    expect(json.steps.map(({ result }) => result).slice(0, 3)).toEqual(['same', 'differs', 'not done']);
    const first = json.steps.find(({ number }) => number === json.first);
    expect(first).toMatchObject({
      description: 'Click button "1" in "Calculator"',
      error: { code: 'element_not_found' },
    });
    expect(first?.differences).toContainEqual({ what: 'status', then: 'ok', now: 'element_not_found' });
  });

  test('what would go to another window is not done', { tags: 'safety' }, async () => {
    await start('other');
    const other = join(room.base, 'other.txt');
    writeFileSync(other, 'mine\n');
    await act('launch', 'mousepad', other);
    const { steps } = (await replay('--dry-run')).json;
    const saving = steps.find(({ description }) => description.includes('Save As...'))!.number;
    const { code, json } = await replay('--from', String(saving));
    expect({ code, first: json.first }).toEqual({ code: 1, first: saving });
    expect(json.steps[0]?.differences).toEqual([
      {
        what: 'window',
        then: '*Untitled 1 - Mousepad',
        now: expect.stringContaining('other.txt - Mousepad') as string,
      },
    ]);
    expect(await act('list-windows')).not.toContain('Save As');
  });
});

test('a rule may refuse replays: nothing is done, and it ends as refused', { tags: 'safety' }, async () => {
  const folder = join(room.base, '.config/deskproof');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const policy = join(folder, 'policy.yaml');
  const rule = '  - { name: no-replays, when: { caller: replay, class: act }, decision: deny }';
  writeFileSync(policy, ['version: 1', 'rules:', rule, ''].join('\n'), { mode: 0o600 });
  try {
    await start('ruled');
    const { code, json } = await replay();
    expect({ code, result: json.result }).toEqual({ code: 3, result: 'refused' });
    expect(json.steps.map(({ result }) => result).slice(0, 2)).toEqual(['refused', 'not done']);
    expect(await act('list-windows')).not.toContain('Calculator');
  } finally {
    rmSync(policy);
  }
});
