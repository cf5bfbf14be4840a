import { describe, expect, it, vi } from 'vitest';
import { type Box, joinOverlapping } from '../../tree/index.js';
import { DrawingLog } from './drawing-log.js';

const box = (x: number, y: number, width = 10, height = 10): Box => ({ x, y, width, height });
const CARET = box(50, 20, 1, 16);
const WINDOW = box(0, 0, 600, 400);
const every = (ms: number, count: number, from = 0): number[] =>
  Array.from({ length: count }, (_, at) => from + at * ms);

/** A window that draws at these times. */
function logOf(drawings: readonly [where: Box, times: number[]][]): DrawingLog {
  const log = new DrawingLog();
  const all = drawings.flatMap(([where, times]) => times.map((at) => ({ where, at })));
  for (const { where, at } of all.sort((a, b) => a.at - b.at))
    log.note({ type: 'damage', at, window: 'w', box: where }, at);
  return log;
}

describe('habits of a window', () => {
  it.each<[what: string, drawings: [Box, number[]][], now: number, habits: Box[]]>([
    ['nothing is drawn', [], 3_000, []],
    ['a caret blinks', [[CARET, every(600, 5)]], 2_600, [CARET]],
    ['a spinner turns', [[box(5, 5), every(50, 40)]], 2_000, [box(5, 5)]],
    [
      'both',
      [
        [CARET, every(600, 5)],
        [box(300, 5), every(50, 40)],
      ],
      2_600,
      [CARET, box(300, 5)],
    ],
    ['a window opens and draws itself some times', [[WINDOW, every(40, 6)]], 1_000, []],
    ['the spinner ended', [[box(5, 5), every(50, 20)]], 2_900, []],
    ['two drawings are no habit', [[CARET, [0, 900]]], 1_000, []],
    [
      'a caret in a window that was drawn once',
      [
        [WINDOW, [0]],
        [CARET, every(600, 4)],
      ],
      2_000,
      [CARET],
    ],
  ])('%s', (_, drawings, now, habits) => {
    expect(
      logOf(drawings)
        .habits('w', now)
        .sort((a, b) => a.x - b.x),
    ).toEqual(habits.sort((a, b) => a.x - b.x));
    expect(logOf(drawings).habits('other', now)).toEqual([]);
  });

  it('are not learned from what acts draw, nor shortly after them', () => {
    const now = vi.spyOn(performance, 'now');
    const log = new DrawingLog();
    try {
      now.mockReturnValue(0);
      const ended = log.actBegins();
      for (const at of every(100, 20)) log.note({ type: 'damage', at, window: 'w', box: box(0, 0) }, at);
      now.mockReturnValue(1_500);
      ended();
      now.mockReturnValue(2_000);
      expect(log.habits('w')).toEqual([]);
    } finally {
      now.mockRestore();
    }
  });
});

it('still knows a habit during acts, while it goes on', () => {
  const now = vi.spyOn(performance, 'now');
  try {
    const log = logOf([[box(5, 5), every(50, 20)]]);
    expect(log.habits('w', 1_000)).toEqual([box(5, 5)]);
    now.mockReturnValue(1_000);
    log.actBegins();
    for (const at of every(50, 40, 1_000)) log.note({ type: 'damage', at, window: 'w', box: box(5, 5) }, at);
    expect(log.habits('w', 3_000)).toEqual([box(5, 5)]);
    expect(log.habits('w', 5_000)).toEqual([]);
  } finally {
    now.mockRestore();
  }
});

it('knows where a window draws ever since an act', () => {
  const log = logOf([
    [box(5, 5), every(50, 10, 1_000)],
    [box(90, 90), [1_010, 1_060]],
  ]);
  expect(log.isRestless('w', box(0, 0, 20, 20), 990, 1_500)).toBe(true);
  expect(log.isRestless('w', box(0, 0, 20, 20), 990, 1_900)).toBe(false);
  expect(log.isRestless('w', box(85, 85, 20, 20), 990, 1_100)).toBe(false);
});

it('knows which app took the clipboard, and since when', () => {
  const log = new DrawingLog();
  log.note({ type: 'clipboard', at: 0, pid: 7 }, 100);
  log.note({ type: 'clipboard', at: 0 }, 200);
  expect(log.copiedSince(50, 7)).toBe(true);
  expect(log.copiedSince(150, 7)).toBe(false);
  expect(log.copiedSince(50, 8)).toBe(false);
  expect(log.copiedSince(50, undefined)).toBe(false);
});

it('forgets a window that was closed', () => {
  const log = logOf([[CARET, [1]]]);
  expect(log.since('w', 0)).toEqual([CARET]);
  log.note({ type: 'window', at: 2, window: 'w', change: 'closed' }, 2);
  expect(log.since('w', 0)).toEqual([]);
});

it('joins boxes that overlap', () => {
  expect(joinOverlapping([box(0, 0), box(50, 0), box(5, 5)])).toEqual([box(50, 0), box(0, 0, 15, 15)]);
});
