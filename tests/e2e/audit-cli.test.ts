// @module-tag safety

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FixtureApp } from '../conformance/fixture-app.js';
import { CliRoom, type Outcome } from './cli-room.js';
import { until } from './support/seat-room.js';
import { textsBelow } from './support/texts-below.js';

/** Letters only, so that no number or id can look like it. */
const PASSWORD = 'qwvzkjxmpbry';

let room: CliRoom;
let host: number;
beforeAll(async () => {
  room = new CliRoom();
  await start();
});
afterAll(() => room?.close());

async function start(): Promise<void> {
  host = (await room.json<{ pid: number }>('desktop', 'start', '--name', 'work')).pid;
  await room.ok('desktop', 'launch', '--', 'gnome-calculator');
}

const logs = (): string => join(room.base, '.local/share/deskproof/audit/work');
const state = (): string => join(room.base, '.local/state/deskproof/ledger');
const segment = (number: number): string => join(logs(), `00000${number}.jsonl`);
const linesOf = (file: string): string[] => readFileSync(file, 'utf8').trimEnd().split('\n');
const click = (name: string): Promise<string> => room.ok('click', `app=gnome-calculator >> button:"${name}"`);
const verify = (...words: string[]): Promise<Outcome> => room.run(['audit', 'verify', ...words]);
const verdictOf = ({ out }: Outcome): string => out.trimEnd().split('\n').at(-1)!;

async function expectVerified(): Promise<string> {
  const { code, out, err } = await verify();
  expect(`${out}${err}`).toMatch(/\nok [\d,]+ records, \d+ checkpoints?, head at \d+, key SHA256:\S{43}\n$/);
  expect(code).toBe(0);
  return out;
}

