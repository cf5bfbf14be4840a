import { describe, expect, test } from 'vitest';
import { RepeatedBounds } from './tree-cache.js';

const at = (...box: number[]): unknown[] => ['', 0, 0, { signature: '(iiii)', value: box }, []];
const app = {};

describe('places that an app tells', () => {
  test.each<{ name: string; reported: [object, string, unknown[]][]; repeats: boolean }>([
    { name: 'the first time is news', reported: [[app, '/1', at(0, 0, 9, 9)]], repeats: false },
    {
      name: 'the same again is not',
      reported: [
        [app, '/1', at(0, 0, 9, 9)],
        [app, '/1', at(0, 0, 9, 9)],
      ],
      repeats: true,
    },
    {
      name: 'there and back again is news',
      reported: [
        [app, '/1', at(0, 0, 9, 9)],
        [app, '/1', at(1, 0, 9, 9)],
        [app, '/1', at(0, 0, 9, 9)],
      ],
      repeats: false,
    },
    {
      name: 'another object at the same place is news',
      reported: [
        [app, '/1', at(0, 0, 9, 9)],
        [app, '/2', at(0, 0, 9, 9)],
      ],
      repeats: false,
    },
    {
      name: "another app's is news",
      reported: [
        [app, '/1', at(0, 0, 9, 9)],
        [{}, '/1', at(0, 0, 9, 9)],
      ],
      repeats: false,
    },
    {
      name: 'a signal without a place is always news',
      reported: [
        [app, '/1', []],
        [app, '/1', []],
      ],
      repeats: false,
    },
  ])('$name', ({ reported, repeats }) => {
    const bounds = new RepeatedBounds();
    expect(reported.map((signal) => bounds.isRepeat(...signal)).at(-1)).toBe(repeats);
  });

  test('what was said before a gap is news after it', () => {
    const bounds = new RepeatedBounds();
    bounds.isRepeat(app, '/1', at(0, 0, 9, 9));
    bounds.forget(app);
    expect(bounds.isRepeat(app, '/1', at(0, 0, 9, 9))).toBe(false);
  });
});
