import { expect, test } from 'vitest';
import { RateLimit } from './request-guard.js';

test('lets the limit pass within a second, and more as the oldest become a second old', () => {
  let now = 0;
  const pace = new RateLimit(3, () => now);
  expect([pace.tryAcquire(), pace.tryAcquire(), pace.tryAcquire(), pace.tryAcquire()]).toEqual([
    true,
    true,
    true,
    false,
  ]);
  now = 999;
  expect(pace.tryAcquire()).toBe(false);
  now = 1_000;
  expect([pace.tryAcquire(), pace.tryAcquire(), pace.tryAcquire(), pace.tryAcquire()]).toEqual([
    true,
    true,
    true,
    false,
  ]);
});
