import { describe, expect, test } from 'vitest';
import { limitsFor, SlidingMinute } from './rate-limits.js';
import type { Limits } from './file/settings.js';

test.each<[Parameters<typeof limitsFor>[0], (keyof Limits)[]]>([
  [{ tool: 'ui_read', class: 'read' }, []],
  [{ tool: 'ui_snapshot', class: 'read', pixels: true }, ['capturesPerMinute']],
  [{ tool: 'ui_capture', class: 'capture' }, ['capturesPerMinute']],
  [{ tool: 'ui_click', class: 'act' }, ['actsPerMinute']],
  [{ tool: 'ui_click', class: 'act', pixels: true }, ['capturesPerMinute', 'actsPerMinute']],
  [{ tool: 'ui_click_xy', class: 'raw' }, ['actsPerMinute']],
  [{ tool: 'ui_launch', class: 'act' }, ['actsPerMinute', 'launchesPerMinute']],
])('%j counts against %j', (call, limits) => expect(limitsFor(call)).toEqual(limits));

describe('a minute that slides', () => {
  const LIMITS: Limits = { capturesPerMinute: 2, actsPerMinute: 3, launchesPerMinute: 0 };
  const make = (limits = LIMITS) => {
    let now = 1_000;
    const minute = new SlidingMinute(limits, () => now);
    return { wait: (ms: number) => (now += ms), take: (...kinds: (keyof Limits)[]) => minute.take(kinds) };
  };

  test('so many and no more; then as many as have grown old', () => {
    const { take, wait } = make();
    expect(take('capturesPerMinute')).toBeUndefined();
    wait(20_000);
    expect(take('capturesPerMinute')).toBeUndefined();
    wait(10_000);
    expect(take('capturesPerMinute')).toEqual({ limit: 'capturesPerMinute', perMinute: 2, retryAfterMs: 30_000 });
    wait(29_999);
    expect(take('capturesPerMinute')).toMatchObject({ retryAfterMs: 1 });
    wait(1);
    expect(take('capturesPerMinute')).toBeUndefined();
    expect(take('capturesPerMinute')).toMatchObject({ retryAfterMs: 20_000 });
  });

  test('what is refused does not count', () => {
    const { take, wait } = make();
    for (let i = 0; i < 3; i++) take('actsPerMinute');
    for (let i = 0; i < 50; i++) expect(take('actsPerMinute')).toMatchObject({ limit: 'actsPerMinute' });
    wait(60_000);
    expect(take('actsPerMinute')).toBeUndefined();
  });

  test('one limit in the way keeps the others from being counted', () => {
    const { take } = make();
    take('capturesPerMinute');
    take('capturesPerMinute');
    for (let i = 0; i < 9; i++) expect(take('actsPerMinute', 'capturesPerMinute')).toBeDefined();
    for (let i = 0; i < 3; i++) expect(take('actsPerMinute')).toBeUndefined();
  });

  test('none at all is never again', () => {
    expect(make().take('launchesPerMinute')).toEqual({ limit: 'launchesPerMinute', perMinute: 0 });
  });

  test('nothing to count against is always fine', () => expect(make().take()).toBeUndefined());
});
