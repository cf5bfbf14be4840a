import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseLine, splitLines } from './line.js';
import { KINDS, type Raw, readRecord, upgradeWith } from './record.js';

const fixture = (name: string): Raw[] => {
  const { lines, rest } = splitLines(readFileSync(new URL(`fixtures/${name}`, import.meta.url)));
  expect(rest).toBeGreaterThan(0);
  return lines.map(({ bytes }) => parseLine(bytes)!);
};

describe('records of every version', () => {
  // A new version gets its own file here; this one never changes.
  it('version 1 can be read, with every kind of record', () => {
    const raws = fixture('v1.jsonl');
    for (const raw of raws) expect(readRecord(raw)).toMatchObject({ kind: raw.kind, seq: raw.seq });
    const { retention: _, ...kinds } = KINDS;
    expect(new Set(raws.map(({ kind }) => kind))).toEqual(new Set(Object.keys(kinds)));
  });

  it('version 1 loses only the list of blobs, which was never written', () => {
    const raw = fixture('v1.jsonl').find(({ evidence }) => (evidence as Raw | undefined)?.blobs)!;
    const { blobs: _, ...evidence } = raw.evidence as Raw;
    expect(readRecord(raw)).toEqual({ ...raw, v: 2, evidence });
  });
});

describe('upgradeWith', () => {
  const steps = {
    1: (old: Raw) => ({ ...old, status: old.ok === true ? 'ok' : 'failed', ok: undefined }),
    2: (old: Raw) => ({ ...old, cost: { ms: old.ms } }),
  };
  it('converts a record through every step to the current version', () => {
    expect(upgradeWith(steps, 3, { v: 1, ok: true, ms: 5 })).toMatchObject({ v: 3, status: 'ok', cost: { ms: 5 } });
    expect(upgradeWith(steps, 3, { v: 2, status: 'ok', ms: 5 })).toMatchObject({ v: 3, cost: { ms: 5 } });
    expect(upgradeWith(steps, 3, { v: 3, ms: 5 })).toEqual({ v: 3, ms: 5 });
  });

  const refused: [string, Raw, RegExp][] = [
    ['from a newer program', { v: 4 }, /newer Deskproof/],
    ['without a version', {}, /has no version/],
    ['with an invalid version', { v: '1' }, /has no version/],
    ['of version 0', { v: 0 }, /has no version/],
  ];
  it.each(refused)('refuses a record %s', (_, raw, why) => expect(() => upgradeWith(steps, 3, raw)).toThrow(why));
  it('refuses a version without an upgrade step', () => {
    expect(() => upgradeWith({ 2: steps[2] }, 3, { v: 1 })).toThrow('version 1 can no longer be read');
  });
});

describe('an invalid record', () => {
  const [good] = [() => fixture('v1.jsonl').find(({ kind }) => kind === 'intent')!];
  const wrong: [string, object, RegExp][] = [
    ['an unknown field', { extra: 'canary' }, /its fields \(unrecognized_keys\)/],
    ['a field of the wrong type', { tool: 5 }, /tool \(invalid_type\)/],
    ['a text that is too long', { tool: 'canary'.repeat(100) }, /tool \(too_big\)/],
    ['an invalid hash', { prev: 'canary' }, /prev/],
    ['an unknown kind', { kind: 'canary' }, /has an unknown kind/],
  ];
  it.each(wrong)('%s is reported, and its value is not', (_, change, why) => {
    const attempt = (): unknown => readRecord({ ...good(), ...change });
    expect(attempt).toThrow(why);
    expect(attempt).not.toThrow('canary');
  });
});
