// @module-tag safety

import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLI, CliRoom } from './cli-room.js';
import { until } from './support/seat-room.js';

// The managed file lies in a fixed place that only root may write; that others may not is tested beside its source.

const run = promisify(execFile);
const IMPOSTOR = join(import.meta.dirname, '..', 'fixture-apps', 'impostor.py');
const key = (name: string): string => `app=gnome-calculator >> button:"${name}"`;

const USER = `version: 1
profile: { virtual: guarded }
enabled: true
rules:
  - name: start-anything
    when: { tool: ui_launch, risk: [low, medium, high, prohibited] }
    decision: allow
  - name: seven-is-mine
    when: { app: "/usr/bin/gnome-calculator", name: "7", class: act }
    decision: deny
    reason: seven is for people
  - name: calculator-free
    when: { app: "/usr/bin/gnome-calculator", class: act }
    decision: allow
`;
const PROJECT = `version: 1
rules:
  - { name: no-eight, when: { name: "8", class: act }, decision: deny }
`;

let room: CliRoom;
let userFile: string;
let calculator: number;
let env: Record<string, string>;

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, text, { mode: 0o600 });
}

async function shown(): Promise<string> {
  const script = join(import.meta.dirname, 'support', 'app-text.py');
  const { stdout } = await run('/usr/bin/python3', [script, String(calculator)], { env });
  const texts = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { role: string; text: string });
  return texts.find(({ role }) => role === 'text')?.text ?? '';
}

beforeAll(() => {
  room = new CliRoom();
  userFile = join(room.base, '.config', 'deskproof', 'policy.yaml');
});
afterAll(() => room?.close());

describe('before a desktop runs', () => {
  it('a first policy is written, for its owner alone, and never over another', async () => {
    expect(await room.ok('policy', 'init')).toContain(userFile);
    expect(statSync(userFile).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(userFile)).mode & 0o777).toBe(0o700);
    const schema = /^# yaml-language-server: \$schema=(.+)$/m.exec(readFileSync(userFile, 'utf8'))?.[1];
    expect(JSON.parse(readFileSync(schema!, 'utf8'))).toMatchObject({ title: 'Deskproof policy' });
    expect(await room.ok('policy', 'check')).toMatch(/^user +\S+ +0 rules$/m);
    const again = await room.run(['policy', 'init']);
    expect(again).toMatchObject({ code: 2, out: '' });
    expect(again.err).toContain('already exists');
  });

  it('a file that is not understood stops the start, with its line and what was meant', async () => {
    write(userFile, 'version: 1\nenabled: true\nlimts: { actsPerMinute: 5 }\n');
    for (const words of [
      ['desktop', 'start', '--name', 'work'],
      ['policy', 'check'],
    ]) {
      const { code, err } = await room.run(words);
      expect(err).toContain(`${userFile}, line 3: Unknown field "limts".`);
      expect(err).toContain('next: Did you mean limits?');
      expect(code).toBe(2);
    }
    expect(room.processes()).toEqual([]);
  });
});

