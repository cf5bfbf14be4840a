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
      'by place, when titles are the same',
      [top('/a', 'New', THERE), top('/b', 'New', HERE)],
      window('New', HERE),
      2,
      '/b',
    ],
    [
      'by place, when the app says another title',
      [top('/a', '', THERE), top('/b', '', HERE)],
      window('Editor', HERE),
      2,
      '/b',
    ],
    [
      'by size within the title, where a toolkit knows no place (GTK 4)',
      [top('/a', 'New', box(0, 0, 400, 300)), top('/b', 'New', box(0, 0, 800, 600))],
      window('New', box(500, 500, 800, 600)),
      2,
      '/b',
    ],
    [
      'by the frame, when the app counts it in',
      [top('/a', '', box(95, 75, 410, 330)), top('/b', '', box(300, 400, 100, 50))],
      window('Editor', HERE, box(95, 75, 410, 330)),
      2,
      '/a',
    ],
    [
      'the only one of the only window, whatever it says',
      [top('/a', 'Qt app')],
      window('Something else', HERE),
      1,
      '/a',
    ],
    [
      'not the only one, when the app has another window',
      [top('/a', 'Dialog', THERE)],
      window('Main', HERE),
      2,
      undefined,
    ],
    ['none, when two fit equally badly', [top('/a', 'X'), top('/b', 'Y')], window('Z', HERE), 1, undefined],
    [
      'none, when two have the title and nothing else',
      [top('/a', 'New'), top('/b', 'New')],
      window('New', HERE),
      2,
      undefined,
    ],
    [
      'either, when both title and place are the same',
      [top('/a', 'New', HERE), top('/b', 'New', HERE)],
      window('New', HERE),
      2,
      '/a',
    ],
    ['none of none', [], window('New', HERE), 1, undefined],
    ['no title is no match of no title', [top('/a', ''), top('/b', '')], window('', HERE), 2, undefined],
  ])('%s', (_, tops, wanted, windows, path) => expect(match(tops, wanted, windows)).toBe(path));
});

describe('of several windows', () => {
  const near = box(110, 90, 420, 310);
  const rivalled = (tops: TopLevel[], wanted: SystemWindow, rivals: SystemWindow[]): string | undefined =>
    matchTopLevel(tops, wanted, rivals.length + 1, rivals)?.address[1];
  const main = top('/a', 'Main', HERE);

  test.each<[string, TopLevel[], SystemWindow, SystemWindow[], string | undefined]>([
    [
      'a dialog over the window is not the window',
      [main],
      window('Open File', near),
      [window('Main', HERE)],
      undefined,
    ],
    ['nor just over it', [main], window('Open File', HERE), [window('Main', HERE)], undefined],
    ['nor while the title is not yet told', [main], window('Open File', near), [window('Old', HERE)], undefined],
    ['the window keeps its own', [main], window('Main', HERE), [window('Open File', near)], '/a'],
    ['also while its title is not yet told', [main], window('Old', HERE), [window('Open File', near)], '/a'],
    [
      'what is left is the other one',
      [top('/a', 'New', box(0, 0, 400, 300)), top('/b', 'New', box(0, 0, 400, 300))],
      window('New', THERE),
      [window('New', box(0, 0, 400, 300))],
      '/b',
    ],
    [
      'either, when both title and place are the same',
      [top('/a', 'New', HERE), top('/b', 'New', HERE)],
      window('New', HERE),
      [window('New', HERE)],
      '/a',
    ],
    ['a rival that fits nothing takes nothing', [main], window('Main', HERE), [window('Z', THERE)], '/a'],
  ])('%s', (_, tops, wanted, rivals, path) => expect(rivalled(tops, wanted, rivals)).toBe(path));

  test('a top-level is in the windows that fit it best', () => {
    const [dialog, old, other] = [window('Open File', near), window('Old', HERE), window('Other', HERE)];
    expect(bestMatches(main, [dialog, old])).toEqual([old]);
    expect(bestMatches(main, [old, other])).toEqual([old, other]);
  });
});
