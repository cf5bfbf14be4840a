import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordSession, SessionClock } from '../../../../tests/scenes/recorded-session.js';
import { currentLog, ledgerPlaces, openLedger, type FileLedger, type LedgerPlaces } from '../../../audit/index.js';
import { logPlaces } from '../../../host/governance/log-location.js';
import type { DesktopError } from '../../../shared/index.js';
import { createContext } from '../context.js';
import { createProgram } from '../program.js';

let root: string;
let env: Record<string, string>;
let places: LedgerPlaces;
let open: FileLedger | undefined;
const [input, errors] = [process.stdin.isTTY, process.stderr.isTTY];
function userIsHere(here: boolean): void {
  process.stdin.isTTY = here;
  process.stderr.isTTY = here;
}
beforeEach(async () => {
  userIsHere(true);
  root = mkdtempSync(join(tmpdir(), 'dp-audit-'));
  env = { HOME: root, DESKPROOF_RUNTIME: join(root, 'run') };
  places = await record('work');
});
afterEach(async () => {
  await open?.close();
  open = undefined;
  [process.stdin.isTTY, process.stderr.isTTY] = [input, errors];
  rmSync(root, { recursive: true, force: true });
});

async function record(desktop: string): Promise<LedgerPlaces> {
  const there = ledgerPlaces(desktop, env);
  const clock = new SessionClock();
  const ledger = await openLedger({ places: there, software: 'deskproof/test', now: clock.now });
  await recordSession(ledger, clock);
  await ledger.close();
  return there;
}

interface Said {
  code: number;
  out: string;
  err: string;
}

interface RunOptions {
  signal?: AbortSignal;
  onOutput?: (text: string) => void;
}

async function run(words: readonly string[], { signal, onOutput }: RunOptions = {}): Promise<Said> {
  const said = { out: '', err: '' };
  const context = createContext(signal ?? new AbortController().signal, env);
  const out = (text: string): void => {
    said.out += text;
    onOutput?.(said.out);
  };
  const terminal = { ...context.terminal, out, err: (text: string) => void (said.err += text) };
  const mine = { ...context, terminal };
  await createProgram(mine).parseAsync(['audit', ...words], { from: 'user' });
  return { ...said, code: mine.exitCode };
}

const failure = (words: readonly string[]): Promise<DesktopError> =>
  run(words).then(
    ({ out }) => Promise.reject(new Error(`it did not fail: ${out}`)),
    (error: unknown) => error as DesktopError,
  );

/** Every file below the root with the hash of its bytes. */
function files(directory = root): Record<string, string> {
  return Object.fromEntries(
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [path, createHash('sha256').update(readFileSync(path)).digest('hex')]),
  );
}

const fingerprintOf = async (): Promise<string> => (await run(['keys'])).out.split('\n')[0]!;

describe('audit', () => {
  it('shows the last records, one per line', async () => {
    const lines = (await run(['show', '--desktop', 'work'])).out.trimEnd().split('\n');
    expect(lines).toHaveLength(27);
    expect(lines[0]).toMatch(/^ +1 {2}2026-11-15 10:30:45\.120 {2}open {8}segment 1 deskproof\/test$/);
    const launch = 'ui_launch command "mousepad" args ["notes.txt","--disable-server"] allow guarded/act-low (low 1)';
    expect(lines.join('\n')).toContain(`intent      ${launch}`);
    expect((await run(['show', '--last', '2'])).out.trimEnd().split('\n')).toEqual(lines.slice(-2));
  });

  it.each([
    ['of a desktop', () => ['--desktop', 'work']],
    ['in a folder', () => [places.logs]],
    ['in a file', () => [currentLog(places)]],
  ])('shows and verifies the log %s', async (_, from) => {
    const { lines } = JSON.parse((await run(['show', ...from(), '--json', '--last', '3'])).out) as { lines: unknown[] };
    expect(lines).toMatchObject([25, 26, 27].map((seq) => ({ segment: 1, line: seq, record: { seq } })));
    const { code, out } = await run(['verify', ...from()]);
    expect(code).toBe(0);
    expect(out).toMatch(/^000001\.jsonl {2}ok {2}records 1 to 27.*\n(note: .*\n)*ok 27 records, .*, key SHA256:\S+\n$/);
  });

  it('prints the path of the log', async () => {
    expect((await run(['path'])).out).toBe(`${currentLog(places)}\n`);
    const paths = { schema: 1, desktop: 'work', file: currentLog(places), folder: places.logs };
    expect(JSON.parse((await run(['path', '--json'])).out)).toEqual(paths);
  });

  it('follows the log until it is aborted', async () => {
    const ledger = (open = await openLedger({ places, software: 'deskproof/test' }));
    const end = new AbortController();
    let written: Promise<unknown> | undefined;
    const onOutput = (text: string): void => {
      written ??= ledger.note({ kind: 'stop', by: 'escape' });
      if (text.includes('"escape"')) end.abort();
    };
    const { out, code } = await run(['tail', '--last', '1', '--json'], { signal: end.signal, onOutput });
    await written;
    const kinds = out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { record: { kind: string } }).record.kind);
    expect(code).toBe(0);
    expect(kinds[0]).toBe('checkpoint');
    expect(kinds).toContain('stop');
  });

  it('reports an edit, a truncation and an unknown key with exit code 1', async () => {
    const log = currentLog(places);
    const bytes = readFileSync(log);
    const lines = bytes.toString().split('\n');
    const verdict = async (...words: string[]): Promise<string> => {
      const { code, out } = await run(['verify', ...words]);
      expect(code).toBe(1);
      return out.trimEnd().split('\n').at(-1)!;
    };
    writeFileSync(log, bytes.toString().replace('ctrl+s', 'ctrl+q'));
    const edited = lines.findIndex((line) => line.includes('ctrl+s')) + 1;
    expect(await verdict()).toBe(`broken at line ${edited + 1} (seq ${edited + 1}): chain`);
    writeFileSync(log, bytes);
    truncateSync(log, bytes.length - lines.at(-2)!.length - 1);
    expect(await verdict()).toBe('cut: head names 27, log ends at 26');
    writeFileSync(log, bytes);
    expect(await verdict('--key', `SHA256:${'A'.repeat(43)}`)).toBe('key is not the trusted one');
    rmSync(places.logs, { recursive: true });
    expect(await verdict()).toBe('cut: head names 27, log ends at 0');
    expect(JSON.parse((await run(['verify', '--json'])).out)).toMatchObject({ schema: 1, ok: false });
  });

  it('accepts the fingerprint that keys printed', async () => {
    const { out } = await run(['keys']);
    expect(out).toMatch(/^(SHA256:\S{43})\nsegment 1 {2}\1 {2}since 2026-11-15 10:30:45 {2}in use\n/);
    expect((await run(['verify', '--key', await fingerprintOf()])).code).toBe(0);
  });

  it('starts a new log that names the old one, when no host writes it', async () => {
    const old = await fingerprintOf();
    truncateSync(currentLog(places), 100);
    const { out } = await run(['new', '--reason', 'restored from a backup']);
    expect(out).toContain(join(places.logs, '000002.jsonl'));
    expect(await fingerprintOf()).not.toBe(old);
    expect(out).toContain(await fingerprintOf());
    const { code, out: verified } = await run(['verify']);
    expect(code).toBe(0);
    expect(verified).toContain('note: an earlier ledger precedes it, up to segment 1');
    expect((await run(['show'])).out).toMatch(/open +segment 2 .* after L[0-9a-f]{32}: restored from a backup/);
  });

  it('writes nothing, except for new', async () => {
    const before = files();
    for (const words of [['path'], ['show'], ['verify'], ['keys'], ['rotate']]) {
      for (const form of [[], ['--json']]) await run([...words, ...form]).catch(() => undefined);
    }
    expect(files()).toEqual(before);
    await run(['new', '--reason', 'why not']);
    expect(files()).not.toEqual(before);
  });
});

