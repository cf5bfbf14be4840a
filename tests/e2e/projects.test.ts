// @module-tag safety

import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freeze } from '../conformance/freeze.js';
import { pixelsOf } from '../scenes/png-pixels.js';
import { Desktops, type HostClient } from '../../src/host/index.js';
import { CLI, CliRoom } from './cli-room.js';
import { until } from './support/seat-room.js';

// One desktop, and callers from three projects, each with a policy of its own. What was pressed is read from the
// calculator by another program.

const run = promisify(execFile);
const key = (name: string): string => `app=gnome-calculator >> button:"${name}"`;
const noKey = (name: string): string =>
  `version: 1\nrules:\n  - { name: no-${name}, when: { name: "${name}", class: act }, decision: deny }\n`;
const NO_CALCULATOR = 'version: 1\nwindows: { block: ["*alculator*"] }\nlimits: { launchesPerMinute: 0 }\n';

let room: CliRoom;
let host: HostClient;
let calculator: number;
const at = (name: string): string => join(room.base, name);
const policyOf = (name: string): string => join(at(name), '.deskproof', 'policy.yaml');
function project(name: string, policy: string): void {
  mkdirSync(join(at(name), '.deskproof'), { recursive: true });
  writeFileSync(policyOf(name), policy);
}

async function shown(): Promise<string> {
  const script = join(import.meta.dirname, 'support', 'app-text.py');
  const { env } = await host.request<{ env: Record<string, string> }>('info');
  const { stdout } = await run('/usr/bin/python3', [script, String(calculator)], { env });
  const lines = stdout.split('\n').filter(Boolean);
  const texts = lines.map((line) => JSON.parse(line) as { role: string; text: string });
  return texts.find(({ role }) => role === 'text')?.text ?? '';
}

async function server(
  directory: string,
): Promise<{ client: Client; call: (name: string, args?: object) => Promise<string> }> {
  const client = new Client({ name: 'test', version: '1' });
  const args = [CLI, 'mcp', '--desktop', 'work'];
  const env = room.env as Record<string, string>;
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env, cwd: at(directory), stderr: 'ignore' }),
  );
  const call = async (name: string, given: object = {}): Promise<string> => {
    const answer = await client.callTool({ name, arguments: { ...given } }, undefined, { timeout: 60_000 });
    return (answer as CallToolResult).content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  };
  return { client, call };
}

beforeAll(async () => {
  room = new CliRoom();
  for (const name of ['start', 'plain']) mkdirSync(at(name));
  project('start', noKey('1'));
  project('seven', noKey('7'));
  project('hidden', NO_CALCULATOR);
  project('blind', 'version: 1\nrules:\n  - { name: no-pictures, when: { class: capture }, decision: deny }\n');
  project('broken', 'version: 1\nlimts: {}\n');
  expect((await room.run(['desktop', 'start', '--name', 'work'], { cwd: at('start') })).code).toBe(0);
  const launched = await room.run(['desktop', 'launch', '--json', '--', 'gnome-calculator'], { cwd: at('plain') });
  ({ pid: calculator } = JSON.parse(launched.out) as { pid: number });
  host = await new Desktops('test', room.env).connectPrivate('work');
});
afterAll(async () => {
  host?.close();
  await room?.close();
});

const click = (directory: string, name: string): ReturnType<CliRoom['run']> =>
  room.run(['click', key(name)], { cwd: at(directory) });

/** Exit code and all that was said. */
async function refused(directory: string, name: string): Promise<string> {
  const { code, err } = await click(directory, name);
  return `${code} ${err}`;
}

test('a command is held to the policy of the directory that it is typed in, and to the one of the desktop', async () => {
  expect(await refused('seven', '7')).toMatch(/^3 [^]*rule no-7/);
  for (const directory of ['plain', 'seven', 'start']) {
    expect(await refused(directory, '1')).toMatch(/^3 [^]*rule no-1/);
  }
  expect(await shown()).toBe('');
  expect(await click('plain', '7')).toMatchObject({ code: 0 });
  expect(await click('seven', '8')).toMatchObject({ code: 0 });
  await until('78 in the display', async () => (await shown()) === '78');
  const explained = await room.run(['policy', 'explain', 'click', key('7')], { cwd: at('seven') });
  expect(explained.out).toMatch(/^deny \(rule no-7, project\)/);
});

