import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Finding } from '../../src/drivers/contract/index.js';
import { examineSession } from '../../src/drivers/linux/doctor.js';
import { freeze } from '../conformance/freeze.js';
import { end, eventually, openXSeat, soon, startBareX, tool, type Env, type XSeat } from './support/x-seat.js';

const examine = (env: Record<string, string | undefined>): Promise<Finding[]> => examineSession(env, soon());
const lines = (findings: Finding[], level: Finding['level']): string[] =>
  findings.filter((finding) => finding.level === level).map((finding) => finding.what);
const about = (findings: Finding[], pattern: RegExp): Finding | undefined =>
  findings.find((finding) => pattern.test(finding.what));

describe('a healthy desktop', () => {
  let x: XSeat;
  beforeAll(async () => {
    x = await openXSeat({ monitors: 2 });
  });
  afterAll(async () => {
    await x.stop();
  });

  it('has nothing to complain about', async () => {
    await x.launch('mousepad');
    await eventually(async () => {
      const findings = await examine(x.env);
      expect(lines(findings, 'ok')).toEqual([
        `display ${x.seat.display}, X11, 2 monitors`,
        'window manager Openbox',
        expect.stringMatching(/^extensions XTEST, XInputExtension, DAMAGE/),
        'accessibility bus, 1 app answers',
      ]);
      expect(findings.filter((finding) => finding.level !== 'ok')).toEqual([]);
    });
  });

  it('names a stopped app, and its line wakes it up', async () => {
    const { pid } = await x.window((window) => window.app === 'mousepad');
    await freeze(pid!);
    const finding = about(await examine(x.env), /mousepad/);
    expect(finding).toMatchObject({ level: 'warn', what: `mousepad (pid ${pid}) is stopped and does not answer` });
    await tool(x.env, 'sh', '-c', finding!.fix!);
    await eventually(async () => expect(about(await examine(x.env), /mousepad/)).toBeUndefined());
  });

  it('sees that accessibility is off, and its line switches it on', async () => {
    const set = (value: boolean, line: string): string => line.replace(/boolean:\w+/, `boolean:${value}`);
    const off = /not switched on/;
    const line =
      'dbus-send --session --print-reply --dest=org.a11y.Bus /org/a11y/bus org.freedesktop.DBus.Properties.Set string:org.a11y.Status string:IsEnabled variant:boolean:true';
    await tool(x.env, 'sh', '-c', set(false, line));
    const finding = about(await examine(x.env), off);
    expect(finding?.level).toBe('warn');
    await tool(x.env, 'sh', '-c', finding!.fix!);
    await eventually(async () => expect(about(await examine(x.env), off)).toBeUndefined());
  });

  it('stays switched on when an app writes the settings as it knew them', async () => {
    const settings = join(x.env.HOME!, '.config/glib-2.0/settings/keyfile');
    await writeFile(settings, '[org/gnome/desktop/interface]\ntoolkit-accessibility=false\n');
    // Who watches the file hears of it within a second.
    await setTimeout(1_200);
    expect(about(await examine(x.env), /not switched on/)).toBeUndefined();
  });

  it('finds a Chromium that was started without its flag', async () => {
    const { ACCESSIBILITY_ENABLED: _a, GNOME_ACCESSIBILITY: _b, ...env } = x.env;
    const shows = /\(Chromium\) exposes \d+ elements: start it with --force-renderer-accessibility/;
    const start = (...flags: string[]) =>
      spawn(
        'chromium',
        ['--no-sandbox', '--no-first-run', `--user-data-dir=${env.HOME}/c`, ...flags, 'about:version'],
        {
          env,
          stdio: 'ignore',
          detached: true,
        },
      );
    const without = start();
    try {
      await x.window((window) => window.app === 'chromium' && window.role === 'window');
      await eventually(async () =>
        expect(about(await examine(x.env), shows)?.fix).toMatch(/chromium --force-renderer/),
      );
    } finally {
      process.kill(-without.pid!, 'SIGKILL');
    }
    await eventually(async () => expect((await x.windows()).some(({ app }) => app === 'chromium')).toBe(false));
    const withFlag = start('--force-renderer-accessibility');
    try {
      await x.window((window) => window.app === 'chromium' && window.role === 'window');
      await eventually(async () => expect(about(await examine(x.env), shows)).toBeUndefined());
    } finally {
      process.kill(-withFlag.pid!, 'SIGKILL');
    }
  });
});

