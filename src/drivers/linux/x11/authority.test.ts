import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authOption, cookieFor, FAMILY, parseXauthority, readAuthFile } from './authority.js';

function entry(family: number, address: Buffer | string, number: string, data: string, name = 'MIT-MAGIC-COOKIE-1') {
  const field = (value: Buffer | string): Buffer => {
    const bytes = Buffer.from(value);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  const head = Buffer.alloc(2);
  head.writeUInt16BE(family);
  return Buffer.concat([head, field(address), field(number), field(name), field(data)]);
}

const HERE = { hostname: 'box' };

describe('parseXauthority', () => {
  it('reads every entry', () => {
    const bytes = Buffer.concat([entry(FAMILY.local, 'box', '0', 'one'), entry(FAMILY.wild, '', '', 'two')]);
    expect(parseXauthority(bytes).map(({ family, number, data }) => [family, number, data.toString()])).toEqual([
      [256, '0', 'one'],
      [65535, '', 'two'],
    ]);
  });

  it('keeps complete entries when the file is cut off anywhere', () => {
    const first = entry(FAMILY.local, 'box', '0', 'one');
    const bytes = Buffer.concat([first, entry(FAMILY.wild, '', '', 'two')]);
    for (let length = 0; length < bytes.length; length += 1) {
      expect(parseXauthority(bytes.subarray(0, length))).toHaveLength(length >= first.length ? 1 : 0);
    }
  });
});

describe('cookieFor', () => {
  const cases: [string, Buffer[], { number: number; hostname: string; address?: Buffer }, string | undefined][] = [
    ['this machine and number', [entry(256, 'box', '7', 'yes')], { ...HERE, number: 7 }, 'yes'],
    ['another number', [entry(256, 'box', '8', 'no')], { ...HERE, number: 7 }, undefined],
    ['another machine', [entry(256, 'other', '7', 'no')], { ...HERE, number: 7 }, undefined],
    ['any machine, any number', [entry(65535, '', '', 'yes')], { ...HERE, number: 7 }, 'yes'],
    ['any machine, another number', [entry(65535, '', '8', 'no')], { ...HERE, number: 7 }, undefined],
    [
      'the first match',
      [entry(256, 'box', '8', 'no'), entry(65535, '', '', 'a'), entry(256, 'box', '7', 'b')],
      { ...HERE, number: 7 },
      'a',
    ],
    ['another protocol', [entry(256, 'box', '7', 'no', 'XDM-AUTHORIZATION-1')], { ...HERE, number: 7 }, undefined],
    [
      'an address',
      [entry(256, 'box', '7', 'no'), entry(0, Buffer.from([10, 0, 0, 5]), '7', 'yes')],
      { ...HERE, number: 7, address: Buffer.from([10, 0, 0, 5]) },
      'yes',
    ],
    [
      'another address',
      [entry(0, Buffer.from([10, 0, 0, 6]), '7', 'no')],
      { ...HERE, number: 7, address: Buffer.from([10, 0, 0, 5]) },
      undefined,
    ],
    [
      'IPv6 is not IPv4',
      [entry(0, Buffer.alloc(16), '7', 'no'), entry(6, Buffer.alloc(16), '7', 'yes')],
      { ...HERE, number: 7, address: Buffer.alloc(16) },
      'yes',
    ],
  ];
  it.each(cases)('%s', (_, entries, target, expected) => {
    expect(cookieFor(parseXauthority(Buffer.concat(entries)), target)?.toString()).toBe(expected);
  });

  it('passes the cookie bytes unchanged', () => {
    const cookie = Buffer.from([0, 255, 128, 27]);
    expect(Buffer.from(authOption(cookie).data, 'latin1')).toEqual(cookie);
    expect(authOption(undefined)).toEqual({ name: '', data: '' });
  });
});

describe('readAuthFile', () => {
  let home: string;
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'auth-'));
    writeFileSync(join(home, '.Xauthority'), entry(FAMILY.wild, '', '', 'home'));
    writeFileSync(join(home, 'other'), entry(FAMILY.wild, '', '', 'other'));
    chmodSync(join(home, 'other'), 0o600);
  });
  afterAll(() => rmSync(home, { recursive: true }));

  it('prefers XAUTHORITY, then the home directory', async () => {
    const first = await readAuthFile({ HOME: home, XAUTHORITY: join(home, 'other') });
    const second = await readAuthFile({ HOME: home });
    expect([first, second].map((file) => file.entries[0]?.data.toString())).toEqual(['other', 'home']);
  });

  it('reports why there are no entries', async () => {
    expect(await readAuthFile({})).toMatchObject({ problem: 'missing' });
    expect(await readAuthFile({ XAUTHORITY: join(home, 'nothing') })).toMatchObject({ problem: 'missing' });
    expect(await readAuthFile({ XAUTHORITY: home })).toMatchObject({ problem: 'unreadable' });
  });
});