test('a server of a project hides the windows that it hides, beside one that sees them', async () => {
  const [hidden, seven] = [await server('hidden'), await server('seven')];
  try {
    expect(await hidden.call('ui_list_windows')).toMatch(/^0 windows, 1 more hidden by policy/);
    expect(await hidden.call('ui_click', { target: key('9') })).toMatch(/^failed: element_not_found/);
    expect(await hidden.call('ui_snapshot', { window: 'Calculator' })).toMatch(
      /^failed: element_not_found.*\n?.*policy hides 1/,
    );
    expect(await hidden.call('ui_capabilities')).toContain(policyOf('hidden'));
    expect(await hidden.call('ui_launch', { command: 'mousepad' })).toMatch(/^failed: rate_limited/);
    expect(await seven.call('ui_list_windows')).toContain('Calculator');
    expect(await seven.call('ui_click', { target: key('7') })).toMatch(/^failed: policy_denied.*no-7/);
    expect(await seven.call('ui_click', { target: key('9') })).toMatch(/^ok/);
    await until('789 in the display', async () => (await shown()) === '789');
  } finally {
    await Promise.all([hidden.client.close(), seven.client.close()]);
  }
});

test('a capture of the desktop for the user shows no hidden window', async () => {
  const view = async (directory: string): Promise<Buffer> => {
    expect(await room.run(['desktop', 'view', '-o', 'view.png'], { cwd: at(directory) })).toMatchObject({ code: 0 });
    return readFileSync(join(at(directory), 'view.png'));
  };
  const listed = JSON.parse((await room.run(['list-windows', '--json'], { cwd: at('plain') })).out) as {
    windows: { bounds: { x: number; y: number; width: number; height: number } }[];
  };
  const { x, y, width, height } = listed.windows[0]!.bounds;
  const inside = [0.25, 0.5, 0.75].map(
    (part) => [x + Math.floor(width * part), y + Math.floor(height * part)] as const,
  );
  const shownIn = (png: Buffer): string[] => inside.map(([left, top]) => pixelsOf(png).at(left, top));
  expect(shownIn(await view('hidden'))).toEqual(['000000', '000000', '000000']);
  expect(shownIn(await view('plain'))).not.toContain('000000');
  const denied = await room.run(['desktop', 'view', '-o', 'view.png'], { cwd: at('blind') });
  expect(`${denied.code} ${denied.err}`).toMatch(/^3 [^]*rule no-pictures/);
});

test('a doctor names an app that hangs, but not where it is hidden', async () => {
  const told = async (directory: string): Promise<string> =>
    (await room.run(['doctor', '--desktop', 'work'], { cwd: at(directory) })).out;
  await freeze(calculator);
  try {
    expect(await told('plain')).toMatch(new RegExp(`\\(pid ${calculator}\\) is stopped`));
    expect(await told('hidden')).toMatch(/display :\d+/);
    expect(await told('hidden')).not.toMatch(new RegExp(`alculator|${calculator}`));
  } finally {
    process.kill(calculator, 'SIGCONT');
  }
});

test('a start by the user counts like every other', async () => {
  const { code, err } = await room.run(['desktop', 'launch', '--', 'mousepad'], { cwd: at('hidden') });
  expect(`${code} ${err}`).toMatch(/^3 [^]*0 launches per minute/);
});

