import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freeze } from '../conformance/freeze.js';
import { CLI as CLI_PATH, CliRoom } from './cli-room.js';
import { pathWith } from './support/never-ready.js';

interface Details {
  name: string;
  pid: number;
  display: string;
  size: { width: number; height: number };
  monitors: number;
}

let room: CliRoom;
beforeEach(() => {
  room = new CliRoom();
});
afterEach(() => room.close());

const LONG = { timeout: 60_000, interval: 25 };
const nothingLeft = async () => {
  await expect.poll(() => room.processes(), LONG).toEqual([]);
  expect(room.files()).toEqual([]);
};
const serverOf = (display: string) =>
  room.processes().find(({ command }) => new RegExp(`Xvfb ${display} `).test(command))!.pid;

describe('a private desktop from the command line', () => {
  it('starts, runs an app, shows itself, and leaves nothing', async () => {
    const started = await room.json<Details>('desktop', 'start', '--name', 'work', '--size', '1000x700');
    expect(started).toMatchObject({ name: 'work', size: { width: 1000, height: 700 } });
    const list = await room.json<{ desktops: Details[] }>('desktop', 'list');
    expect(list.desktops).toMatchObject([{ name: 'work', display: started.display }]);
    expect(JSON.stringify(list)).not.toContain('XAUTHORITY');

    const launched = await room.json<{ window: { ref: string; app: string; pid: number }; pid: number }>(
      'desktop',
      'launch',
      '--',
      'xclock',
      '-title',
      'A clock -o x',
    );
    expect(launched.window).toMatchObject({ title: 'A clock -o x', pid: launched.pid });

    const view = await room.ok('desktop', 'view', '-o', 'it.png');
    expect(view).toMatch(/^it\.png {2}1000x700 png \d+ kB, desktop work/);
    expect(readFileSync(join(room.base, 'it.png')).subarray(1, 4).toString()).toBe('PNG');

    const env = await room.ok('desktop', 'env');
    expect(env).toMatch(new RegExp(`^export DISPLAY=${started.display}$`, 'm'));
    expect(env).toMatch(/^export DESKPROOF_DESKTOP=work$/m);
    expect(env).not.toContain('DESKPROOF_SEAT');

    expect(await room.ok('desktop', 'stop')).toBe('stopped work\n');
    await nothingLeft();
  });

  it('has two monitors when asked', async () => {
    const { name } = await room.json<Details>('desktop', 'start', '--monitors', '2', '--size', '640x480');
    expect(name).toMatch(/^desk-[0-9a-f]{4}$/);
    expect(await room.ok('desktop', 'view')).toMatch(/1280x480 png/);
  });

  it('two at once do not meet', async () => {
    const [a, b] = await Promise.all(['a', 'b'].map((name) => room.json<Details>('desktop', 'start', '--name', name)));
    expect(a!.display).not.toBe(b!.display);
    await room.ok('desktop', 'launch', '--name', 'a', '--', 'xclock', '-title', 'only in a');
    const titles = async (desktop: string) =>
      (await room.json<{ windows: { title: string }[] }>('list-windows', '--desktop', desktop)).windows.map(
        ({ title }) => title,
      );
    expect(await titles('a')).toEqual(['only in a']);
    expect(await titles('b')).toEqual([]);
    const { code, err } = await room.run(['list-windows']);
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/2 private desktops are running: a, b\.\n {2}next: .*--desktop a/),
    ]);
    await room.ok('desktop', 'stop', '--all');
    await nothingLeft();
  });

  it('is started once when five start the same name at once', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () => room.run(['desktop', 'start', '--name', 'one'])),
    );
    expect(outcomes.map(({ code }) => code).sort()).toEqual([0, 1, 1, 1, 1]);
    for (const { code, err } of outcomes) if (code === 1) expect(err).toMatch(/"one" is already running/);
    expect(room.processes().filter(({ command }) => command.includes('Xvfb'))).toHaveLength(1);
  });
});

describe('a desktop that is debugged', () => {
  it('leaves its log, closed to others, and nothing else', { tags: 'safety' }, async () => {
    Object.assign(room.env, { DESKPROOF_DEBUG: 'host' });
    for (const life of [1, 2]) {
      await room.ok('desktop', 'start', '--name', 'work');
      await room.ok('desktop', 'stop', 'work');
      expect(room.files()).toEqual(['work.log']);
      const log = join(room.base, 'run', 'work.log');
      expect(readFileSync(log, 'utf8').match(/^\[deskproof host\] work ends: /gm)).toHaveLength(life);
      expect(statSync(log).mode & 0o777).toBe(0o600);
    }
    // It is no desktop.
    expect(await room.ok('desktop', 'list')).toMatch(/^No private desktop is running/);
  });
});

