import { expect, it } from 'vitest';
import { memoize } from './bounded-map.js';

it('computes each key once, also when the result is undefined', () => {
  const asked: number[] = [];
  const half = memoize(String, (n: number) => {
    asked.push(n);
    return n % 2 === 0 ? n / 2 : undefined;
  });
  expect([half(4), half(4), half(3), half(3)]).toEqual([2, 2, undefined, undefined]);
  expect(asked).toEqual([4, 3]);
});

it('keeps a limited number of results', () => {
  let asked = 0;
  const same = memoize(String, (n: number) => {
    asked += 1;
    return n;
  });
  for (let n = 0; n < 1_000; n++) same(n);
  expect(same(999)).toBe(999);
  expect(asked).toBe(1_000);
  same(0);
  expect(asked).toBe(1_001);
});