describe('a display that others can open', () => {
  it('was started without a cookie', async () => {
    const bare = await startBareX({ cookie: false });
    try {
      const findings = await examine(bare.env);
      expect(about(findings, /is open to every user of this machine/)).toMatchObject({ level: 'warn' });
      expect(about(findings, /no window manager/)).toMatchObject({
        level: 'warn',
        fix: expect.stringMatching(/openbox/) as string,
      });
    } finally {
      await bare.stop();
    }
  });

  it.each([
    ['+', 'xhost -'],
    ['+local:', 'xhost -local:'],
  ])('was opened with xhost %s, and its line closes it', async (argument, fix) => {
    const bare = await startBareX();
    try {
      expect(about(await examine(bare.env), /is open to/)).toBeUndefined();
      await tool(bare.env, 'xhost', argument);
      const finding = about(await examine(bare.env), /is open to/);
      expect(finding).toMatchObject({ level: 'warn', fix });
      await tool(bare.env, 'sh', '-c', finding!.fix!);
      expect(about(await examine(bare.env), /is open to/)).toBeUndefined();
    } finally {
      await bare.stop();
    }
  });
});

describe('what is missing', () => {
  it.each<[string, Record<string, string>, Finding['level'], RegExp, RegExp]>([
    ['no display', {}, 'fail', /DISPLAY is not set/, /export DISPLAY=/],
    [
      'a wrong display',
      { DISPLAY: ':59998' },
      'fail',
      /No X server answers at display :59998/,
      /deskproof desktop start/,
    ],
    ['no session bus', {}, 'fail', /no session bus/, /DBUS_SESSION_BUS_ADDRESS/],
    [
      'a session bus that is not there',
      { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus' },
      'fail',
      /session bus does not answer/,
      /desktop start/,
    ],
    [
      'Wayland without X',
      { WAYLAND_DISPLAY: 'wayland-0' },
      'warn',
      /Wayland session: apps can be read.*no XWayland/,
      /desktop start/,
    ],
    [
      'Wayland with X',
      { XDG_SESSION_TYPE: 'wayland', DISPLAY: ':59998' },
      'warn',
      /only windows of X programs/,
      /desktop start/,
    ],
  ])('%s', async (_, env, level, what, fix) => {
    const finding = about(await examine(env), what);
    expect(finding?.level).toBe(level);
    expect(finding?.fix).toMatch(fix);
  });

  it('a display that refuses us', async () => {
    const bare = await startBareX();
    try {
      const finding = about(await examine({ ...bare.env, XAUTHORITY: '/nonexistent' }), /refused the connection/);
      expect(finding).toMatchObject({ level: 'fail', fix: expect.stringMatching(/XAUTHORITY/) as string });
    } finally {
      await bare.stop();
    }
  });

  it('a session bus without accessibility', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'dp-bus-'));
    const config = join(directory, 'bus.conf');
    await writeFile(
      config,
      `<busconfig><type>session</type><listen>unix:path=${directory}/bus</listen><auth>EXTERNAL</auth>
       <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`,
    );
    const daemon = spawn('dbus-daemon', ['--nofork', `--config-file=${config}`, '--print-address=3'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    try {
      const address = await new Promise<string>((resolve) =>
        createInterface({ input: daemon.stdio[3] as NodeJS.ReadableStream }).once('line', resolve),
      );
      const env: Env = { DBUS_SESSION_BUS_ADDRESS: address };
      expect(about(await examine(env), /at-spi2-core is not installed/)).toMatchObject({
        level: 'fail',
        fix: expect.stringMatching(/apt-get install .*at-spi2-core/) as string,
      });
    } finally {
      await end(daemon);
      await rm(directory, { recursive: true });
    }
  });
});
