import { readFileSync, statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PrivateDesktop } from '../../src/drivers/contract/index.js';
import { bootPrivateDesktop } from '../../src/drivers/linux/private-desktop/boot.js';
import { ask, processesOf, SeatRoom, until } from './support/seat-room.js';

const room = new SeatRoom();
const otherRoom = new SeatRoom();
let seat: PrivateDesktop;
let other: PrivateDesktop;

beforeAll(async () => {
  [seat, other] = await Promise.all([bootPrivateDesktop(room.options()), bootPrivateDesktop(otherRoom.options())]);
});

afterAll(async () => {
  await Promise.all([seat, other].map((one) => one?.stop()));
  room.remove();
  otherRoom.remove();
});

const busSays = (args: string[], env = seat.env) => ask('dbus-send', ['--session', '--print-reply', ...args], env);
const askProperty = (name: string) =>
  busSays([
    ...['--dest=org.a11y.Bus', '/org/a11y/bus', 'org.freedesktop.DBus.Properties.Get'],
    ...['string:org.a11y.Status', `string:${name}`],
  ]);

describe('a private desktop', () => {
  test('has a display of the asked size, from number 100 up, under a window manager', async () => {
    expect(Number(seat.display.slice(1))).toBeGreaterThanOrEqual(100);
    expect((await ask('xdpyinfo', [], seat.env)).output).toContain('dimensions:    1024x768 pixels');
    expect((await ask('xprop', ['-root', '_NET_NUMBER_OF_DESKTOPS'], seat.env)).output).toMatch(/= 1\b/);
  });

  test('never blanks its screen', async () => {
    expect((await ask('xset', ['q'], seat.env)).output).toMatch(/timeout:\s+0\b/);
  });

  test('has its accessibility bus switched on, and no screen reader', async () => {
    expect((await askProperty('IsEnabled')).output).toContain('boolean true');
    expect((await askProperty('ScreenReaderEnabled')).output).toContain('boolean false');
    const address = await busSays(['--dest=org.a11y.Bus', '/org/a11y/bus', 'org.a11y.Bus.GetAddress']);
    expect(address.output).toContain(`unix:path=${room.base}/r/run/at-spi/`);
  });

  test('starts needed services and apps by the bus, but no other session service', async () => {
    const list = ['--dest=org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus.ListActivatableNames'];
    const { output } = await busSays(list);
    expect(output).toContain('"org.a11y.Bus"');
    expect(output).not.toMatch(/portal|gvfs|systemd1/);
  });

  test('does not meet another one that boots at the same moment', async () => {
    expect(other.display).not.toBe(seat.display);
    for (const name of ['DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR', 'HOME', 'XAUTHORITY', 'DESKPROOF_SEAT']) {
      expect(other.env[name]).not.toBe(seat.env[name]);
    }
    const mixed = { ...seat.env, DISPLAY: other.display };
    expect((await ask('xdpyinfo', [], mixed)).code).not.toBe(0);
  });

  test('refuses a client without the cookie', async () => {
    const { code, output } = await ask('xdpyinfo', [], { ...seat.env, XAUTHORITY: '/dev/null' });
    expect(code).not.toBe(0);
    expect(output).toMatch(/unable to open display/);
    expect(statSync(seat.env.XAUTHORITY!).mode & 0o777).toBe(0o600);
  });

  test.runIf(process.getuid?.() === 0)('refuses another user, at the display and at both buses', async () => {
    const asOtherUser = (command: string, args: string[], env = seat.env) =>
      ask('setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups', command, ...args], env);
    const ping = ['--dest=org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus.GetId'];
    expect((await asOtherUser('true', [])).code).toBe(0);
    expect((await asOtherUser('xdpyinfo', [])).output).toMatch(/unable to open display/);
    expect((await asOtherUser('dbus-send', ['--session', '--print-reply', ...ping])).output).toMatch(/Failed to open/);
    const { output } = await busSays(['--dest=org.a11y.Bus', '/org/a11y/bus', 'org.a11y.Bus.GetAddress']);
    const address = /string "([^"]+)"/.exec(output)?.[1] ?? '';
    const viaBus = (who: typeof asOtherUser) => who('dbus-send', [`--bus=${address}`, '--print-reply', ...ping]);
    expect((await viaBus((command, args) => ask(command, args, seat.env))).code).toBe(0);
    expect((await viaBus(asOtherUser)).code).not.toBe(0);
  });

  test(
    'hands on language and PATH, but neither secrets nor the displays and buses of its caller',
    { tags: 'safety' },
    async () => {
      expect(seat.env.PATH).toBe(process.env.PATH);
      expect(seat.env.LANG).toMatch(/utf-?8$/i);
      expect(Object.keys(seat.env).filter((name) => /TOKEN|SECRET|WAYLAND_DISPLAY|SSH_|NODE_/.test(name))).toEqual([]);
      const home = statSync(seat.env.HOME!);
      expect(home.mode & 0o777).toBe(0o700);
      expect(statSync(seat.env.XDG_RUNTIME_DIR!).mode & 0o777).toBe(0o700);
    },
  );

  test('says that it died when its X server is killed', async () => {
    const extraRoom = new SeatRoom();
    const doomed = await bootPrivateDesktop(extraRoom.options());
    const lock = readFileSync(`/tmp/.X${doomed.display.slice(1)}-lock`, 'latin1');
    process.kill(Number(lock), 'SIGKILL');
    expect(await doomed.died).toMatch(/^Xvfb ended/);
    await doomed.stop();
    expect(extraRoom.left()).toEqual([]);
    extraRoom.remove();
  });

  test('gets its window manager back once when that crashes', async () => {
    const manager = () => Number.parseInt(processesOf(seat.env.DESKPROOF_SEAT!).find(isManager) ?? '0');
    const isManager = (line: string) => /^\d+ openbox /.test(line);
    const first = manager();
    process.kill(first, 'SIGKILL');
    const second = await until('a new openbox', () => manager() !== first && manager());
    expect(second).toBeGreaterThan(0);
  });
});
