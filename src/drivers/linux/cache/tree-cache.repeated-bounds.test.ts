import { describe, expect, test } from 'vitest';
import { RepeatedBounds } from './tree-cache.js';

const at = (...box: number[]): unknown[] => ['', 0, 0, { signature: '(iiii)', value: box }, []];
const app = {};

describe('repeated bounds signals', () => {
  test.each<{ name: string; reported: [object, string, unknown[]][]; repeats: boolean }>([
    { name: 'the first signal is not a repeat', reported: [[app, '/1', at(0, 0, 9, 9)]], repeats: false },
    {
      name: 'the same bounds are a repeat',
      reported: [
        [app, '/1', at(0, 0, 9, 9)],
        [app, '/1', at(0, 0, 9, 9)],
      ],
      repeats: true,
    },
    {
      name: 'returning to earlier bounds is not a repeat',
      reported: [
        [app, '/1', at(0, 0, 9, 9)],
        [app, '/1', at(1, 0, 9, 9)],
        [app, '/1', at(0, 0, 9, 9)],
      ],
      repeats: false,
    },
    {
      name: 'another object with the same bounds is not a repeat',
      reported: [
        [app, '/1', at(0, 0, 9, 9)],
        [app, '/2', at(0, 0, 9, 9)],
      ],
      repeats: false,
    },
    {
      name: 'the same path in another app is not a repeat',
      reported: [
        [app, '/1', at(0, 0, 9, 9)],
        [{}, '/1', at(0, 0, 9, 9)],
      ],
      repeats: false,
    },
    {
      name: 'a signal without bounds is never a repeat',
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

  test('nothing is a repeat after the app was forgotten', () => {
    const bounds = new RepeatedBounds();
    bounds.isRepeat(app, '/1', at(0, 0, 9, 9));
    bounds.forget(app);
    expect(bounds.isRepeat(app, '/1', at(0, 0, 9, 9))).toBe(false);
  });
});
