import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../shared/index.js';
import { ChainWalk, type ChainFault } from './chain.js';
import { makeKey } from '../keys.js';
import { hashOf, MAX_LINE_BYTES, NO_HASH } from '../line.js';
import { RECORD_VERSION } from '../record.js';
import { sign } from '../signed-head.js';

const [one, two] = [makeKey(), makeKey()];
const LEDGER = `L${'a'.repeat(32)}`;

/** A ledger of two segments, built by hand: each line is a function of the ones before. */
class Script {
  readonly walk = new ChainWalk();
  seq = 0;
  prev = NO_HASH;

  /** The content of the next line; `change` makes it wrong. */
  line(content: object, change: object = {}): Buffer {
    const link = { v: 1, ledger: LEDGER, seq: this.seq + 1, prev: this.prev, at: '2026-11-15T10:30:45.120Z' };
    return Buffer.from(canonicalJson({ ...link, ...content, ...change }));
  }

  good(content: object): this {
    const line = this.line(content);
    expect(this.walk.step(line)).toMatchObject(content);
    this.seq += 1;
    this.prev = hashOf(line);
    return this;
  }

  begin(segment: number, key = segment === 1 ? one : two): this {
    this.walk.beginSegment(segment);
    return this.good({ kind: 'open', segment, key: key.publicKey });
  }

  checkpoint(key = one, change: object = {}): object {
    const said = { ledger: LEDGER, segment: this.walk.segment, seq: this.seq, hash: this.prev };
    const { signature } = sign({ ...said, ...change }, key);
    const { segment, seq, hash } = { ...said, ...change };
    return { kind: 'checkpoint', signed: { segment, seq, hash, signature } };
  }

  end(): this {
    return this.good({ kind: 'close', segment: this.walk.segment, next: two.publicKey });
  }

  close(): this {
    this.end();
    return this.good(this.checkpoint());
  }
}

const opened = (): Script => new Script().begin(1).good({ kind: 'intent' });
const closed = (): Script => opened().close();
const checked = (): Script => {
  const script = opened();
  return script.good(script.checkpoint());
};

