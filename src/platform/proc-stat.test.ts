import { describe, expect, it } from 'vitest';
import { hasEnded, parseProcStat, readProcStat } from './linux.js';

describe('parseProcStat', () => {
  const rest = `${Array.from({ length: 18 }, (_, index) => index).join(' ')} 918273 0`;
  it('finds the fields behind a name that imitates them', () => {
    expect(parseProcStat(`7 (a) S (b) T ${rest}`)).toEqual({
      comm: 'a) S (b',
      state: 'T',
      parent: 0,
      session: 2,
      startTime: '918273',
      cpuTicks: 21,
    });
  });
});

it('reads this process, and nothing for a pid that does not exist', () => {
  expect(readProcStat(process.pid)).toMatchObject({
    parent: process.ppid,
    state: expect.stringMatching(/[RS]/) as string,
  });
  expect(readProcStat(2 ** 30)).toBeUndefined();
});

it.each([
  ['R', false],
  ['T', false],
  ['Z', true],
  ['X', true],
  ['', true],
])('state %j: ended is %s', (state, ended) => {
  expect(hasEnded({ comm: '', state, parent: 1, session: 1, startTime: '1', cpuTicks: 0 })).toBe(ended);
});
