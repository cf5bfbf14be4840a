import { describe, expect, test } from 'vitest';
import type { Node } from '../../../tree/index.js';
import { AppCache } from './app-cache.js';
import { examineWarmth, CacheSelfCheck, type FreshRead } from './self-check.js';
import type { CachedAnswer, CachedWindow } from './cached-window.js';

const root = (name: string): Node => ({
  id: 'w',
  role: 'window',
  name,
  states: { enabled: true, visible: true },
  patterns: [],
  platformIds: {},
  children: [],
});

async function checked(fresh: FreshRead, meanwhile: (cache: AppCache) => void = () => undefined) {
  const cache = new AppCache({ busName: ':1.1', isObjectError: () => true, lagMs: 250 });
  await cache.ask({ path: '/w', key: 'Name', member: 'Name' }, async () => [{ value: 'a' }]);
  const stats = { reads: 0, hits: 0, checks: 0, differences: 0 };
  const answer: CachedAnswer = {
    answer: { root: root('a'), count: 1, calls: 0 },
    options: { maxNodes: 10 },
    version: cache.version,
    windowState: 'here',
  };
  const window = {
    link: { memory: cache, pid: 1 },
    answers: new Map([['kind', answer]]),
    checkIntervalMs: 40_000,
  } as unknown as CachedWindow;
  const check = new CacheSelfCheck(async (...asked) => {
    meanwhile(cache);
    return fresh(...asked);
  }, stats);
  await check.check('x:0x1', window, 'kind');
  return { ...stats, remembered: cache.size, checkIntervalMs: window.checkIntervalMs };
}

const freshReply =
  (name: string, windowState = 'here', degraded?: { reason: string }): FreshRead =>
  async () => ({ answer: { root: root(name), count: 1, calls: 5, ...(degraded && { degraded }) }, windowState });

describe('a check', () => {
  test('that finds all as it was', async () => {
    expect(await checked(freshReply('a'))).toMatchObject({
      checks: 1,
      differences: 0,
      remembered: 1,
      checkIntervalMs: 80_000,
    });
  });

  test('that finds a difference counts it and forgets the app', async () => {
    expect(await checked(freshReply('b'))).toMatchObject({
      checks: 1,
      differences: 1,
      remembered: 0,
      checkIntervalMs: 15_000,
    });
  });

  test.each<[string, FreshRead, ((cache: AppCache) => void)?]>([
    ['something happened meanwhile', freshReply('b'), (cache) => cache.notice({ type: 'all' })],
    ['the window was moved meanwhile', freshReply('b', 'there')],
    ['the fresh one is not whole', freshReply('b', 'here', { reason: 'late' })],
    ['the window is gone', async () => undefined],
    ['the app hangs', async () => Promise.reject(new Error('hung'))],
  ])('says nothing when %s', async (_, fresh, meanwhile) => {
    expect(await checked(fresh, meanwhile)).toMatchObject({
      checks: 0,
      differences: 0,
      remembered: 1,
      checkIntervalMs: 40_000,
    });
  });
});

test('doctor has one line of it', () => {
  expect(examineWarmth({ reads: 0, hits: 0, checks: 0, differences: 0 })).toEqual([]);
  expect(examineWarmth({ reads: 1204, hits: 1100, checks: 12, differences: 0 })).toEqual([
    { level: 'ok', what: 'warm tree: 1,204 looks, 1,100 without a call, 12 checks, 0 differences' },
  ]);
  expect(examineWarmth({ reads: 5, hits: 4, checks: 3, differences: 1 })[0]).toMatchObject({ level: 'warn' });
});