test('a document that a project hides stays hidden from there in a tab behind another, by refs and in events too', async () => {
  project('diary', 'version: 1\nwindows: { block: ["*Diary*"] }\n');
  const [diary, plain] = ['Diary.txt', 'plain.txt'].map(at);
  writeFileSync(diary!, 'dear diary of mine\n');
  writeFileSync(plain!, 'everybody may read this\n');
  const mousepad = (file: string) => room.run(['desktop', 'launch', '--', 'mousepad', file], { cwd: at('plain') });
  const said = async (directory: string, ...words: string[]): Promise<string> => {
    const { out, err } = await room.run(words, { cwd: at(directory) });
    return `${out}${err}`;
  };
  await mousepad(diary!);
  await until('its window', async () => (await said('plain', 'list-windows')).includes('Diary'));
  expect(await said('diary', 'snapshot', 'Diary')).toMatch(/policy hides 1 window/);
  await mousepad(plain!);
  const readNotes = ['snapshot', 'plain.txt', '--full', '--max-tokens', '20000'];
  const whole = await until('both documents', async () => {
    const text = await said('plain', ...readNotes);
    return /dear diary[^]*everybody may read/.test(text) ? text : undefined;
  });
  expect(await said('diary', ...readNotes)).toMatch(/Diary\.txt[^]*everybody may read/);
  expect(await said('diary', ...readNotes)).not.toContain('dear diary');
  expect(await said('diary', 'query', 'role=textbox', '--window', 'plain.txt', '--limit', '50')).not.toContain('dear');
  const ref = /(e\d+) textbox[^\n]*dear diary/.exec(whole)![1]!;
  expect(await said('plain', 'read', ref)).toContain('dear diary');
  for (const tool of ['read', 'describe']) {
    expect(await said('diary', tool, ref)).toMatch(/policy_denied.* in a tab that the policy hides/);
  }
  // Each server hears everything once.
  const [there, elsewhere] = [await server('diary'), await server('plain')];
  try {
    await Promise.all([there, elsewhere].map(({ call }) => call('ui_events')));
    await said('plain', 'set-value', ref, 'dear diary again');
    await until('the change', async () => (await elsewhere.call('ui_events')).includes(`${ref} textbox`));
    expect(await there.call('ui_events')).not.toContain(ref);
  } finally {
    await Promise.all([there.client.close(), elsewhere.client.close()]);
  }
});

test('reports an invalid policy with its line, and refuses only callers from that project', async () => {
  const told = /^2 [^]*policy\.yaml, line 2: .*limts.*Did you mean limits/is;
  expect(await refused('broken', '9')).toMatch(told);
  const { client, call } = await server('broken');
  expect(await call('ui_list_windows')).toMatch(/limts/);
  await client.close();
  expect(await shown()).toBe('789');
  expect(await click('plain', '2')).toMatchObject({ code: 0 });
  await until('7892 in the display', async () => (await shown()) === '7892');
});

test('a file that changed stops acts from there until the user has reloaded it, and the log records each policy', async () => {
  project('seven', noKey('8'));
  expect(await refused('seven', '8')).toMatch(new RegExp(`^3 [^]*changed on disk: ${policyOf('seven')}`));
  expect(await click('plain', '5')).toMatchObject({ code: 0 });
  const { seen, files, differences } = await host.request<{ seen: string; files: string[]; differences: string[] }>(
    'preview',
  );
  expect(files).toEqual([policyOf('seven')]);
  expect(differences.join('\n')).toMatch(/project: rule no-7 was removed.*rule no-8 is new \(deny\)/s);
  await expect(host.request('reload', { expected: 'otherwise' })).rejects.toThrow('changed again');
  await host.request('reload', { expected: seen });
  expect(await refused('seven', '8')).toMatch(/^3 [^]*rule no-8/);
  expect(await click('seven', '7')).toMatchObject({ code: 0 });
  await until('789257 in the display', async () => (await shown()) === '789257');
  const log = (await room.ok('audit', 'path')).trim().split('\n')[0]!;
  const records = readFileSync(log, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const known = new Set(records.filter(({ kind }) => kind === 'policy').map(({ policy }) => policy));
  const decided = records.flatMap(({ decision }) => (decision as { policy?: string } | undefined)?.policy ?? []);
  expect(new Set(decided).size).toBeGreaterThanOrEqual(3);
  expect(decided.filter((hash) => !known.has(hash))).toEqual([]);
});
