import { describe, expect, test } from 'vitest';
import type { UserInputKind } from '../../contract/index.js';
import { UserInputClassifier, type Axis } from './user-input.js';

function watch(): { signs: UserInputClassifier; reported: UserInputKind[] } {
  const kinds: UserInputKind[] = [];
  return { signs: new UserInputClassifier((kind) => kinds.push(kind)), reported: kinds };
}
const SCREEN = [1000, 500];

describe('motion', () => {
  test.each<[string, [dx: number, dy: number, at: number][], number]>([
    ['ignores one bump', [[2, 2, 0]], 0],
    ['reports one move', [[4, 0, 0]], 1],
    [
      'adds up small steps',
      [
        [1, 0, 0],
        [1, 0, 10],
        [1, 0, 20],
        [1, 0, 30],
      ],
      1,
    ],
    [
      'counts a move there and back',
      [
        [2, 0, 0],
        [-2, 0, 10],
      ],
      1,
    ],
    [
      'ignores bumps with long pauses between',
      [
        [3, 0, 0],
        [3, 0, 1500],
        [3, 0, 3000],
      ],
      0,
    ],
    [
      'reports a long move only from time to time',
      [
        [9, 0, 0],
        [9, 0, 10],
        [9, 0, 20],
        [9, 0, 60],
      ],
      2,
    ],
  ])('%s', (_, steps, times) => {
    const { signs: classifier, reported: kinds } = watch();
    for (const [dx, dy, at] of steps) classifier.motion([], [dx, dy], SCREEN, at);
    expect(kinds).toEqual(Array<UserInputKind>(times).fill('motion'));
  });

  test.each<[string, Axis, number[], number]>([
    ['scales the steps of a tablet to pixels', { absolute: true, min: 0, max: 10_000, value: 5000 }, [5010, 5030], 0],
    ['reports a tablet that moves far enough', { absolute: true, min: 0, max: 10_000, value: 5000 }, [5010, 5050], 1],
    [
      'reports an absolute device that counts in pixels',
      { absolute: true, min: -1, max: -1, value: 300 },
      [302, 304],
      1,
    ],
  ])('%s', (_, axis, values, times) => {
    const { signs: classifier, reported: kinds } = watch();
    values.forEach((value, index) => classifier.motion([axis], [value, undefined], SCREEN, index * 10));
    expect(kinds).toHaveLength(times);
  });
});

describe('Escape twice', () => {
  const ESC = 9;
  type Step = [key: number, down: boolean, at: number];
  test.each<[string, Step[], number]>([
    [
      'is stop',
      [
        [ESC, true, 0],
        [ESC, false, 50],
        [ESC, true, 400],
      ],
      1,
    ],
    [
      'too far apart is not',
      [
        [ESC, true, 0],
        [ESC, false, 50],
        [ESC, true, 501],
      ],
      0,
    ],
    [
      'held down is not',
      [
        [ESC, true, 0],
        [ESC, true, 300],
        [ESC, true, 350],
      ],
      0,
    ],
    [
      'with a key between is not',
      [
        [ESC, true, 0],
        [ESC, false, 1],
        [38, true, 2],
        [ESC, true, 3],
      ],
      0,
    ],
    [
      'three times is one stop',
      [
        [ESC, true, 0],
        [ESC, false, 1],
        [ESC, true, 2],
        [ESC, false, 3],
        [ESC, true, 4],
      ],
      1,
    ],
  ])('%s', (_, steps, stops) => {
    const { signs: classifier, reported: kinds } = watch();
    for (const [key, down, at] of steps) {
      if (down) classifier.keyDown(key, key === ESC, at);
      else classifier.keyUp(key);
    }
    expect(kinds.filter((kind) => kind === 'stop')).toHaveLength(stops);
    expect(kinds).toContain('key');
  });
});
