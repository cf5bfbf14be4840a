import { describe, expect, test } from 'vitest';
import { limitsFor, SlidingMinute } from './authorizer.js';
import type { Limits } from '../../policy/index.js';

test.each<[Parameters<typeof limitsFor>[0], (keyof Limits)[]]>([
  [{ does: [], class: 'read' }, []],
  [{ does: [], class: 'read', pixels: true }, ['capturesPerMinute']],
  [{ does: [], class: 'capture' }, ['capturesPerMinute']],
  [{ does: [], class: 'act' }, ['actsPerMinute']],
  [{ does: [], class: 'act', pixels: true }, ['capturesPerMinute', 'actsPerMinute']],
  [{ does: [], class: 'raw' }, ['actsPerMinute']],
  [{ does: ['launch'], class: 'act' }, ['actsPerMinute', 'launchesPerMinute']],
])('%j counts against %j', (call, limits) => expect(limitsFor(call)).toEqual(limits));

describe('sliding minute', () => {
  const LIMITS: Limits = { capturesPerMinute: 2, actsPerMinute: 3, launchesPerMinute: 0 };
  const make = (limits = LIMITS) => {
    let now = 1_000;
    const minute = new SlidingMinute(limits, () => now);
    return { wait: (ms: number) => (now += ms), take: (...kinds: (keyof Limits)[]) => minute.take(kinds) };
  };

  test('refuses calls above the limit until old calls expire', () => {
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

  test('refused calls do not count', () => {
    const { take, wait } = make();
    for (let i = 0; i < 3; i++) take('actsPerMinute');
    for (let i = 0; i < 50; i++) expect(take('actsPerMinute')).toMatchObject({ limit: 'actsPerMinute' });
    wait(60_000);
    expect(take('actsPerMinute')).toBeUndefined();
  });

  test('counts against no limit when one limit is reached', () => {
    const { take } = make();
    take('capturesPerMinute');
    take('capturesPerMinute');
    for (let i = 0; i < 9; i++) expect(take('actsPerMinute', 'capturesPerMinute')).toBeDefined();
    for (let i = 0; i < 3; i++) expect(take('actsPerMinute')).toBeUndefined();
  });

  test('a limit of 0 has no retry time', () => {
    expect(make().take('launchesPerMinute')).toEqual({ limit: 'launchesPerMinute', perMinute: 0 });
  });

  test('allows calls that count against no limit', () => expect(make().take()).toBeUndefined());
});
