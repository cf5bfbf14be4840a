import { describe, expect, test } from 'vitest';
import { parseRecord, type CleanupRecord } from './cleanup-record.js';

const record: CleanupRecord = {
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
  test('reads back a written record', () => {
    expect(parseRecord(JSON.stringify(record))).toEqual(record);
  });

  // Processes and directories of an accepted record are killed and removed, so a record with a doubtful field is
  // ignored.
  test.each([
    ['another version', { version: 2 }],
    ['no marker', { id: '' }],
    ['a marker that could match any process', { id: 'x' }],
    ['PID 1 as one of our processes', { core: [{ pid: 1, startTime: 0 }] }],
    ['a negative pid, which would address a process group', { launched: [{ pid: -5, startTime: 3 }] }],
    ['a relative directory', { directories: ['home'] }],
    ['no owner', { owner: undefined }],
    ['a display that is not a number', { display: '101' }],
  ])('refuses %s', (_, change) => {
    expect(parseRecord(JSON.stringify({ ...record, ...change }))).toBeUndefined();
  });

  test.each(['', '{', 'null', '[]', '"x"'])('refuses %j', (text) => {
    expect(parseRecord(text)).toBeUndefined();
  });
});