describe('something else in the place of a desktop', () => {
  it('is one line of the list, and one sentence when a command names it', async () => {
    await room.ok('desktop', 'start', '--name', 'work');
    mkdirSync(join(room.base, 'run', 'other', 'lock'), { recursive: true, mode: 0o700 });
    const [other, work, ...rest] = (await room.ok('desktop', 'list')).trimEnd().split('\n');
    expect(other).toMatch(/^other {2}.*lock is a directory where a lock should be\. .* rm -r .*other$/);
    expect([work, rest]).toEqual([expect.stringMatching(/^work +display :\d+, 1280x800/), []]);
    const { desktops } = await room.json<{ desktops: object[] }>('desktop', 'list');
    expect(desktops).toMatchObject([{ name: 'other', fault: { code: 'command_failed' } }, { name: 'work' }]);
    for (const words of ['stop other', 'start --name other', 'env other']) {
      const { code, out, err } = await room.run(['desktop', ...words.split(' ')]);
      expect([code, out, err]).toEqual([
        1,
        '',
        expect.stringMatching(/is a directory where a lock should be\.\n.*rm -r/),
      ]);
    }
    // The only one that runs is still meant without a name.
    expect(await room.ok('list-windows')).toMatch(/^0 windows/);
  });
});

describe('a desktop that dies', () => {
  it('is gone after kill -9 of its host, and its name is free again', async () => {
    const { pid } = await room.json<Details>('desktop', 'start', '--name', 'work');
    await room.ok('desktop', 'launch', '--', 'xclock');
    process.kill(pid, 'SIGKILL');
    // At once, while the remains are still being cleared away.
    const again = await room.json<Details>('desktop', 'start', '--name', 'work');
    expect(again.pid).not.toBe(pid);
    process.kill(again.pid, 'SIGKILL');
    await nothingLeft();
    expect(await room.ok('desktop', 'list')).toMatch(/^No private desktop is running/);
  });

  it('is killed when it does not react', async () => {
    const { pid } = await room.json<Details>('desktop', 'start', '--name', 'work');
    await freeze(pid);
    expect(await room.ok('desktop', 'list')).toMatch(/^work +does not answer/);
    expect(await room.ok('desktop', 'stop', 'work')).toBe('stopped work\n');
    await nothingLeft();
  });

  it('never comes up when the command that starts it is killed', async () => {
    Object.assign(room.env, { PATH: pathWith(join(room.base, 'bin'), 'openbox') });
    const { child } = room.start('desktop', 'start', '--name', 'work');
    await expect.poll(() => room.processes().some(({ command }) => command.includes('Xvfb')), LONG).toBe(true);
    child.kill('SIGKILL');
    await nothingLeft();
  });

  it('ends cleanly when its X server is killed, and informs connected clients', async () => {
    const { display } = await room.json<Details>('desktop', 'start', '--name', 'work');
    const follower = room.start('events', '--follow', '--json');
    const launchAndLook = async () => {
      await room.ok('desktop', 'launch', '--', 'xclock');
      return follower.said();
    };
    await expect.poll(launchAndLook, LONG).toContain('xclock');
    const ended = once(follower.child, 'close');
    process.kill(serverOf(display), 'SIGKILL');
    const [code] = (await ended) as [number];
    expect(code).toBe(1);
    expect(follower.said()).toMatch(/The desktop \\?"work\\?" ended: Xvfb ended/);
    await nothingLeft();
    const { code: after, err } = await room.run(['snapshot', '--desktop', 'work']);
    expect([after, err]).toEqual([
      1,
      expect.stringMatching(/No private desktop named "work" is running.\n {2}next: .*desktop start --name work/),
    ]);
  });
});

describe('desktop run', () => {
  it('passes stdio and the exit code, and is gone with its command', async () => {
    const { code, out, err } = await room.run(
      [
        'desktop',
        'run',
        '--',
        'sh',
        '-c',
        'cat; echo $DISPLAY; xprop -root _NET_SUPPORTING_WM_CHECK; echo oops >&2; exit 7',
      ],
      { input: 'hello\n' },
    );
    expect([code, err]).toEqual([7, 'oops\n']);
    expect(out).toMatch(/^hello\n:\d+\n.*window id/);
    await nothingLeft();
  });

  it('runs in a desktop that runs already, and leaves it', async () => {
    const { display } = await room.json<Details>('desktop', 'start', '--name', 'work');
    expect(await room.ok('desktop', 'run', '--name', 'work', '--', 'sh', '-c', 'echo $DISPLAY')).toBe(`${display}\n`);
    expect(await room.ok('desktop', 'list')).toMatch(/^work /);
    const { code, err } = await room.run(['desktop', 'run', '--name', 'work', '--size', '800x600', 'true']);
    expect([code, err]).toEqual([2, expect.stringContaining('already running')]);
  });

  it('lets commands inside find their own desktop', async () => {
    const inside = 'xclock -title inside & exec "$0" "$1" list-windows --json';
    const out = await room.ok('desktop', 'run', '--', 'sh', '-c', inside, process.execPath, CLI_PATH);
    expect((JSON.parse(out) as { windows: unknown }).windows).toBeInstanceOf(Array);
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)('ends its desktop when it is ended by %s', async (signal) => {
    const { child, said } = room.start('desktop', 'run', '--', 'sh', '-c', 'echo up; exec sleep 600');
    await expect.poll(said, LONG).toContain('up');
    const closed = once(child, 'exit');
    child.kill(signal);
    await closed;
    await nothingLeft();
  });

  it('reports a program that does not exist', async () => {
    const { code, err } = await room.run(['desktop', 'run', '--', 'no-such-program']);
    expect([code, err]).toEqual([1, expect.stringContaining('"no-such-program" is not installed')]);
    await nothingLeft();
  });
});
