import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { X11Client } from '../../src/drivers/linux/x11/client.js';
import { readAuthFile } from '../../src/drivers/linux/x11/authority.js';
import { openDisplay, parseDisplayName } from '../../src/drivers/linux/x11/display.js';
import { Deadline, DesktopError } from '../../src/shared/index.js';
import { freeze } from '../conformance/freeze.js';
import { GovernedDesktop } from './support/governed-desktop.js';
import { cookieFile, end, eventually, openXSeat, soon, startBareX, tool, type BareX } from './support/x-seat.js';

async function refusal(env: Record<string, string | undefined>): Promise<DesktopError> {
  const error: unknown = await openDisplay(env, soon()).then(
    (display) => {
      display.close();
      return undefined;
    },
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(DesktopError);
  return error as DesktopError;
}

async function withBareX(
  options: Parameters<typeof startBareX>[0],
  use: (bare: BareX) => Promise<void>,
): Promise<void> {
  const bare = await startBareX(options);
  try {
    await use(bare);
  } finally {
    await bare.stop();
  }
}

describe('a display that cannot be opened says why and what to do', () => {
  it.each<[string, Record<string, string>, string, RegExp, RegExp]>([
    ['none', {}, 'driver_unavailable', /DISPLAY is not set/, /export DISPLAY=.*deskproof desktop start/],
    ['Wayland only', { WAYLAND_DISPLAY: 'wayland-0' }, 'driver_unavailable', /Wayland/, /XWayland/],
    [
      'no server',
      { DISPLAY: ':59999' },
      'driver_unavailable',
      /No X server answers at display :59999/,
      /desktop start/,
    ],
    ['no server, TCP', { DISPLAY: '127.0.0.1:59000' }, 'driver_unavailable', /No X server answers/, /desktop start/],
    ['no name at all', { DISPLAY: 'nonsense' }, 'driver_unavailable', /"nonsense"/, /:0/],
  ])('%s', async (_, env, code, message, hint) => {
    const error = await refusal(env);
    expect(error).toMatchObject({ code, retry: 'no' });
    expect(error.message).toMatch(message);
    expect(error.hint).toMatch(hint);
  });

  it('no cookie, a wrong cookie, a cookie file that is not for us', async () => {
    await withBareX({}, async ({ env }) => {
      const wrong = join(env.HOME!, 'wrong');
      await writeFile(wrong, cookieFile());
      expect((await refusal({ ...env, XAUTHORITY: '/nonexistent' })).message).toMatch(/no cookie for it/);
      expect(await refusal({ ...env, XAUTHORITY: wrong })).toMatchObject({
        code: 'permission_missing',
        message: expect.stringMatching(/is not the one that the server expects/) as string,
        hint: expect.stringMatching(/XAUTHORITY/) as string,
      });
      (await openDisplay(env, soon())).close();
    });
  });

  it.skipIf(process.getuid?.() !== 0)("another user's display (needs root to switch the user)", async () => {
    const seat = await openXSeat();
    try {
      // The same connection attempt as uid 65534: the socket is reachable, the cookie is not.
      const script = `const s=require('net').connect('/tmp/.X11-unix/X${seat.seat.display.slice(1)}');
        s.on('connect',()=>s.write(Buffer.from('6c000b0000000000000000000000','hex').subarray(0,12)));
        s.on('data',d=>{console.log(d[0]);process.exit()});s.on('error',()=>{console.log('no');process.exit()})`;
      const child = spawn(process.execPath, ['-e', script], { uid: 65534, gid: 65534, cwd: '/' });
      const answer = await new Promise<string>((resolve) =>
        child.stdout.once('data', (data) => resolve(String(data).trim())),
      );
      expect(answer).not.toBe('1');
      await end(child);
    } finally {
      await seat.stop();
    }
  });

  it('a server that accepts and never answers ends with the deadline', async () => {
    await withBareX({}, async ({ env, server }) => {
      await freeze(server.pid!);
      await expect(openDisplay(env, Deadline.in(300))).rejects.toMatchObject({ code: 'timeout' });
      server.kill('SIGCONT');
      (await openDisplay(env, soon())).close();
    });
  });
});

describe('a server that dies', () => {
  it('answers every open question with the same error, and later ones too', async () => {
    await withBareX({}, async ({ env, server }) => {
      const display = await openDisplay(env, soon());
      const lost = new Promise<Error>((resolve) => display.onLost(resolve));
      await freeze(server.pid!);
      const calls = [display.windows(soon()), display.monitors(soon()), display.screenshot(undefined, soon())];
      const settled = Promise.allSettled(calls);
      await end(server);
      for (const result of await settled) {
        expect(result).toMatchObject({ status: 'rejected', reason: { code: 'driver_unavailable' } });
      }
      expect((await lost).message).toMatch(/is gone/);
      await expect(display.windows(soon())).rejects.toMatchObject({ code: 'driver_unavailable' });
    });
  });

  it('is not waited for beyond the deadline when it only hangs', async () => {
    await withBareX({}, async ({ env, server }) => {
      const display = await openDisplay(env, soon());
      await freeze(server.pid!);
      await expect(display.windows(Deadline.in(200))).rejects.toMatchObject({ code: 'timeout' });
      server.kill('SIGCONT');
      expect(await display.windows(soon())).toEqual([]);
      display.close();
    });
  });
});

describe('listing', () => {
  it('costs one write for twenty windows that were there the last time, and three when one is new', async () => {
    const seat = await openXSeat();
    try {
      await Promise.all(Array.from({ length: 20 }, () => seat.launch('xclock')));
      await eventually(async () => expect(await seat.windows()).toHaveLength(20));
      const writes = async (windows: number): Promise<number> => {
        const before = seat.display.client.traffic.writes;
        expect(await seat.windows()).toHaveLength(windows);
        return seat.display.client.traffic.writes - before;
      };
      await eventually(async () => expect(await writes(20)).toBe(1));
      const other = await openDisplay(seat.env, soon());
      await seat.launch('xclock');
      await eventually(async () => expect(await other.windows(soon())).toHaveLength(21));
      other.close();
      expect(await writes(21)).toBe(3);
      await eventually(async () => expect(await writes(21)).toBe(1));
    } finally {
      await seat.stop();
    }
  });

  it('survives windows that go away in the middle of it', async () => {
    const seat = await openXSeat();
    try {
      const clocks = await Promise.all(Array.from({ length: 12 }, () => seat.launch('xclock')));
      await eventually(async () => expect(await seat.windows()).toHaveLength(12));
      for (const { pid } of clocks) {
        const listing = seat.windows();
        process.kill(pid, 'SIGKILL');
        for (const window of await listing) expect(window).toMatchObject({ role: 'window', title: 'xclock' });
        await seat.windows();
      }
      await eventually(async () => expect(await seat.windows()).toEqual([]));
    } finally {
      await seat.stop();
    }
  });

  it('works without a window manager', async () => {
    await withBareX({}, async ({ env }) => {
      const display = await openDisplay(env, soon());
      const clock = spawn('xclock', ['-geometry', '100x100+10+20'], { env });
      const eyes = spawn('xeyes', ['-geometry', '80x60+200+30'], { env });
      try {
        await eventually(async () => expect(await display.windows(soon())).toHaveLength(2));
        const windows = await display.windows(soon());
        const found = windows.find((window) => window.app === 'xclock')!;
        expect(found).toMatchObject({
          pid: clock.pid,
          role: 'window',
          visible: true,
          // xclock asks for a border of one pixel around its 100.
          client: { x: 11, y: 21, width: 100, height: 100 },
          bounds: { x: 10, y: 20, width: 102, height: 102 },
        });
        await tool(env, 'xdotool', 'windowfocus', '--sync', String(found.xid));
        await eventually(async () => {
          const active = (await display.windows(soon())).filter((window) => window.active);
          expect(active.map((window) => window.xid)).toEqual([found.xid]);
        });
      } finally {
        await Promise.all([end(clock), end(eyes)]);
        display.close();
      }
    });
  });

  it('does not believe the lists of a window manager that died', async () => {
    await withBareX({}, async ({ env }) => {
      const display = await openDisplay(env, soon());
      await tool(env, 'xprop', '-root', '-f', '_NET_CLIENT_LIST', '32x', '-set', '_NET_CLIENT_LIST', '0x123456');
      await tool(
        env,
        'xprop',
        '-root',
        '-f',
        '_NET_SUPPORTING_WM_CHECK',
        '32x',
        '-set',
        '_NET_SUPPORTING_WM_CHECK',
        '0x123456',
      );
      const clock = spawn('xclock', { env });
      try {
        await eventually(async () => expect((await display.windows(soon())).map(({ app }) => app)).toEqual(['xclock']));
      } finally {
        await end(clock);
        display.close();
      }
    });
  });
});

describe('the cookie', () => {
  it('is found in a file that others could not read', async () => {
    await withBareX({}, async ({ env }) => {
      await chmod(env.XAUTHORITY!, 0o400);
      const display = await openDisplay(env, soon());
      expect(display.client.hadCookie).toBe(true);
      display.close();
    });
  });
});

describe('a private desktop whose display has no place for another client', () => {
  it('is named as the reason why a program shows no window', async () => {
    const room = await GovernedDesktop.open('version: 1\n');
    const clients: X11Client[] = [];
    try {
      const name = parseDisplayName(room.seat.env.DISPLAY!);
      const auth = await readAuthFile(room.seat.env);
      const fill = async (): Promise<void> => {
        for (;;) clients.push(await X11Client.connect(name, auth, Deadline.in(60_000)));
      };
      await expect(fill()).rejects.toThrow(/maximum number of clients/);
      // The window manager and the driver have theirs.
      expect(clients.length).toBeGreaterThan(2_000);
      const said = await room.call('ui_launch', { command: 'mousepad', timeoutMs: 60_000 });
      expect(said.code).toBe('command_failed');
      expect(said.text).toMatch(/mousepad ended with .* has reached its maximum number of clients/);
    } finally {
      for (const client of clients) client.close();
      await room.close();
    }
  });
});