describe('ChainWalk', () => {
  it('follows a ledger through its segments, and knows what is signed', () => {
    const script = closed().begin(2).good({ kind: 'intent' });
    expect(script.walk).toMatchObject({
      ledger: LEDGER,
      seq: 6,
      hash: script.prev,
      checkpoints: 1,
      signedTo: 3,
      segment: 2,
    });
    script.good(script.checkpoint(two));
    expect(script.walk).toMatchObject({ signedTo: 6, checkpoints: 2, key: two.publicKey, next: undefined });
  });

  const faults: [string, ChainFault, () => [Script, Buffer]][] = [
    ['no JSON', 'not a record', () => [opened(), Buffer.from('{')]],
    ['a list', 'not a record', () => [opened(), Buffer.from('[]')]],
    ['bytes that are not UTF-8', 'not a record', () => [opened(), Buffer.from([0x22, 0xff, 0x22])]],
    ['an unknown kind', 'not a record', () => [opened(), opened().line({ kind: 'gossip' })]],
    ['no version', 'not a record', () => given(opened(), { kind: 'intent' }, { v: 'one' })],
    ['an invalid number', 'not a record', () => given(opened(), { kind: 'intent' }, { seq: 2.5 })],
    ['a number as text', 'not a record', () => given(opened(), { kind: 'intent' }, { seq: '3' })],
    ['no ledger', 'not a record', () => given(opened(), { kind: 'intent' }, { ledger: undefined })],
    ['no previous hash', 'not a record', () => given(opened(), { kind: 'intent' }, { prev: undefined })],
    ['64 KB', 'too long', () => given(opened(), { kind: 'intent' }, { args: 'x'.repeat(MAX_LINE_BYTES) })],
    ['a newer version', 'newer version', () => given(opened(), { kind: 'intent' }, { v: RECORD_VERSION + 1 })],
    ['another previous hash', 'chain', () => given(opened(), { kind: 'intent' }, { prev: NO_HASH })],
    ['a number that skips one', 'seq', () => given(opened(), { kind: 'intent' }, { seq: 4 })],
    ['a number twice', 'seq', () => given(opened(), { kind: 'intent' }, { seq: 2 })],
    ['another ledger', 'ledger', () => given(opened(), { kind: 'intent' }, { ledger: `L${'b'.repeat(32)}` })],
    [
      'a segment in the middle of one',
      'segment',
      () => given(opened(), { kind: 'open', segment: 1, key: one.publicKey }),
    ],
    ['a segment without its beginning', 'segment', () => given(next(closed()), { kind: 'intent' })],
    ['a ledger without its beginning', 'segment', () => given(next(new Script(), 1), { kind: 'intent' })],
    [
      'the beginning of another segment',
      'segment',
      () => given(next(closed()), { kind: 'open', segment: 3, key: two.publicKey }),
    ],
    [
      'the end of another segment',
      'segment',
      () => given(opened(), { kind: 'close', segment: 2, next: two.publicKey }),
    ],
    ['a segment without a key', 'not a record', () => given(next(new Script(), 1), { kind: 'open', segment: 1 })],
    [
      'a segment with a key that the previous one did not name',
      'key',
      () => given(next(closed()), { kind: 'open', segment: 2, key: one.publicKey }),
    ],
    [
      'a segment after one that was not closed',
      'key',
      () => given(next(opened()), { kind: 'open', segment: 2, key: two.publicKey }),
    ],
    [
      'a segment after an end that is not signed',
      'signature',
      () => given(next(opened().end()), { kind: 'open', segment: 2, key: two.publicKey }),
    ],
    [
      'a segment after an end that was not signed, though what came before it was',
      'signature',
      () => given(next(checked().end()), { kind: 'open', segment: 2, key: two.publicKey }),
    ],
    ['a record after the end', 'after close', () => given(closed(), { kind: 'intent' })],
    ['a second end', 'after close', () => given(closed(), { kind: 'close', segment: 1, next: one.publicKey })],
    ['a signature by another key', 'signature', () => signed(opened(), two)],
    ['a signature of another line', 'signature', () => signed(opened(), one, { hash: NO_HASH })],
    ['a signature of an earlier record', 'signature', () => signed(opened(), one, { seq: 1 })],
    ['a signature for another segment', 'signature', () => signed(opened(), one, { segment: 2 })],
    ['a checkpoint without a signature', 'signature', () => given(opened(), { kind: 'checkpoint' })],
    [
      'a signature that is not text',
      'signature',
      () => given(opened(), opened().checkpoint(), { signed: { segment: 1, seq: 2, signature: 5 } }),
    ],
  ];
  it.each(faults)('finds %s: %s', (_, fault, make) => {
    const [script, line] = make();
    const { seq, hash, checkpoints, key, next: named } = script.walk;
    expect(script.walk.step(line)).toBe(fault);
    expect(script.walk).toMatchObject({ seq, hash, checkpoints, key, next: named });
  });

  it('finds a signature of a line of another ledger', () => {
    const script = opened();
    const { signature } = sign({ ledger: `L${'b'.repeat(32)}`, segment: 1, seq: 2, hash: script.prev }, one);
    const line = script.line({ kind: 'checkpoint', signed: { segment: 1, seq: 2, hash: script.prev, signature } });
    expect(script.walk.step(line)).toBe('signature');
  });

  it('in the middle of a ledger trusts the first line about what came before, and nothing more', () => {
    const script = closed();
    const middle = new ChainWalk(false);
    middle.beginSegment(2);
    const first = script.line({ kind: 'open', segment: 2, key: two.publicKey });
    expect(middle.step(script.line({ kind: 'intent' }))).toBe('segment');
    expect(middle.step(script.line({ kind: 'open', segment: 2, key: two.publicKey }, { seq: 0 }))).toBe('seq');
    expect(middle.step(first)).toMatchObject({ seq: 5 });
    script.good.call(Object.assign(script, { walk: middle, seq: 5, prev: hashOf(first) }), { kind: 'intent' });
    expect(middle.step(script.line({ kind: 'intent' }, { prev: NO_HASH }))).toBe('chain');
  });
});

function given(script: Script, content: object, change: object = {}): [Script, Buffer] {
  return [script, script.line(content, change)];
}

function signed(script: Script, key: typeof one, change: object = {}): [Script, Buffer] {
  return [script, script.line(script.checkpoint(key, change))];
}

function next(script: Script, segment = 2): Script {
  script.walk.beginSegment(segment);
  return script;
}
