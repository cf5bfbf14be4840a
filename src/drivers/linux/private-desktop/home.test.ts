import { describe, expect, test } from 'vitest';
import { desktopEnvironment } from './home.js';

const request = {
  id: 'ab12',
  name: 'demo',
  display: 107,
  runtimeDir: '/run/r',
  homeDir: '/h',
  tempDir: '/run/r/tmp',
  authFile: '/run/r/Xauthority',
};
const from = (caller: Record<string, string>) => desktopEnvironment({ ...request, caller });

describe('desktopEnvironment', () => {
  test('points at the private desktop, never at the caller', () => {
    const env = from({ DISPLAY: ':0', XAUTHORITY: '/x', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/b', HOME: '/home/ada' });
    expect(env).toMatchObject({
      DISPLAY: ':107',
      XAUTHORITY: '/run/r/Xauthority',
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/r/run/bus',
      HOME: '/h',
      XDG_CONFIG_HOME: '/h/.config',
      DESKPROOF_SEAT: 'ab12',
      DESKPROOF_DESKTOP: 'demo',
    });
  });

  test.each([
    'WAYLAND_DISPLAY',
    'NO_AT_BRIDGE',
    'GTK_MODULES',
    'LD_PRELOAD',
    'NODE_OPTIONS',
    'SSH_AUTH_SOCK',
    'AWS_SECRET_ACCESS_KEY',
    'GITHUB_TOKEN',
    'DESKPROOF_RUNTIME',
    'XDG_SESSION_ID',
  ])('does not take %s from the caller', (name) => {
    expect(from({ [name]: 'x' })).not.toHaveProperty(name);
  });

  test.each([
    [{}, 'C.UTF-8'],
    [{ LANG: 'C' }, 'C.UTF-8'],
    [{ LANG: 'POSIX' }, 'C.UTF-8'],
    [{ LANG: 'de_DE.UTF-8' }, 'de_DE.UTF-8'],
  ])('%o speaks %s', (caller, language) => {
    expect(from(caller).LANG).toBe(language);
  });

  test('drops LC_ALL=C, which would override LANG', () => {
    expect(from({ LC_ALL: 'C' })).not.toHaveProperty('LC_ALL');
    expect(from({ LC_ALL: 'fr_FR.UTF-8' }).LC_ALL).toBe('fr_FR.UTF-8');
  });

  test('escapes special characters of a path in the bus address', () => {
    const env = desktopEnvironment({ ...request, caller: {}, runtimeDir: '/tmp/a b,c' });
    expect(env.DBUS_SESSION_BUS_ADDRESS).toBe('unix:path=/tmp/a%20b%2cc/run/bus');
  });
});
