import { expect, test } from 'vitest';
import { changedSections } from './date-field.js';

test.each<[string, string, string, [number, string][] | undefined]>([
  ['one changed part', '2020-01-02', '2021-01-02', [[0, '2021']]],
  [
    'all parts changed',
    '03:04:00',
    '05:06:07',
    [
      [0, '05'],
      [1, '06'],
      [2, '07'],
    ],
  ],
  ['the name of a month', '2 Jan 2020 03:04', '2 Feb 2020 03:04', [[1, 'Feb']]],
  ['nothing changed', '03:04', '03:04', []],
  ['another format', '2020-01-02', '02.01.2020', undefined],
  ['fewer parts', '2020-01-02', '20210506', undefined],
  ['one part alone', '2020', '2021', undefined],
  ['nothing', '', '2021-05-06', undefined],
])('%s', (_, now, wanted, expected) => {
  expect(changedSections(now, wanted)?.map(({ nth, text }) => [nth, text])).toEqual(expected);
});
