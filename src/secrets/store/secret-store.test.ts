import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { getEventListeners } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { filesHeldIn } from '../../../tests/scenes/files-held.js';
import { DesktopError } from '../../shared/index.js';
import { SecretStore, type SecretSource } from './secret-store.js';

const folder = mkdtempSync(join(tmpdir(), 'dp-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));
const CANARY = 'c4n4ry "é% wörd';

function file(name: string, content: string | Buffer, mode = 0o600): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

/** A program that says something, by its exact bytes. */
function says(script: string): SecretSource {
  return { command: [process.execPath, '-e', script] };
}

async function valueOf(source: SecretSource, environment: Record<string, string> = {}): Promise<string> {
  const value = await new SecretStore({ it: source }, { environment }).resolve('it');
  return value.reveal();
}

async function faultOf(source: SecretSource): Promise<DesktopError> {
  const error: unknown = await valueOf(source).then(
    () => undefined,
    (fault: unknown) => fault,
  );
  expect(error).toBeInstanceOf(DesktopError);
  return error as DesktopError;
}

describe('sources of a secret', () => {
  test.each<[string, SecretSource, string]>([
    ['a file', { file: file('plain', CANARY) }, CANARY],
    ['a file, less one newline', { file: file('line', `${CANARY}\n`) }, CANARY],
    ['a file, less one newline only', { file: file('lines', `${CANARY}\n\n`) }, `${CANARY}\n`],
    ['a file as Windows ends it', { file: file('crlf', `${CANARY}\r\n`) }, CANARY],
    ['the largest file', { file: file('large', 'x'.repeat(65_536)) }, 'x'.repeat(65_536)],
    ['a command', says(`console.log(${JSON.stringify(CANARY)})`), CANARY],
    ['a command without shell', { command: ['/bin/echo', '$HOME;', 'x'] }, '$HOME; x'],
    ['a variable', { env: 'VPN' }, CANARY],
  ])('%s', async (_, source, value) => expect(await valueOf(source, { VPN: CANARY })).toBe(value));

  test('follows a link and checks the file it leads to', async () => {
    symlinkSync(file('target', CANARY), join(folder, 'link'));
    expect(await valueOf({ file: join(folder, 'link') })).toBe(CANARY);
  });

  test('resolves ~ to the home directory', async () => {
    const fault = await faultOf({ file: '~/.dp-no-such-file-anywhere' });
    expect(fault.message).toBe('The secret it is not available: its file does not exist.');
    expect(fault.hint).toBe('Check ~/.dp-no-such-file-anywhere');
    file('at-home', CANARY);
    vi.stubEnv('HOME', folder);
    expect(await valueOf({ file: '~/at-home' })).toBe(CANARY);
    vi.unstubAllEnvs();
  });

  test.runIf(process.platform === 'linux')('no file is held open', async () => {
    await valueOf({ file: file('held', CANARY) });
    expect(filesHeldIn(folder)).toEqual([]);
  });

  test('deletes a variable from the environment and returns it until the store is closed', async () => {
    const environment: Record<string, string> = { VPN: CANARY, HOME: '/' };
    const store = new SecretStore({ a: { env: 'VPN' }, b: { env: 'VPN' } }, { environment });
    expect(environment).toEqual({ HOME: '/' });
    const first = await store.resolve('a');
    first.wipe();
    expect((await store.resolve('b')).reveal()).toBe(CANARY);
    store.close();
    await expect(store.resolve('a')).rejects.toThrow('the environment variable VPN was not set');
  });

  test('keeps variables that no secret names', () => {
    const environment = { undefined: 'x', VPN: 'y' };
    new SecretStore({ a: { file: '/x' }, b: { command: ['x'] } }, { environment });
    expect(environment).toEqual({ undefined: 'x', VPN: 'y' });
  });

  test('cleans process.env by default', () => {
    process.env.DW_TEST_SECRET = CANARY;
    new SecretStore({ it: { env: 'DW_TEST_SECRET' } });
    expect(process.env.DW_TEST_SECRET).toBeUndefined();
    expect(execFileSync(process.execPath, ['-p', 'process.env.DW_TEST_SECRET'], { encoding: 'utf8' })).toBe(
      'undefined\n',
    );
  });
});

describe('refused sources', () => {
  test.each<[string, SecretSource, string]>([
    ['open to others', { file: file('open', CANARY, 0o640) }, 'its file is accessible to other users'],
    ['writable by others', { file: file('writable', CANARY, 0o602) }, 'its file is accessible to other users'],
    ['a directory', { file: folder }, 'its file is not a regular file'],
    ['absent', { file: join(folder, 'none') }, 'its file does not exist'],
    ['under a file', { file: join(file('not-a-folder', ''), 'x') }, 'its file cannot be opened'],
    ['too large', { file: file('huge', 'x'.repeat(65_537)) }, 'its file is larger than 64 KB'],
    ['empty', { file: file('empty', '\n') }, 'it is empty'],
    ['blank', { file: file('blank', ' \t\n') }, 'it is empty'],
    ['no text', { file: file('bytes', Buffer.from([0x63, 0xff, 0xfe])) }, 'it is not text'],
    ['with a NUL', { file: file('nul', 'c4n4ry\0x') }, 'it is not text'],
    [
      'a command that fails',
      says(`console.log(${JSON.stringify(CANARY)}); process.exit(7)`),
      'its command exited with 7',
    ],
    [
      'a killed one',
      says(`process.stdout.write('c4n4ry'); process.kill(process.pid, 'SIGKILL')`),
      'its command exited with SIGKILL',
    ],
    ['one that is not there', { command: ['/nowhere/c4n4ry', CANARY] }, 'its command cannot be started'],
    [
      'one without end',
      says(`setInterval(() => process.stdout.write('c4n4ry'.repeat(1e4)), 1)`),
      'its command printed more than 64 KB',
    ],
    ['one that no system can start', { command: ['/bin/echo', 'c4n4ry\0'] }, 'its command cannot be started'],
    ['a silent one', says(''), 'it is empty'],
  ])('%s', async (_, source, what) => {
    const fault = await faultOf(source);
    expect(fault.message).toBe(`The secret it is not available: ${what}.`);
    expect(fault.hint).toBeDefined();
    expect(fault.cause).toBeUndefined();
    expect(inspect(fault, { depth: 9 }).replace(fault.stack ?? '', '')).not.toContain('c4n4ry');
  });

  test.runIf(process.getuid?.() === 0)("another user's file", async () => {
    const path = file('other', CANARY);
    execFileSync('chown', ['65534', path]);
    expect((await faultOf({ file: path })).message).toContain('belongs to another user');
  });

  test('kills a cancelled command with its child processes', async () => {
    const pids = join(folder, 'pids');
    const script = `const { spawn } = require('node:child_process');
      const child = spawn('sleep', ['600'], { stdio: ['ignore', 'inherit', 'ignore'] });
      require('node:fs').writeFileSync(${JSON.stringify(pids)}, process.pid + ' ' + child.pid);
      process.stdout.write('c4n4ry');`;
    const controller = new AbortController();
    const asked = new SecretStore({ it: says(`${script} setInterval(() => 0, 1e3)`) }).resolve('it', {
      signal: controller.signal,
    });
    const refused = expect(asked).rejects.toThrow('its command was cancelled');
    await expect.poll(() => readOr(pids), { timeout: 15_000 }).toMatch(/^\d+ \d+$/);
    controller.abort();
    await refused;
    for (const pid of readOr(pids).split(' '))
      await expect.poll(() => stateOf(pid), { timeout: 15_000 }).toMatch(/^[Z-]$/);
  });

  test('stops reading from a process that left the group of its command', async () => {
    const pipes = (): number => process.getActiveResourcesInfo().filter((what) => what === 'PipeWrap').length;
    const [before, path] = [pipes(), join(folder, 'left')];
    const script = `const { spawn } = require('node:child_process');
      const child = spawn('sleep', ['600'], { detached: true, stdio: ['ignore', 'inherit', 'ignore'] });
      require('node:fs').writeFileSync(${JSON.stringify(path)}, ' ' + child.pid);
      setInterval(() => 0, 1e3)`;
    const controller = new AbortController();
    const asked = new SecretStore({ it: says(script) }).resolve('it', { signal: controller.signal });
    const refused = expect(asked).rejects.toThrow('was cancelled');
    await expect.poll(() => readOr(path), { timeout: 15_000 }).toMatch(/^ \d+$/);
    controller.abort();
    await refused;
    await expect.poll(pipes, { timeout: 15_000 }).toBe(before);
    process.kill(Number(readOr(path)), 'SIGKILL');
  });

  test('limits the run time of a command', async () => {
    const asked = new SecretStore({ it: says('setInterval(() => 0, 1e3)') }).resolve('it', { timeoutMs: 200 });
    await expect(asked).rejects.toThrow('its command did not finish within 10 seconds');
  });

  test('leaves no timer behind when a command has finished', async () => {
    const { signal } = new AbortController();
    const [set, cleared] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')];
    const options = { signal, timeoutMs: 54_321 };
    await new SecretStore({ it: says('console.log("x")') }).resolve('it', options);
    const timer = set.mock.results[set.mock.calls.findIndex(([, ms]) => ms === options.timeoutMs)]!;
    expect(cleared).toHaveBeenCalledWith(timer.value);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    vi.restoreAllMocks();
  });

  test('does not wait for a command that is already cancelled', async () => {
    const asked = new SecretStore({ it: says('setInterval(() => 0, 1e3)') }).resolve('it', {
      signal: AbortSignal.abort(),
    });
    await expect(asked).rejects.toThrow('its command was cancelled');
  });

  test.each([
    ['bank-pim', 'There is no secret "bank-pim".', 'Did you mean bank-pin?'],
    ['zzzzzz', 'There is no secret "zzzzzz".', 'Known secrets: vpn, bank-pin'],
    ['__proto__', 'There is no secret "__proto__".', 'Known secrets: vpn, bank-pin'],
    ['a\u202eb\n', 'There is no secret "ab ".', 'Known secrets: vpn, bank-pin'],
  ])('the name %j', (name, message, hint) => {
    const store = new SecretStore({ vpn: { env: 'X' }, 'bank-pin': { env: 'Y' } }, { environment: {} });
    expect(() => store.check(name)).toThrow(expect.objectContaining({ code: 'bad_arguments', message, hint }));
  });

  test('reports when no secrets are defined', async () => {
    await expect(new SecretStore({}).resolve('vpn')).rejects.toMatchObject({ code: 'bad_arguments' });
    expect(() => new SecretStore({}).check('vpn')).toThrow(
      expect.objectContaining({ hint: 'The policy file defines no secrets.' }),
    );
  });
});

describe('SecretValue', () => {
  test('prints as its mark, and cannot be revealed after wipe', async () => {
    const value = await new SecretStore({ vpn: { env: 'VPN' } }, { environment: { VPN: CANARY } }).resolve('vpn');
    const printed = [
      String(value),
      JSON.stringify({ value }),
      inspect(value),
      inspect({ deep: [value] }, { showHidden: true }),
    ];
    for (const text of printed) {
      expect(text).toContain('‹secret:vpn›');
      expect(text).not.toContain('c4n4ry');
    }
    value.wipe();
    expect(() => value.reveal()).toThrow('was already wiped');
  });

  test('zeroes its original bytes', async () => {
    const { SecretValue } = await import('./secret-value.js');
    const bytes = Buffer.from(CANARY);
    const value = new SecretValue('vpn', bytes);
    value.wipe();
    value.wipe();
    expect(bytes.every((byte) => byte === 0)).toBe(true);
  });
});

function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // Not written yet.
  }
}

/** `-` when there is no such process. */
function stateOf(pid: string): string {
  return /\) (\S)/.exec(readOr(`/proc/${pid}/stat`))?.[1] ?? '-';
}

test('uses new sources after a policy reload and keeps variables read earlier', async () => {
  const environment: Record<string, string | undefined> = { ONE: 'first one', TWO: 'second one' };
  const store = new SecretStore({ one: { env: 'ONE' } }, { environment });
  store.replace({ one: { env: 'ONE' }, two: { env: 'TWO' } });
  expect(environment).toEqual({});
  expect((await store.resolve('one')).reveal()).toBe('first one');
  expect((await store.resolve('two')).reveal()).toBe('second one');
  store.replace({ two: { env: 'TWO' } });
  expect(() => store.check('one')).toThrow(/no secret "one"/);
  store.replace({ one: { env: 'ONE' } });
  await expect(store.resolve('one')).rejects.toThrow(/ONE was not set/);
});
