import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { exportLines, privateEnvironment, shellQuote } from './environment.js';

const desktopEnv = {
  DISPLAY: ':100',
  HOME: '/run/x/home',
  PATH: '/usr/bin',
  LANG: 'C.UTF-8',
  DESKPROOF_SEAT: 'abc',
  DESKPROOF_DESKTOP: 'work',
};

describe('insideSeat', () => {
  it('replaces the session variables and keeps the rest', () => {
    const caller = { DISPLAY: ':0', WAYLAND_DISPLAY: 'wayland-0', PATH: '/mine', TOKEN: 'x', HOME: '/home/ada' };
    expect(privateEnvironment(caller, desktopEnv)).toEqual({ ...desktopEnv, PATH: '/mine', TOKEN: 'x' });
  });
});

describe('exportLines', () => {
  it('contains only what differs, and never the marker', () => {
    const lines = exportLines({ DISPLAY: ':0', PATH: '/mine', NO_AT_BRIDGE: '1', LANG: 'C.UTF-8' }, desktopEnv);
    expect(lines).toEqual([
      'unset NO_AT_BRIDGE',
      'export DESKPROOF_DESKTOP=work',
      'export DISPLAY=:100',
      'export HOME=/run/x/home',
    ]);
  });

  it.each(['plain', "it's", 'a b', '$(touch /tmp/x)', '`id`', '"q"', '', 'line\nbreak', '\\'])(
    'is read back by a shell: %j',
    (text) => {
      const out = execFileSync('sh', ['-c', `X=${shellQuote(text)}; printf %s "$X"`], { encoding: 'utf8' });
      expect(out).toBe(text);
    },
  );
});
