import { describe, expect, test } from 'vitest';
import { KeyboardMap } from './keyboard-map.js';
import { groupConsecutive, TemporaryKeys, type TemporaryKeyPlan } from './temporary-keys.js';

/** Keys 8 to 12; a key that is not in `symbols` is spare. */
const map = (symbols: Record<number, number> = {}): KeyboardMap =>
  new KeyboardMap(
    8,
    [8, 9, 10, 11, 12].map((key) => (symbols[key] ? [symbols[key], symbols[key]] : [0, 0])),
    [],
  );
const keys = (plan: TemporaryKeyPlan): Record<number, number> => Object.fromEntries(plan.keys);

describe('temporary keys', () => {
  test('assigns a key to each keysym and keeps existing assignments', () => {
    const spare = new TemporaryKeys();
    const first = spare.plan([101, 102, 101], map());
    expect(keys(first)).toEqual({ 101: 8, 102: 9 });
    expect(first.reuses).toBe(false);
    spare.markUsed(first, 1);
    const second = spare.plan([102, 103], map({ 8: 101, 9: 102 }));
    expect(keys(second)).toEqual({ 102: 9, 103: 10 });
    expect(second.changes).toEqual([{ keycode: 10, keysym: 103, former: [0, 0] }]);
  });

  test('reuses the key that was used longest ago when no spare key is left, and reports the reuse', () => {
    const spare = new TemporaryKeys();
    spare.markUsed(spare.plan([101, 102, 103, 104, 105], map()), 1);
    const now = map({ 8: 101, 9: 102, 10: 103, 11: 104, 12: 105 });
    spare.markUsed(spare.plan([101], now), 2);
    const plan = spare.plan([106, 101], now);
    expect(keys(plan)).toEqual({ 101: 8, 106: 9 });
    expect(plan).toMatchObject({ reuses: true, changes: [{ keycode: 9, keysym: 106, former: [0, 0] }] });
  });

  test('assigns no key to keysyms for which none is left', () => {
    const plan = new TemporaryKeys().plan([1, 2, 3, 4, 5, 6, 7], map());
    expect([...plan.keys.keys()]).toEqual([1, 2, 3, 4, 5]);
    expect(new TemporaryKeys().plan([1], map({ 8: 9, 9: 9, 10: 9, 11: 9, 12: 9 })).keys.size).toBe(0);
  });

  test('does not restore a key that another program has changed since', () => {
    const spare = new TemporaryKeys();
    spare.markUsed(spare.plan([101, 102], map()), 1);
    expect([...spare.formerKeysyms(map({ 8: 101, 9: 777 })).keys()]).toEqual([8]);
  });
});

test('changes neighbouring keys together', () => {
  expect(
    groupConsecutive<string>([
      [12, 'c'],
      [9, 'a'],
      [10, 'b'],
    ]),
  ).toEqual([
    { first: 9, values: ['a', 'b'] },
    { first: 12, values: ['c'] },
  ]);
});
