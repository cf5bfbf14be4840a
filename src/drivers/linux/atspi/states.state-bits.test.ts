import { describe, expect, test } from 'vitest';
import { StateSet, type StateBit } from './states.js';

describe('state bits in two words', () => {
  test.each([
    ['active', 1],
    ['editable', 7],
    ['enabled', 8],
    ['sensitive', 24],
    ['showing', 25],
    ['visible', 30],
    ['managesDescendants', 31],
    ['indeterminate', 32],
    ['invalidEntry', 36],
    ['checkable', 41],
    ['readOnly', 43],
  ] as [StateBit, number][])('%s is bit %i', (name, bit) => {
    const words = bit < 32 ? [2 ** bit, 0] : [0, 2 ** (bit - 32)];
    expect(StateSet.from(words).has(name)).toBe(true);
    const others = [0xffffffff - words[0]!, 0xffffffff - words[1]!];
    // One of the two words has every bit set except this one.
    expect(StateSet.from(bit < 32 ? [others[0], 0xffffffff] : [0xffffffff, others[1]]).has(name)).toBe(false);
  });
});

test.each([
  [[0, 0], true],
  [[], true],
  [undefined, true],
  ['nonsense', true],
  [[1, 0], false],
  [[0, 1], false],
])('%j is empty: %j', (words, empty) => expect(StateSet.from(words).empty).toBe(empty));
