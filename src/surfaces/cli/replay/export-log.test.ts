import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordedLog, type RecordedLog } from '../../../../tests/scenes/recorded-log.js';
import { currentLog } from '../../../audit/index.js';
import { DesktopError } from '../../../shared/index.js';
import { createContext } from '../context.js';
import { createProgram } from '../program.js';

let log: RecordedLog;
let { root, env, places } = {} as RecordedLog;
beforeEach(async () => {
  log = await recordedLog();
  ({ root, env, places } = log);
});
afterEach(() => log.remove());

async function run(words: readonly string[], isTerminal = false): Promise<{ out: string; err: string }> {
  const said = { out: '', err: '' };
  const context = createContext(new AbortController().signal, env);
  const terminal = {
    ...context.terminal,
    isTerminal,
    out: (text: string) => void (said.out += text),
    err: (text: string) => void (said.err += text),
  };
  await createProgram({ ...context, terminal }).parseAsync(['export', ...words], { from: 'user' });
  return said;
}

describe('export', () => {
  it.each([
    ['the log of a desktop', () => ['--desktop', 'work']],
    ["a log's folder", () => [places.logs]],
    ['a file of it', () => [currentLog(places)]],
  ])('exports %s as a page with its verification', async (_, from) => {
    const { out, err } = await run([...from(), '--to', 'html']);
    expect(out).toMatch(/^<!doctype html>/);
    expect(out).toContain('The log verifies');
    expect(out).toContain('Milk, bread');
    expect(err).toBe('');
  });

  it('exports a script with command names and without default arguments', async () => {
    const { out } = await run(['--desktop', 'work', '--to', 'ts']);
    expect(out).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(out).toContain('// The log verifies: ok 27 records');
    expect(out).toContain(`act(8, "click", { target: "window=\\"notes.txt - Mousepad\\" >> menu:\\"File\\"" });`);
    expect(out).toContain(`act(5, "launch", { '--': ["mousepad", ...["notes.txt", "--disable-server"]] });`);
  });

  it('writes a file that only its owner can read, and replaces none', async () => {
    const file = join(root, 'trace.html');
    const words = ['--desktop', 'work', '--to', 'html', '--out', file];
    expect((await run(words)).out).toBe(`${file}: 16 steps, 8 acts\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(file, 'precious');
    await expect(run(words)).rejects.toMatchObject({ code: 'bad_arguments', message: `${file} already exists.` });
    expect(readFileSync(file, 'utf8')).toBe('precious');
  });

  it('with --force replaces a link itself, not its destination', async () => {
    const [file, other] = [join(root, 'trace.mjs'), join(root, 'other')];
    writeFileSync(other, 'precious', { mode: 0o644 });
    symlinkSync(other, file);
    const { out } = await run(['--desktop', 'work', '--to', 'ts', '-o', file, '--force']);
    expect(out).toContain(`Run it: node ${file} --desktop NAME`);
    expect(readFileSync(other, 'utf8')).toBe('precious');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('reports a log that does not verify, and still exports it', async () => {
    const log = currentLog(places);
    writeFileSync(log, readFileSync(log, 'utf8').replace('ctrl+s', 'ctrl+q'));
    appendFileSync(log, 'junk\n');
    const page = await run(['--desktop', 'work', '--to', 'html']);
    expect(page.out).toContain('The log does not verify');
    expect(page.out).toContain('One line could not be read');
    expect(page.err).toMatch(/does not verify:.* broken at line/);
    expect((await run(['--desktop', 'work', '--to', 'ts'])).out).toContain('// The log DOES NOT VERIFY: broken');
  });

  it('answers in JSON', async () => {
    const file = join(root, 'a.html');
    const { out } = await run(['--desktop', 'work', '--to', 'html', '--out', file, '--last', '3', '--json']);
    expect(JSON.parse(out)).toMatchObject({ schema: 1, file, steps: 3, totals: { acts: 1 }, verified: { ok: true } });
  });

  it.each<[string, string[], string]>([
    ['nothing there', ['/no/such/log', '--to', 'html'], '"/no/such/log" does not exist.'],
    ['no log', ['FILE', '--to', 'ts'], '"FILE" is not a log.'],
    ['a desktop that never was', ['--desktop', 'other', '--to', 'ts'], 'This desktop has no log.'],
    [
      'an unknown session',
      ['--desktop', 'work', '--to', 'ts', '--session', 'x'],
      'The log contains nothing of the session "x".',
    ],
    ['a directory to write to', ['--desktop', 'work', '--to', 'ts', '--out', 'DIR'], 'DIR is a directory.'],
    [
      'a place that is not',
      ['--desktop', 'work', '--to', 'ts', '--out', 'DIR/a/b'],
      'DIR/a/b cannot be written (ENOENT).',
    ],
  ])('gives a clear error: %s', async (_, words, message) => {
    const [file, directory] = [join(root, 'plain.txt'), join(root, 'directory')];
    writeFileSync(file, '');
    mkdirSync(directory);
    const real = (text: string): string => text.replace('FILE', file).replace('DIR', directory);
    const error = await run(words.map(real)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DesktopError);
    expect(error).toMatchObject({ message: real(message) });
    expect((error as DesktopError).hint).toMatch(/\S/);
    expect(existsSync(join(directory, 'a'))).toBe(false);
  });

  it('does not print a page to a terminal', async () => {
    const hint = 'Name an output file: --out trace.html';
    await expect(run(['--desktop', 'work', '--to', 'html'], true)).rejects.toMatchObject({ hint });
  });
});