describe('bad input', () => {
  it.each<[string, string[], string]>([
    ['nothing there', ['show', '/no/such/log'], '"/no/such/log" does not exist.'],
    ['nothing to verify', ['verify', '/no/such/log'], '/no/such/log is not there.'],
    ['a desktop that never was', ['verify', '--desktop', 'other'], 'This desktop has no log.'],
    ['and no keys', ['keys', '--desktop', 'other'], 'This desktop has no log.'],
    ['nor anything to begin after', ['new', '--reason', 'x', '--desktop', 'other'], 'This desktop has no log.'],
    ['a key that is none', ['verify', '--key', 'abc'], 'This is not a key fingerprint.'],
    ['an anchor that is not there', ['verify', '--anchor', '/no/anchor'], '"/no/anchor" cannot be read.'],
    ['no host to rotate', ['rotate'], 'No desktop is writing the log of work now, so it cannot be rotated.'],
    ['no reason', ['new', '--reason', ' '], 'A new log needs a reason, which is written to it.'],
  ])('%s', async (_, words, message) => {
    const error = await failure(words);
    expect(error.message).toBe(message);
    expect(error.hint).toMatch(/\S/);
  });

  it('no new log while one is written', async () => {
    open = await openLedger({ places, software: 'deskproof/test' });
    userIsHere(false);
    expect(await failure(['new', '--reason', 'x'])).toMatchObject({ code: 'approval_required' });
    userIsHere(true);
    const error = await failure(['new', '--reason', 'x']);
    expect(error).toMatchObject({ code: 'audit_unavailable' });
    expect(error.message).toBe(`The log of work is being written (pid ${process.pid}).`);
  });

  it('keys that are gone', async () => {
    rmSync(places.state, { recursive: true });
    expect((await failure(['keys'])).message).toBe('The keys of this log are missing or damaged.');
    expect((await run(['verify'])).out).toMatch(
      /\nno head: signed to \d+, \d+ records after it could have been cut\n$/,
    );
  });
});

describe('resolveLog', () => {
  it('uses the only log, or requires --desktop', async () => {
    await record('other');
    expect(await failure(['show'])).toMatchObject({
      message: '2 desktops have a log: other, work.',
      hint: 'Name one: --desktop other',
    });
    env.DESKPROOF_DESKTOP = 'work';
    expect((await run(['path'])).out).toBe(`${currentLog(places)}\n`);
    expect((await run(['path', '--desktop', 'other'])).out).toContain('/audit/other/');
  });

  it("accepts the user's own desktop of an earlier session", async () => {
    const earlier = await record('user.1f2e3d4c');
    expect((await run(['path', '--desktop', 'user.1f2e3d4c'])).out).toBe(`${currentLog(earlier)}\n`);
  });

  it('keeps the log of a desktop that ends with its command', async () => {
    const { logs } = logPlaces({ key: 'run-1', directory: join(root, 'run', 'run-1'), own: true });
    mkdirSync(logs, { recursive: true, mode: 0o700 });
    expect((await run(['path', '--desktop', 'run-1'])).out).toBe(`${join(logs, '000001.jsonl')}\n`);
  });

  it('reports when there is no log', async () => {
    rmSync(join(root, '.local'), { recursive: true });
    expect((await failure(['show'])).message).toBe('There is no log yet.');
  });
});
