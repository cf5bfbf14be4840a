import { describe, expect, test } from 'vitest';
import { parseRecord, type SeatRecord } from './cleanup-record.js';

const record: SeatRecord = {
  version: 1,
  id: '0123456789abcdef0123456789abcdef',
  name: 'demo',
  space: 'boot pid:[1]',
  owner: { pid: 812, startTime: 99 },
  display: 101,
  core: [{ pid: 900, startTime: 100 }],
  launched: [],
  directories: ['/tmp/home'],
};

describe('parseRecord', () => {
  test('reads what was written', () => {
    expect(parseRecord(JSON.stringify(record))).toEqual(record);
  });

  // Whatever it accepts is killed and removed, so a strange one is left alone.
  test.each([
    ['another version', { version: 2 }],
    ['no marker', { id: '' }],
    ['a marker that could match anything', { id: 'x' }],
    ['PID 1 as a process of ours', { core: [{ pid: 1, startTime: 0 }] }],
    ['a negative pid, which would be a group', { launched: [{ pid: -5, startTime: 3 }] }],
    ['a relative directory', { directories: ['home'] }],
    ['no owner', { owner: undefined }],
    ['a display that is no number', { display: '101' }],
  ])('refuses %s', (_, change) => {
    expect(parseRecord(JSON.stringify({ ...record, ...change }))).toBeUndefined();
  });

  test.each(['', '{', 'null', '[]', '"x"'])('refuses %j', (text) => {
    expect(parseRecord(text)).toBeUndefined();
  });
});
