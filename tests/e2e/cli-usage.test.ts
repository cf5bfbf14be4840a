import { execFile } from 'node:child_process';
import { chownSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CLI, CliRoom } from './cli-room.js';

let room: CliRoom;
beforeEach(() => {
  room = new CliRoom();
});
afterEach(() => room.close());

describe('what cannot be', () => {
  const bad: [string[], number, RegExp, RegExp][] = [
    [['desktop', 'start', '--size', '10x10'], 2, /cannot have the size 10x10/, /320x200/],
    [['desktop', 'start', '--size', 'huge'], 2, /size must be WIDTHxHEIGHT/, /1280x800/],
    [['desktop', 'start', '--monitors', '3'], 2, /1 or 2 monitors/, /--monitors 2/],
    [['desktop', 'start', '--name', 'My Desk'], 2, /letters without accents/, /--name/],
    [['desktop', 'start', '--name', 'user'], 2, /cannot be named "user"/, /another name/],
    [['desktop', 'start', '--nmae', 'x'], 2, /Unknown option '--nmae'/, /Did you mean --name/],
    [['desktop', 'strat'], 2, /Unknown command 'strat'/, /Did you mean start/],
    [['desktop', 'stop', 'absent'], 1, /named "absent" is running/, /desktop start --name absent/],
    [['desktop', 'stop'], 1, /No private desktop is running/, /desktop start/],
    [['desktop', 'stop', 'a', '--all'], 2, /cannot be combined/, /one of the two/],
    [['desktop', 'view', 'absent'], 1, /named "absent" is running/, /desktop start/],
    [['desktop', 'env', '../../etc'], 2, /letters without accents/, /--name/],
    [['desktop', 'launch', '--name', 'absent', '--', 'xclock'], 1, /named "absent" is running/, /desktop start/],
    [['desktop', 'launch', '--', ''], 2, /command is empty/, /-- mousepad/],
    [['desktop', 'launch', '--timeout-ms', '0', '--', 'xclock'], 2, /milliseconds from 1/, /--timeout-ms 30000/],
    [['desktop', 'run', '--', ''], 2, /command is empty/, /-- mousepad/],
    [['desktop', 'launch'], 2, /Missing required argument 'command'/, /--help/],
    [['snapsot'], 2, /Unknown command 'snapsot'/, /Did you mean snapshot/],
    [['snapshot'], 1, /no display here, and no private desktop is running/, /deskproof desktop start/],
    [['snapshot', '--desktop', 'virtual'], 2, /is empty/, /desktop start/],
    [['snapshot', '--dpeth', '3'], 2, /Unknown option '--dpeth'/, /Did you mean --depth/],
    [['snapshot', '--depth', 'three'], 2, /whole number, not "three"/, /./],
    [['demo', '--desktop', 'work'], 2, /starts its own private desktop/, /Omit --desktop/],
    [['--desktop', 'user', 'demo'], 2, /starts its own private desktop/, /Omit --desktop/],
    [['schema', 'ui_nothing'], 2, /no tool "ui_nothing"/, /ui_snapshot/],
  ];
  it.each(bad)('%j ends with %i and one sentence', async (words, code, message, hint) => {
    const outcome = await room.run(words);
    expect(outcome.out).toBe('');
    expect(outcome.err).toMatch(message);
    expect(outcome.err).toMatch(hint);
    expect(outcome.err.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
    expect(outcome.code).toBe(code);
  });

  it.each([
    ['--json', '2>&1 | true'],
    ['', '2>&1 >/dev/null | true'],
  ])('ends with its own code also when %s is closed', async (flag, pipe) => {
    const line = `'${process.execPath}' '${CLI}' snapshot ${flag} --depth three ${pipe}; echo \${PIPESTATUS[0]}`;
    const { stdout } = await promisify(execFile)('bash', ['-c', line], { env: room.env, cwd: room.base });
    expect(stdout).toBe('2\n');
  });

  it('shows what there is when only the group is named', async () => {
    const { code, out, err } = await room.run(['desktop']);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^Usage: deskproof desktop/);
    expect(err).not.toMatch(/outputHelp/);
  });

  // Only root can be refused by another user's directory and still make it.
  it.runIf(process.getuid?.() === 0)(
    "says whose the runtime directory is, also when a desktop's name is given",
    async () => {
      mkdirSync(join(room.base, 'run'), { mode: 0o700 });
      chownSync(join(room.base, 'run'), 65534, 65534);
      const { code, err } = await room.run(['list-windows', '--desktop', 'work']);
      expect([code, err]).toEqual([1, expect.stringContaining('belongs to another user')]);
    },
  );

  it('names the package of a missing program', async () => {
    const { code, err } = await room.run(['desktop', 'start'], { env: { PATH: '/nonexistent' } });
    expect(code).toBe(1);
    expect(err).toMatch(/Xvfb \(package xvfb\)/);
    await expect.poll(() => room.processes(), { timeout: 60_000 }).toEqual([]);
  });

  it('refuses a runtime directory that is a link, before anything is started', async () => {
    mkdirSync(join(room.base, 'real'), { mode: 0o700 });
    symlinkSync(join(room.base, 'real'), join(room.base, 'run'));
    for (const words of [
      ['desktop', 'start'],
      ['desktop', 'list', '--json'],
    ]) {
      const { code, err, out } = await room.run(words);
      expect([code, err + out]).toEqual([1, expect.stringContaining('symbolic link')]);
    }
  });

  it('uses a private directory in the cache if the usual one is taken', async () => {
    const [tmp, home] = [join(room.base, 'tmp'), room.base];
    mkdirSync(tmp, { mode: 0o700 });
    symlinkSync('/etc', join(tmp, `deskproof-${process.getuid?.()}`));
    const env = { DESKPROOF_RUNTIME: '', XDG_RUNTIME_DIR: '', TMPDIR: tmp, HOME: home };
    const { code, out } = await room.run(['doctor'], { env });
    expect([code, out]).toEqual([
      expect.any(Number),
      expect.stringContaining(`runtime directory ${join(home, '.cache/deskproof/run')} is private`),
    ]);
  });

  it('says that a path is too long for sockets', async () => {
    const { code, err } = await room.run(['desktop', 'start'], {
      env: { DESKPROOF_RUNTIME: join(room.base, 'x'.repeat(90)) },
    });
    expect([code, err]).toEqual([2, expect.stringMatching(/too long for sockets/)]);
  });
});
