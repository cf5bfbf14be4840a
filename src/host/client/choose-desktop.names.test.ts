import { describe, expect, it } from 'vitest';
import { checkDesktopName, isDesktopName, isUserDesktopKey, newDesktopName, userDesktopKey } from './choose-desktop.js';

describe('desktop names', () => {
  it.each(['a', '7', 'desk-7c2e', 'Work', 'a'.repeat(31)])('%s is valid', (name) => {
    expect(checkDesktopName(name)).toBe(name);
  });

  it.each(['', '-a', 'a_b', '../x', 'a/b', 'a b', 'ä', 'a'.repeat(32), 'user', 'Virtual', 'a\n'])(
    '%j is not valid',
    (name) => {
      expect(isDesktopName(name)).toBe(false);
      expect(() => checkDesktopName(name)).toThrow();
    },
  );

  it('generated names are valid and have their prefix', () => {
    expect(newDesktopName('demo')).toMatch(/^demo-[0-9a-f]{4}$/);
    expect(isDesktopName(newDesktopName())).toBe(true);
  });
});

describe('userDesktopKey', () => {
  it('is one per session and is not a valid name of a private desktop', () => {
    const one = userDesktopKey({ DISPLAY: ':0' });
    expect(one).toBe(userDesktopKey({ DISPLAY: ':0', HOME: '/elsewhere' }));
    expect(one).not.toBe(userDesktopKey({ DISPLAY: ':1' }));
    expect(userDesktopKey({ DISPLAY: ':0' })).not.toBe(userDesktopKey({ WAYLAND_DISPLAY: ':0' }));
    expect(isUserDesktopKey(one)).toBe(true);
    expect(isDesktopName(one)).toBe(false);
  });
});
