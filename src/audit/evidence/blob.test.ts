// @module-tag safety

import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type BlobId, BLOB_OVERHEAD, blobName, openBlob, parseBlobName, sealBlob } from './blob.js';

const KEY = randomBytes(32);
const ID: BlobId = { ledger: `L${'5e'.repeat(16)}`, seq: 118, side: 'before' };
const TEXT = Buffer.from('button "Save"');
const sealed = (): Buffer => sealBlob(TEXT, ID, KEY);
const changed = (at: number): Buffer => {
  const blob = sealed();
  blob[at]! ^= 1;
  return blob;
};

describe('a blob', () => {
  it('opens to the bytes that were sealed, and never has the same bytes twice', () => {
    expect(openBlob(sealed(), ID, KEY)).toEqual(TEXT);
    expect(sealed()).not.toEqual(sealed());
    expect(sealed().includes(TEXT.subarray(0, 6))).toBe(false);
    expect(sealed()).toHaveLength(TEXT.length + BLOB_OVERHEAD);
  });

  it('may be empty', () => expect(openBlob(sealBlob(Buffer.alloc(0), ID, KEY), ID, KEY)).toEqual(Buffer.alloc(0)));

  it.each<[string, Partial<BlobId>]>([
    ['of another act', { seq: 119 }],
    ['of another ledger', { ledger: `L${'5f'.repeat(16)}` }],
    ['after the act', { side: 'after' }],
  ])('is refused in place of the one %s', (_, other) => {
    expect(openBlob(sealed(), { ...ID, ...other }, KEY)).toBe('another record');
  });

  it('is refused for another act even if its header was rewritten', () => {
    const other = { ...ID, seq: 119 };
    const forged = Buffer.concat([sealBlob(TEXT, other, KEY).subarray(0, 38), sealed().subarray(38)]);
    expect(openBlob(forged, other, KEY)).toBe('changed');
  });

  it('is refused with another key', () => expect(openBlob(sealed(), ID, randomBytes(32))).toBe('another key'));

  it.each<[string, () => Buffer, string]>([
    ['an empty file', () => Buffer.alloc(0), 'not a blob'],
    ['another file', () => Buffer.from('{"v":1}'.repeat(20)), 'not a blob'],
    ['a later version', () => Buffer.concat([Buffer.from('DPEV\x02'), sealed().subarray(5)]), 'newer version'],
    ['version 0', () => Buffer.concat([Buffer.from('DPEV\x00'), sealed().subarray(5)]), 'not a blob'],
    ['only the first bytes', () => sealed().subarray(0, 20), 'changed'],
    ['a blob without its last byte', () => sealed().subarray(0, -1), 'changed'],
    ['a blob with one byte more', () => Buffer.concat([sealed(), Buffer.from('x')]), 'changed'],
  ])('%s is refused', (_, make, fault) => expect(openBlob(make(), ID, KEY)).toBe(fault));

  it('is refused when any byte of it was changed', () => {
    for (let at = 0; at < sealed().length; at++) expect(typeof openBlob(changed(at), ID, KEY), `${at}`).toBe('string');
  });
});

describe('the name of a blob', () => {
  it('names its act', () => {
    expect(blobName(ID)).toBe(`${ID.ledger}-000118-before.blob`);
    for (const id of [ID, { ...ID, seq: 123_456_789, side: 'after' as const }])
      expect(parseBlobName(blobName(id))).toEqual(id);
  });

  it.each([
    '000001.jsonl',
    'lock',
    `${ID.ledger}-118-before.blob`,
    `${ID.ledger}-0000118-before.blob`,
    `${ID.ledger}-000118-before.blob.bak`,
    `x${ID.ledger}-000118-before.blob`,
    `../${ID.ledger}-000118-before.blob`,
    `${ID.ledger}-000118-crop.blob`,
  ])('%s is not one', (name) => expect(parseBlobName(name)).toBeUndefined());
});
