import { describe, expect, test } from 'vitest';
import type { UserInputKind } from '../../contract/index.js';
import { HumanSigns, type Axis } from './user-input.js';

function watch(): { signs: HumanSigns; told: UserInputKind[] } {
  const told: UserInputKind[] = [];
  return { signs: new HumanSigns((kind) => told.push(kind)), told };
}
const SCREEN = [1000, 500];

describe('motion', () => {
  test.each<[string, [dx: number, dy: number, at: number][], number]>([
    ['one bump', [[2, 2, 0]], 0],
    ['one move', [[4, 0, 0]], 1],
    [
      'small steps',
      [
        [1, 0, 0],
        [1, 0, 10],
        [1, 0, 20],
        [1, 0, 30],
      ],
      1,
    ],
    [
      'there and back is a way too',
      [
        [2, 0, 0],
        [-2, 0, 10],
      ],
      1,
    ],
    [
      'bumps with a long time between',
      [
        [3, 0, 0],
        [3, 0, 1500],
        [3, 0, 3000],
      ],
      0,
    ],
    [
      'a long move is told now and then',
      [
        [9, 0, 0],
        [9, 0, 10],
        [9, 0, 20],
        [9, 0, 60],
      ],
      2,
    ],
  ])('%s', (_, steps, times) => {
    const { signs, told } = watch();
    for (const [dx, dy, at] of steps) signs.motion([], [dx, dy], SCREEN, at);
    expect(told).toEqual(Array<UserInputKind>(times).fill('motion'));
  });

  test.each<[string, Axis, number[], number]>([
    ['a tablet in its own steps', { absolute: true, min: 0, max: 10_000, value: 5000 }, [5010, 5030], 0],
    ['a tablet that really moves', { absolute: true, min: 0, max: 10_000, value: 5000 }, [5010, 5050], 1],
    ['one in pixels', { absolute: true, min: -1, max: -1, value: 300 }, [302, 304], 1],
  ])('%s', (_, axis, values, times) => {
    const { signs, told } = watch();
    values.forEach((value, index) => signs.motion([axis], [value, undefined], SCREEN, index * 10));
    expect(told).toHaveLength(times);
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
    const { signs, told } = watch();
    for (const [key, down, at] of steps) {
      if (down) signs.keyDown(key, key === ESC, at);
      else signs.keyUp(key);
    }
    expect(told.filter((kind) => kind === 'stop')).toHaveLength(stops);
    expect(told).toContain('key');
  });
});