describe('on a desktop', () => {
  beforeAll(async () => {
    write(userFile, USER);
    write(join(room.base, '.deskproof', 'policy.yaml'), PROJECT);
    await room.ok('desktop', 'start', '--name', 'work');
    ({ env } = await room.json<{ env: Record<string, string> }>('desktop', 'env', 'work'));
    const launched = await room.json<{ pid: number }>(
      ...['desktop', 'launch', '--timeout-ms', '60000', '--', 'gnome-calculator'],
    );
    calculator = launched.pid;
  });

  it('capabilities list the policy and its files', async () => {
    const said = await room.ok('capabilities');
    expect(said).toMatch(
      /^policy: guarded: look allow, picture deny, click allow\|ask, bare point deny; at most 120 /m,
    );
    expect(said).toContain(`user "${userFile}"`);
    expect(said).not.toContain('changed on disk');
  });

  it('a rule by program lets a click pass, another refuses one, and the display stays', async () => {
    await room.ok('click', key('9'));
    await until('9 in the display', async () => (await shown()) === '9');
    const refused = await room.run(['click', key('7')]);
    expect(refused.err).toMatch(/ui_click is refused by rule seven-is-mine: seven is for people/);
    expect(refused.code).toBe(3);
    expect(await shown()).toBe('9');
  });

  it("a project's file tightens what the user allows", async () => {
    const refused = await room.run(['click', key('8')]);
    expect(refused.err).toContain('refused by rule no-eight');
    expect(refused.code).toBe(3);
    expect(await shown()).toBe('9');
  });

  it.each([
    [
      '7',
      /^deny \(rule seven-is-mine, user\): seven is for people\n {2}risk medium, score 4 = 3 click \+ 1 found by name/,
    ],
    [
      '8',
      /^deny \(rule no-eight, project\)\n(.*\n)+ {2}user +allow \(calculator-free\)\n {2}project +deny \(no-eight\)/,
    ],
    [
      '9',
      /^allow \(rule calculator-free, user\)\n(.*\n)+ {2}app "\/usr\/bin\/gnome-calculator", .*name "9", method name/,
    ],
  ])('explain gives the reason for %s, and does nothing', async (name, reason) => {
    expect(await room.ok('policy', 'explain', 'click', key(name))).toMatch(reason);
    expect(await shown()).toBe('9');
  });

  it('explain searches for a program, a window, and what is not there', async () => {
    const launch = await room.ok('policy', 'explain', 'launch', 'gnome-calculator', '--caller', 'mcp');
    expect(launch).toMatch(/^allow \(rule start-anything, user\)\n(.*\n)+ {2}ui_launch \(act\) by mcp on a virtual/);
    const missing = await room.run(['policy', 'explain', 'click', 'button:"No such"']);
    expect(missing.code).toBe(1);
    expect(missing.err).toContain('element_not_found');
  });

  it('an app that only says that it is the calculator gets no allow', async () => {
    const diary = join(room.base, 'impostor.diary');
    await room.ok('desktop', 'launch', '--timeout-ms', '60000', '--', '/usr/bin/python3', IMPOSTOR, diary);
    const listed = execFileSync('xdotool', ['search', '--name', '^Calculator \\(2\\)$'], { env, encoding: 'utf8' });
    const id = listed.trim().split('\n')[0]!;
    const claim = ['-id', id, '-f', '_NET_WM_PID', '32c', '-set', '_NET_WM_PID', String(calculator)];
    execFileSync('xprop', claim, { env });
    expect(execFileSync('xprop', ['-id', id, '_NET_WM_PID'], { env, encoding: 'utf8' })).toContain(String(calculator));
    const target = ['button:"9"', '--window', 'Calculator (2)'];
    const refused = await room.run(['click', ...target]);
    expect(refused.err).toContain('approval_required');
    expect(refused.code).toBe(3);
    expect(existsSync(diary)).toBe(false);
    expect(await room.ok('policy', 'explain', 'click', ...target)).toMatch(/^ask [^]* app "\/usr\/bin\/python3/);
  });

  describe('after a change on disk', () => {
    const tmux = (...words: string[]): string =>
      execFileSync('tmux', ['-S', join(room.base, 'tmux'), ...words], { encoding: 'utf8' });
    const screen = (): string => tmux('capture-pane', '-t', 'it', '-p');
    const reload = (): string => tmux('send-keys', '-t', 'it', 'clear; deskproof policy reload', 'Enter');

    beforeAll(() => {
      write(userFile, USER.replace('name: "7"', 'name: "6"'));
      const shell = Object.entries(room.env).map(([name, value]) => `export ${name}='${value}'`);
      const shim = `deskproof() { '${process.execPath}' '${CLI}' "$@"; }`;
      writeFileSync(join(room.base, 'rc'), [...shell, shim, "PS1='$ '", `cd '${room.base}'`].join('\n'));
      const bash = `bash --noprofile --rcfile '${join(room.base, 'rc')}'`;
      tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'it', '-x', '120', '-y', '50', bash);
    });
    afterAll(() => void tmux('kill-server'));

    it('refuses acts but not reads, until the user reloads it at a terminal', async () => {
      const refused = await room.run(['click', key('9')]);
      expect(refused.err).toContain(`The policy changed on disk: ${userFile}.`);
      expect(refused.code).toBe(3);
      expect(await room.ok('capabilities')).toContain('policy changed on disk');
      expect(await room.ok('policy', 'explain', 'click', key('9'))).toContain('but all acts are refused');
      const piped = await room.run(['policy', 'reload']);
      expect(piped.err).toContain('Only the user at a terminal');
      expect(piped.code).toBe(3);
    });

    it('what changed is shown, no leaves it, yes lets it count', async () => {
      reload();
      const question = /Put the changed policy into force and end all grants\? \[y\/N\] *$/m;
      await until('the question', () => question.test(screen()));
      expect(screen()).toContain(`changed  ${userFile}`);
      expect(screen()).toContain('user: rule seven-is-mine changed');
      expect(screen()).toMatch(/^policy +[0-9a-f]{12} -> [0-9a-f]{12}$/m);
      tmux('send-keys', '-t', 'it', 'n', 'Enter');
      await until('the answer', () => screen().includes('The policy was not reloaded'));
      expect((await room.run(['click', key('9')])).code).toBe(3);
      reload();
      await until('the question', () => question.test(screen()));
      tmux('send-keys', '-t', 'it', 'y', 'Enter');
      await until('the answer', () => screen().includes('The policy is in force'));
      await room.ok('click', key('7'));
      await until('97 in the display', async () => (await shown()) === '97');
      expect((await room.run(['click', key('6')])).err).toContain('seven-is-mine');
    });

    it('a looser policy at the next start serves only reads until a user confirms it', async () => {
      await room.ok('desktop', 'stop', 'work');
      write(userFile, USER.replace('decision: deny', 'decision: allow'));
      expect((await room.run(['doctor'])).out).toContain('the policy changed since you last confirmed it');
      await room.ok('desktop', 'start', '--name', 'work');
      const launch = ['desktop', 'launch', '--timeout-ms', '60000', '--', 'gnome-calculator'];
      const refused = await room.run(launch);
      expect(refused.err).toContain('so only reads are served');
      expect(refused.err).toContain('deskproof policy reload');
      expect(refused.code).toBe(3);
      expect(room.processes().filter(({ command }) => command.includes('gnome-calculator'))).toEqual([]);
      expect((await room.run(['capture'])).code).toBe(3);
      await room.ok('list-windows');
      expect(await room.ok('capabilities')).toContain('policy not confirmed: only reads');
      expect(await room.ok('desktop', 'list')).toContain('only reads: its policy is not confirmed');
      tmux('send-keys', '-t', 'it', 'clear; deskproof policy reload', 'Enter');
      await until('the question', () => /\[y\/N\] *$/m.test(screen()));
      expect(screen()).toContain('user: rule seven-is-mine changed (allow)');
      tmux('send-keys', '-t', 'it', 'y', 'Enter');
      await until('the answer', () => screen().includes('The policy is in force'));
      ({ env } = await room.json<{ env: Record<string, string> }>('desktop', 'env', 'work'));
      calculator = (await room.json<{ pid: number }>(...launch)).pid;
      await room.ok('click', key('7'));
      await until('7 in the display', async () => (await shown()) === '7');
    });
  });

  it('what was done is decided again under another policy', async () => {
    const strict = join(room.base, 'strict.yaml');
    const same = await room.run(['policy', 'test']);
    expect(same.out).toMatch(/click button "9" in "Calculator" +allow +rule calculator-free \(user\)/);
    write(strict, 'version: 1\nprofile: { virtual: readonly }\nenabled: true\n');
    const told = await room.ok('policy', 'test', '--policy', strict);
    expect(told).toMatch(/click button "9" in "Calculator" +allow -> deny +rule readonly\/act-medium \(built-in\)/);
    expect(told).toMatch(/^\d+ calls: \d+ as before, \d+ stricter/m);
    const failing = await room.run(['policy', 'test', '--policy', strict, '--fail-on-change', '--json']);
    expect(failing.code).toBe(1);
    const { totals, calls } = JSON.parse(failing.out) as { totals: Record<string, number>; calls: unknown[] };
    expect(totals.calls).toBe(calls.length);
    expect(totals.stricter).toBeGreaterThan(0);
  });
});
