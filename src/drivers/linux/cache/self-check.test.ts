import { describe, expect, test } from 'vitest';
import type { Node } from '../../../tree/index.js';
import { AppMemory } from './app-cache.js';
import { examineWarmth, WarmCheck, type FreshRead } from './self-check.js';
import type { KeptAnswer, WarmWindow } from './cached-window.js';

const root = (name: string): Node => ({
  id: 'w',
  role: 'window',
  name,
  states: { enabled: true, visible: true },
  patterns: [],
  platformIds: {},
  children: [],
});

async function checked(fresh: FreshRead, meanwhile: (memory: AppMemory) => void = () => undefined) {
  const memory = new AppMemory({ busName: ':1.1', cannotSay: () => true, lagMs: 250 });
  await memory.ask({ path: '/w', key: 'Name', word: 'Name' }, async () => [{ value: 'a' }]);
  const numbers = { looks: 0, warm: 0, checks: 0, differences: 0 };
  const kept: KeptAnswer = {
    answer: { root: root('a'), count: 1, calls: 0 },
    options: { maxNodes: 10 },
    version: memory.version,
    situation: 'here',
  };
  const window = {
    link: { memory, pid: 1 },
    answers: new Map([['kind', kept]]),
    trustedForMs: 40_000,
  } as unknown as WarmWindow;
  const check = new WarmCheck(async (...asked) => {
    meanwhile(memory);
    return fresh(...asked);
  }, numbers);
  await check.check('x:0x1', window, 'kind');
  return { ...numbers, remembered: memory.size, trustedForMs: window.trustedForMs };
}

const says =
  (name: string, situation = 'here', degraded?: { reason: string }): FreshRead =>
  async () => ({ answer: { root: root(name), count: 1, calls: 5, ...(degraded && { degraded }) }, situation });

describe('a check', () => {
  test('that finds all as it was', async () => {
    expect(await checked(says('a'))).toMatchObject({ checks: 1, differences: 0, remembered: 1, trustedForMs: 80_000 });
  });

  test('that finds a difference counts it and forgets the app', async () => {
    expect(await checked(says('b'))).toMatchObject({ checks: 1, differences: 1, remembered: 0, trustedForMs: 15_000 });
  });

  test.each<[string, FreshRead, ((memory: AppMemory) => void)?]>([
    ['something happened meanwhile', says('b'), (memory) => memory.notice({ type: 'all' })],
    ['the window was moved meanwhile', says('b', 'there')],
    ['the fresh one is not whole', says('b', 'here', { reason: 'late' })],
    ['the window is gone', async () => undefined],
    ['the app hangs', async () => Promise.reject(new Error('hung'))],
  ])('says nothing when %s', async (_, fresh, meanwhile) => {
    expect(await checked(fresh, meanwhile)).toMatchObject({
      checks: 0,
      differences: 0,
      remembered: 1,
      trustedForMs: 40_000,
    });
  });
});

test('doctor has one line of it', () => {
  expect(examineWarmth({ looks: 0, warm: 0, checks: 0, differences: 0 })).toEqual([]);
  expect(examineWarmth({ looks: 1204, warm: 1100, checks: 12, differences: 0 })).toEqual([
    { level: 'ok', what: 'warm tree: 1,204 looks, 1,100 without a call, 12 checks, 0 differences' },
  ]);
  expect(examineWarmth({ looks: 5, warm: 4, checks: 3, differences: 1 })[0]).toMatchObject({ level: 'warn' });
});