describe('the log of a private desktop', () => {
  it('has every act, reads well and verifies', async () => {
    await click('7');
    await click('8');
    await expectVerified();
    const shown = (await room.ok('audit', 'show')).trimEnd().split('\n');
    const intents = shown.filter((line) => / intent +ui_click /.test(line));
    expect(intents).toHaveLength(2);
    expect(intents[0]).toMatch(
      /^ +\d+ {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} {2}intent {6}ui_click button "7" in "Calculator" \(gnome-calculator\) allow private\/act-\w+ \(\w+ \d+\)$/,
    );
    const [seq] = /\d+/.exec(intents[1]!)!;
    expect(shown.find((line) => line.includes(` of ${seq} `))).toMatch(
      /outcome +of \d+ ok delivered yes changed yes \d+ ms$/,
    );
    expect((await room.ok('audit', 'path')).trim()).toBe(segment(1));
  });

  it('is followed as it is written', async () => {
    const { child, said } = room.start('audit', 'tail', '--last', '1', '--json');
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
    await until('the last record', () => said().includes('\n'));
    await click('9');
    await until('the click', () => /"kind":"intent".*"name":"9"/.test(said()) && said().includes('"kind":"outcome"'));
    child.kill('SIGINT');
    expect(await exited).toBe(0);
    for (const line of said().trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('record.seq');
  });

  it('goes on in another file with another key', async () => {
    const [first] = (await room.ok('audit', 'keys')).split('\n');
    const { closed, file, key } = await room.json<Record<string, string>>('audit', 'rotate');
    expect([closed, file]).toEqual([segment(1), segment(2)]);
    await click('1');
    const verified = await expectVerified();
    expect(verified).toMatch(/^000001\.jsonl {2}ok {2}.*, closed, key .*\n000002\.jsonl {2}ok {2}.*, open, key /);
    const keys = (await room.ok('audit', 'keys')).split('\n');
    expect(keys[0]).toBe(first);
    expect(keys[1]).toContain('closed, private key destroyed');
    expect(keys[2]).toContain(`${key}  since`);
    const [ledger] = readdirSync(state()).filter((name) => /^L[0-9a-f]{32}$/.test(name));
    expect(readdirSync(join(state(), ledger!)).filter((name) => name.endsWith('.key'))).toEqual(['000002.key']);
    expect((await verify('--key', first!)).code).toBe(0);
  });

  it('holds no password that was typed, in any form of act', async () => {
    const { env } = await room.json<{ env: Record<string, string> }>('desktop', 'env');
    const app = await FixtureApp.start('secrets.py', env, ['gtk3']);
    const typed = async (...words: string[]): Promise<void> => {
      await app.command('fill ');
      await room.ok(...words);
      const from = app.diary.length;
      await app.command('tell Password');
      expect(await app.wait('its text', (line) => line.holds === 'Password', from)).toMatchObject({ text: PASSWORD });
    };
    const field = 'window="Secrets in gtk3" >> passwordbox:Password';
    await room.ok('wait', '{"window":"Secrets in gtk3"}');
    await typed('set-value', field, PASSWORD);
    await typed('type', PASSWORD, field);
    writeFileSync(
      join(room.base, 'steps.json'),
      JSON.stringify([{ tool: 'ui_set_value', target: field, value: PASSWORD }]),
    );
    await typed('batch', 'steps.json');
    await app.end();
    const outputs = await Promise.all([
      room.ok('audit', 'show', '--last', '100'),
      room.ok('audit', 'show', '--json', '--last', '100'),
      room.ok('audit', 'verify'),
    ]);
    expect(outputs[0]).toMatch(/ui_set_value passwordbox "Password" .* value \(left out\)/);
    const written = await textsBelow([logs(), state()]);
    expect(written.length).toBeGreaterThan(3);
    for (const text of [...outputs, ...written]) expect(text).not.toContain(PASSWORD.slice(0, 6));
  });

  it('verifies after a kill in the middle of acts, and reports the kill', async () => {
    const last = linesOf(segment(2)).length;
    const acts = ['1', '2', '3', '4', '5', '6'].map((name) => room.run(['click', `button:"${name}"`]));
    await until('an act to begin', () =>
      linesOf(segment(2))
        .slice(last)
        .some((line) => line.includes('"intent"')),
    );
    process.kill(host, 'SIGKILL');
    expect((await Promise.all(acts)).some(({ code }) => code !== 0)).toBe(true);
    await until('everything of it to be gone', async () => (await room.ok('desktop', 'list')).startsWith('No private'));
    expect(verdictOf(await verify('--desktop', 'work'))).toMatch(/^ok /);
    await start();
    const shown = await room.ok('audit', 'show', '--last', '500');
    expect(shown).toMatch(/ recovered {3}/);
    const unfinished = /no outcome of ([\d, ]+)/.exec(shown)?.[1]?.split(', ').length ?? 0;
    const told = await expectVerified();
    if (unfinished > 0) expect(told).toContain(`note: acts whose outcome is not known: ${unfinished}\n`);
  });

  it('is read, and not rotated, when the desktop has ended', async () => {
    await room.ok('desktop', 'stop', 'work');
    await expectVerified();
    expect(await room.ok('audit', 'show', '--last', '1')).toContain('checkpoint');
    const { code, err } = await room.run(['audit', 'rotate']);
    expect(code).toBe(1);
    expect(err).toContain('No desktop is writing the log of work now');
  });
});

describe('a log that was tampered with', () => {
  it.each<[string, (bytes: Buffer) => Buffer, RegExp]>([
    [
      'one byte of it',
      (bytes) => {
        const changed = Buffer.from(bytes);
        changed[bytes.indexOf('"delivered":"yes"') + 13] = 'Y'.charCodeAt(0);
        return changed;
      },
      /^broken at line \d+ of 000002\.jsonl \(seq \d+\): \w+/,
    ],
    ['a line taken out', (bytes) => withoutLine(bytes, 3), /^broken at line 4 of 000002\.jsonl \(seq \d+\): \w+/],
    ['its end cut off', (bytes) => withoutLine(bytes, -1), /^cut: head names \d+, log ends at \d+$/],
  ])('%s', async (_, change, verdict) => {
    const bytes = readFileSync(segment(2));
    writeFileSync(segment(2), change(bytes));
    try {
      const found = await verify();
      expect(verdictOf(found)).toMatch(verdict);
      expect(found.code).toBe(1);
    } finally {
      writeFileSync(segment(2), bytes);
    }
    await expectVerified();
  });

  it('does not start again when its end is gone, until the user begins a new one', async () => {
    truncateSync(segment(2), 200);
    const refused = await room.run(['desktop', 'start', '--name', 'work']);
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/deskproof audit new --desktop \S+ --reason/);
    expect(room.files().filter((name) => name === 'work')).toEqual([]);
    const alone = await room.run(['audit', 'new', '--reason', 'not requested']);
    expect([alone.code, alone.err]).toEqual([
      3,
      expect.stringContaining('Only the user at a terminal can start a new log.'),
    ]);
    expect((await room.inTerminal('audit', 'new', '--reason', 'the end was cut off')).out).toContain(segment(3));
    await room.ok('desktop', 'start', '--name', 'work');
    expect(await expectVerified()).toContain('note: an earlier ledger precedes it, up to segment 2');
    expect(await room.ok('audit', 'show')).toContain(': the end was cut off');
  });
});

