import { describe, expect, test } from 'vitest';
import { KeyboardMap } from './keyboard-map.js';
import { runsOf, SpareKeys, type Plan } from './temporary-keys.js';

/** Keys 8 to 12; what is not in `symbols` is free. */
const map = (symbols: Record<number, number> = {}): KeyboardMap =>
  new KeyboardMap(
    8,
    [8, 9, 10, 11, 12].map((key) => (symbols[key] ? [symbols[key], symbols[key]] : [0, 0])),
    [],
  );
const keys = (plan: Plan): Record<number, number> => Object.fromEntries(plan.keys);

describe('symbols on spare keys', () => {
  test('each gets a key, those that are there already keep theirs', () => {
    const spare = new SpareKeys();
    const first = spare.plan([101, 102, 101], map());
    expect(keys(first)).toEqual({ 101: 8, 102: 9 });
    expect(first.reuses).toBe(false);
    spare.taken(first, 1);
    const second = spare.plan([102, 103], map({ 8: 101, 9: 102 }));
    expect(keys(second)).toEqual({ 102: 9, 103: 10 });
    expect(second.changes).toEqual([{ keycode: 10, keysym: 103, former: [0, 0] }]);
  });

  test('when there are none left, the one that was used longest ago is taken, and that is said', () => {
    const spare = new SpareKeys();
    spare.taken(spare.plan([101, 102, 103, 104, 105], map()), 1);
    const now = map({ 8: 101, 9: 102, 10: 103, 11: 104, 12: 105 });
    spare.taken(spare.plan([101], now), 2);
    const plan = spare.plan([106, 101], now);
    expect(keys(plan)).toEqual({ 101: 8, 106: 9 });
    expect(plan).toMatchObject({ reuses: true, changes: [{ keycode: 9, keysym: 106, former: [0, 0] }] });
  });

  test('symbols for which there is no room get none', () => {
    const plan = new SpareKeys().plan([1, 2, 3, 4, 5, 6, 7], map());
    expect([...plan.keys.keys()]).toEqual([1, 2, 3, 4, 5]);
    expect(new SpareKeys().plan([1], map({ 8: 9, 9: 9, 10: 9, 11: 9, 12: 9 })).keys.size).toBe(0);
  });

  test('a key that somebody else has changed meanwhile is not restored', () => {
    const spare = new SpareKeys();
    spare.taken(spare.plan([101, 102], map()), 1);
    expect([...spare.formerSymbols(map({ 8: 101, 9: 777 })).keys()]).toEqual([8]);
  });
});

test('neighbours are changed together', () => {
  expect(
    runsOf<string>([
      [12, 'c'],
      [9, 'a'],
      [10, 'b'],
    ]),
  ).toEqual([
    { first: 9, values: ['a', 'b'] },
    { first: 12, values: ['c'] },
  ]);
});
