import { describe, expect, test } from 'vitest';
import type { Box } from '../../../tree/index.js';
import { bestMatches, matchTopLevel, type SystemWindow, type TopLevel } from './top-level.js';

const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height });
const top = (path: string, name: string, extents?: Box): TopLevel => ({
  address: [':1.2', path],
  name,
  ...(extents && { extents }),
});
const window = (title: string, client: Box, frame: Box = client): SystemWindow => ({ title, client, frame });
const match = (tops: TopLevel[], wanted: SystemWindow, windows: number): string | undefined =>
  matchTopLevel(tops, wanted, windows)?.address[1];

const HERE = box(100, 100, 400, 300);
const THERE = box(600, 500, 400, 300);

describe('matchTopLevel', () => {
  test.each<[string, TopLevel[], SystemWindow, number, string | undefined]>([
    ['by title', [top('/a', 'One'), top('/b', 'Two')], window('Two', HERE), 2, '/b'],
    [
      'by bounds when the titles are equal',
      [top('/a', 'New', THERE), top('/b', 'New', HERE)],
      window('New', HERE),
      2,
      '/b',
    ],
    [
      'by bounds when the app reports another title',
      [top('/a', '', THERE), top('/b', '', HERE)],
      window('Editor', HERE),
      2,
      '/b',
    ],
    [
      'by title and size where the toolkit knows no position (GTK 4)',
      [top('/a', 'New', box(0, 0, 400, 300)), top('/b', 'New', box(0, 0, 800, 600))],
      window('New', box(500, 500, 800, 600)),
      2,
      '/b',
    ],
    [
      'by the frame when the app includes it in its bounds',
      [top('/a', '', box(95, 75, 410, 330)), top('/b', '', box(300, 400, 100, 50))],
      window('Editor', HERE, box(95, 75, 410, 330)),
      2,
      '/a',
    ],
    [
      'the only top-level of the only window, whatever it reports',
      [top('/a', 'Qt app')],
      window('Something else', HERE),
      1,
      '/a',
    ],
    [
      'not the only top-level when the app has another window',
      [top('/a', 'Dialog', THERE)],
      window('Main', HERE),
      2,
      undefined,
    ],
    ['none when two match equally badly', [top('/a', 'X'), top('/b', 'Y')], window('Z', HERE), 1, undefined],
    ['none when two match only by title', [top('/a', 'New'), top('/b', 'New')], window('New', HERE), 2, undefined],
    [
      'the first when both title and bounds are equal',
      [top('/a', 'New', HERE), top('/b', 'New', HERE)],
      window('New', HERE),
      2,
      '/a',
    ],
    ['none when there are no top-levels', [], window('New', HERE), 1, undefined],
    ['an empty title does not match an empty title', [top('/a', ''), top('/b', '')], window('', HERE), 2, undefined],
  ])('%s', (_, tops, wanted, windows, path) => expect(match(tops, wanted, windows)).toBe(path));
});

describe('with several windows', () => {
  const near = box(110, 90, 420, 310);
  const matchAmong = (tops: TopLevel[], wanted: SystemWindow, otherWindows: SystemWindow[]): string | undefined =>
    matchTopLevel(tops, wanted, otherWindows.length + 1, otherWindows)?.address[1];
  const main = top('/a', 'Main', HERE);

  test.each<[string, TopLevel[], SystemWindow, SystemWindow[], string | undefined]>([
    [
      'does not match a dialog that lies over the window',
      [main],
      window('Open File', near),
      [window('Main', HERE)],
      undefined,
    ],
    [
      'does not match a dialog that lies exactly over the window',
      [main],
      window('Open File', HERE),
      [window('Main', HERE)],
      undefined,
    ],
    [
      'does not match a dialog while the title of the window is outdated',
      [main],
      window('Open File', near),
      [window('Old', HERE)],
      undefined,
    ],
    ['the window keeps its own top-level', [main], window('Main', HERE), [window('Open File', near)], '/a'],
    ['keeps it while its title is outdated', [main], window('Old', HERE), [window('Open File', near)], '/a'],
    [
      'the remaining top-level belongs to the other window',
      [top('/a', 'New', box(0, 0, 400, 300)), top('/b', 'New', box(0, 0, 400, 300))],
      window('New', THERE),
      [window('New', box(0, 0, 400, 300))],
      '/b',
    ],
    [
      'the first when both title and bounds are equal',
      [top('/a', 'New', HERE), top('/b', 'New', HERE)],
      window('New', HERE),
      [window('New', HERE)],
      '/a',
    ],
    ['another window that matches nothing takes nothing', [main], window('Main', HERE), [window('Z', THERE)], '/a'],
  ])('%s', (_, tops, wanted, otherWindows, path) => expect(matchAmong(tops, wanted, otherWindows)).toBe(path));

  test('returns the windows that match a top-level best', () => {
    const [dialog, old, other] = [window('Open File', near), window('Old', HERE), window('Other', HERE)];
    expect(bestMatches(main, [dialog, old])).toEqual([old]);
    expect(bestMatches(main, [old, other])).toEqual([old, other]);
  });
});