function withoutLine(bytes: Buffer, at: number): Buffer {
  const lines = bytes.toString().trimEnd().split('\n');
  lines.splice(at, 1);
  return Buffer.from(`${lines.join('\n')}\n`);
}

function openToReader(pipe: string): number | undefined {
  try {
    return openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENXIO') return undefined;
    throw error;
  }
}

describe('verify where a log is not a plain file', () => {
  const copy = (): string => join(room.base, 'copy');
  beforeAll(() => cpSync(logs(), copy(), { recursive: true }));

  it('refuses a named pipe instead of waiting for a writer', async () => {
    const folder = join(room.base, 'pipes');
    mkdirSync(folder, { mode: 0o700 });
    execFileSync('mkfifo', [join(folder, '000001.jsonl')]);
    for (const log of [folder, join(folder, '000001.jsonl')]) {
      const { code, err } = await verify(log);
      expect([code, err]).toEqual([1, expect.stringContaining('000001.jsonl is a named pipe')]);
    }
    const { code, err } = await verify(copy(), '--anchor', join(folder, '000001.jsonl'));
    expect([code, err]).toEqual([2, expect.stringContaining('cannot be read')]);
  });

  it('refuses a device, and notes a log that is a link', async () => {
    const folder = join(room.base, 'links');
    mkdirSync(folder, { mode: 0o700 });
    symlinkSync('/dev/zero', join(folder, '000001.jsonl'));
    for (const log of [folder, join(folder, '000001.jsonl')]) {
      const { code, out, err } = await verify(log);
      expect([code, out + err]).toEqual([1, expect.stringContaining('000001.jsonl is a device')]);
    }
    rmSync(join(folder, '000001.jsonl'));
    for (const name of readdirSync(copy())) symlinkSync(join(copy(), name), join(folder, name));
    expect((await verify(folder)).out).toMatch(/symbolic link/);
  });

  // Reading is one blocking step. A head that never answers makes that step as long as the test needs.
  it('ends at SIGTERM while it reads', async () => {
    const [ledger] = readdirSync(state()).filter((name) => name.startsWith('L'));
    const head = join(state(), ledger!, 'head');
    renameSync(head, `${head}.kept`);
    execFileSync('mkfifo', [head]);
    const { child } = room.start('audit', 'verify', copy());
    let fd: number | undefined;
    try {
      // A pipe can be opened for writing only while another process reads it.
      fd = await until('reading the head', () => openToReader(head));
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      expect(await ended).toEqual([null, 'SIGTERM']);
    } finally {
      child.kill('SIGKILL');
      if (fd !== undefined) closeSync(fd);
      rmSync(head);
      renameSync(`${head}.kept`, head);
    }
  });
});
