import { describe, expect, test } from 'vitest';
import { ToldBounds } from './tree-cache.js';

const at = (...box: number[]): unknown[] => ['', 0, 0, { signature: '(iiii)', value: box }, []];
const app = {};

describe('places that an app tells', () => {
  test.each<{ name: string; told: [object, string, unknown[]][]; repeats: boolean }>([
    { name: 'the first time is news', told: [[app, '/1', at(0, 0, 9, 9)]], repeats: false },
    {
      name: 'the same again is not',
      told: [
        [app, '/1', at(0, 0, 9, 9)],
        [app, '/1', at(0, 0, 9, 9)],
      ],
      repeats: true,
    },
    {
      name: 'there and back again is news',
      told: [
        [app, '/1', at(0, 0, 9, 9)],
        [app, '/1', at(1, 0, 9, 9)],
        [app, '/1', at(0, 0, 9, 9)],
      ],
      repeats: false,
    },
    {
      name: 'another object at the same place is news',
      told: [
        [app, '/1', at(0, 0, 9, 9)],
        [app, '/2', at(0, 0, 9, 9)],
      ],
      repeats: false,
    },
    {
      name: "another app's is news",
      told: [
        [app, '/1', at(0, 0, 9, 9)],
        [{}, '/1', at(0, 0, 9, 9)],
      ],
      repeats: false,
    },
    {
      name: 'a signal without a place is always news',
      told: [
        [app, '/1', []],
        [app, '/1', []],
      ],
      repeats: false,
    },
  ])('$name', ({ told, repeats }) => {
    const bounds = new ToldBounds();
    expect(told.map((one) => bounds.repeats(...one)).at(-1)).toBe(repeats);
  });

  test('what was said before a gap is news after it', () => {
    const bounds = new ToldBounds();
    bounds.repeats(app, '/1', at(0, 0, 9, 9));
    bounds.forget(app);
    expect(bounds.repeats(app, '/1', at(0, 0, 9, 9))).toBe(false);
  });
});
