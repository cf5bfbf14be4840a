import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PrivateDesktop } from '../../src/drivers/contract/index.js';
import { bootPrivateDesktop } from '../../src/drivers/linux/private-desktop/boot.js';
import { ask, SeatRoom, until } from './support/seat-room.js';

const room = new SeatRoom();
let seat: PrivateDesktop;

beforeAll(async () => {
  seat = await bootPrivateDesktop(room.options());
});

afterAll(async () => {
  await seat?.stop();
  room.remove();
});

const windows = async (): Promise<string> => (await ask('xwininfo', ['-root', '-tree'], seat.env)).output;
const words = (pid: number): string[] => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
/** While a process becomes another program, the list of its words is empty for a moment. */
const startedWith = (pid: number, some: readonly string[]): Promise<boolean> =>
  until(`the words ${some.join(' ')}`, () => some.every((one) => words(pid).includes(one)));

describe('launch', () => {
  test('shows a real editor and a plain X program, focused and named', async () => {
    const editor = await seat.launch('mousepad', []);
    expect(editor.program).toMatch(/mousepad$/);
    await until('the editor', async () => (await windows()).includes('Untitled 1 - Mousepad'));
    await until('its focus', async () => {
      const { output } = await ask('xprop', ['-root', '_NET_ACTIVE_WINDOW'], seat.env);
      const id = /# (0x[0-9a-f]+)/.exec(output)?.[1];
      if (!id || id === '0x0') return false;
      return (await ask('xprop', ['-id', id, 'WM_NAME'], seat.env)).output.includes('Mousepad');
    });
    await seat.launch('xclock', []);
    await until('the clock', async () => (await windows()).includes('"xclock"'));
  });

  test('a text that does not say what it is run by is not handed to a shell', async () => {
    const [file, made] = [join(seat.env.HOME!, 'plain-text'), join(seat.env.HOME!, 'made-by-a-shell')];
    writeFileSync(file, `touch ${made}\n`, { mode: 0o755 });
    await expect(seat.launch(file, [])).rejects.toMatchObject({ code: 'command_failed' });
    expect(existsSync(made)).toBe(false);
    writeFileSync(file, `#!/bin/sh\ntouch ${made}\n`, { mode: 0o755 });
    await (
      await seat.launch(file, [])
    ).exited;
    expect(existsSync(made)).toBe(true);
  });

  test('runs without a shell, in the home directory, in a session of its own', async () => {
    const file = join(seat.env.HOME!, 'said.txt');
    const { exited, pid } = await seat.launch(
      'sh',
      ['-c', 'echo "$0|$PWD|$EXTRA|$(cut -d\\  -f6 /proc/$$/stat)"', '$(id)'],
      {
        env: { EXTRA: 'given' },
        output: { file },
      },
    );
    expect(await exited).toEqual({ code: 0, signal: null });
    const [zero, cwd, extra, session] = readFileSync(file, 'utf8').trim().split('|');
    expect([zero, cwd, extra, Number(session)]).toEqual(['$(id)', seat.env.HOME, 'given', pid]);
  });

  test('switches on page accessibility of a browser engine, found by name and by the files beside it', async () => {
    const engine = join(room.base, 'app');
    mkdirSync(engine);
    for (const file of ['icudtl.dat', 'chrome_100_percent.pak']) writeFileSync(join(engine, file), '');
    const program = join(engine, 'notes');
    writeFileSync(program, '#!/bin/sh\nwhile :; do sleep 1; done\n', { mode: 0o755 });
    const launched = await seat.launch(program, ['--flag']);
    await startedWith(launched.pid, ['--force-renderer-accessibility', '--flag']);
    const chromium = await seat.launch('chromium', ['about:blank']);
    await startedWith(chromium.pid, ['--force-renderer-accessibility', '--no-first-run']);
    await until('a browser window', async () => /chromium/i.test(await windows()));
    expect(await windows()).not.toMatch(/Welcome|Restore/);
    process.kill(chromium.pid, 'SIGTERM');
    await chromium.exited;
  });

  test('names the package of a program that is not there', async () => {
    const env = { PATH: '/nonexistent' };
    await expect(seat.launch('gnome-calculator', [], { env })).rejects.toMatchObject({
      code: 'command_failed',
      message: 'gnome-calculator not found in PATH.',
      hint: expect.stringMatching(/package gnome-calculator: (sudo )?apt-get install/) as string,
    });
    await expect(seat.launch('no-such-thing', [])).rejects.toMatchObject({
      code: 'command_failed',
      message: 'no-such-thing not found in PATH.',
    });
    await expect(seat.launch('/etc/passwd', [])).rejects.toMatchObject({ message: '/etc/passwd is not a program.' });
    await expect(seat.launch('sh', [], { cwd: '/nonexistent' })).rejects.toMatchObject({ code: 'bad_arguments' });
  });
});

test.each<[string, boolean, ...string[]]>([
  ['gnome-calculator', true],
  ['mousepad', true, '--disable-server'],
  ['mousepad', false, 'missing.txt'],
  ['chromium', true, '--force-renderer-accessibility', '--no-sandbox', '--window-size=900,900', '--new-window'],
  ['chromium', true, '--user-data-dir=/tmp/x', '--app=https://example.org', '--headless'],
  ['chromium', true, '--start-maximized', 'http://127.0.0.1/'],
  ['chromium', false, '-g', 'about:blank'],
  ['chromium', false, 'about:blank\nshell id'],
  ['chromium', false, '--gpu-launcher=mousepad'],
  ['libreoffice', true, '--norestore', '--nologo', '--nofirststartwizard', '--writer'],
  ['soffice', true, '--calc'],
  ['soffice', false, '--backtrace'],
  ['soffice', false, '--record'],
])('the installed %s is started as an app: %s, with %s', (command, installed, ...args) => {
  expect(seat.resolveCommand(command, args)?.installed).toBe(installed);
});

test('what its environment leads elsewhere is no app alone; what it has already does not', () => {
  const installed = (env: Record<string, string>): unknown => seat.resolveCommand('mousepad', [], { env })?.installed;
  expect([installed({}), installed({ ...seat.env }), installed({ TZ: 'UTC' })]).toEqual([true, true, true]);
  expect([installed({ DISPLAY: ':150' }), installed({ LD_PRELOAD: '/tmp/x.so' })]).toEqual([false, false]);
});
