import { expect, test } from 'vitest';
import { Pace } from './request-guard.js';

test('so many pass in any second, and the next ones when the first are a second old', () => {
  let now = 0;
  const pace = new Pace(3, () => now);
  expect([pace.pass(), pace.pass(), pace.pass(), pace.pass()]).toEqual([true, true, true, false]);
  now = 999;
  expect(pace.pass()).toBe(false);
  now = 1_000;
  expect([pace.pass(), pace.pass(), pace.pass(), pace.pass()]).toEqual([true, true, true, false]);
});
