import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkDraft, MAX_LINE_BYTES, makeLine, NO_HASH } from '../line.js';
import type { Draft } from '../record.js';
import { NO_REDACTION, redact, type Redactor, type TextPlace } from '../ledger.js';

const AT = '2026-11-15T10:30:45.120Z';
const intent = (more: object = {}): Draft & { kind: 'intent' } => ({
  ...{ kind: 'intent', tool: 'ui_type', caller: { surface: 'mcp' }, decision: { answer: 'allow', rule: 'r' } },
  ...more,
});
const bytesOf = (draft: Draft): Buffer =>
  makeLine(draft, { ledger: `L${'0'.repeat(32)}`, seq: 1, prev: NO_HASH, at: AT }).bytes;

/** Removes one word, wherever it is. */
const hiding = (secret: string): Redactor => ({ text: (text) => text.replaceAll(secret, '‹secret:pin›') });

describe('redact', () => {
  const SECRET = 'hunter2-canary';
  const everywhere: [string, Draft][] = [
    ['an argument', intent({ args: { text: SECRET } })],
    ['the middle of an argument', intent({ args: { text: `a${SECRET}b` } })],
    ['a list in an argument', intent({ args: { command: ['x', { deep: [SECRET] }] } })],
    ['the name of an argument', intent({ args: { env: { [SECRET]: 1 } } })],
    [
      'an argument with the name of one of our fields',
      intent({ args: { policy: SECRET, kind: SECRET, hash: SECRET } }),
    ],
    ['a long text, beyond its cut', intent({ args: { text: `${'x'.repeat(190)}${SECRET}` } })],
    ['a name', intent({ target: { name: SECRET } })],
    ['a title', intent({ target: { window: `${SECRET} - Mousepad` } })],
    ['an identity', intent({ target: { id: SECRET } })],
    ['a program', intent({ app: { program: `/tmp/${SECRET}` } })],
    ['a session', intent({ caller: { surface: 'mcp', session: SECRET } })],
    ['a rule', intent({ decision: { answer: 'allow', rule: SECRET } })],
    ['a reason', { kind: 'stop', by: 'cli', reason: SECRET }],
    [
      'the answer of a user',
      { kind: 'answer', question: 'q', subject: NO_HASH, result: 'denied', ms: 5, reason: SECRET },
    ],
    [
      'a file',
      { kind: 'policy', event: 'loaded', policy: NO_HASH, files: [{ tier: 'user', file: SECRET, hash: NO_HASH }] },
    ],
  ];
  it.each(everywhere)('is called for %s', (_, draft) => {
    const clean = redact(draft, hiding(SECRET));
    expect(JSON.stringify(clean)).not.toContain('hunter2');
    expect(JSON.stringify(clean)).toContain('‹sec');
    expect(() => checkDraft(clean, AT)).not.toThrow();
  });

  it('gets the position of a text and its window', () => {
    const places: [string, TextPlace][] = [];
    const redactor: Redactor = { text: (text, place) => (places.push([text, place]), text) };
    redact(intent({ args: { list: ['a'] }, target: { window: 'Bank' } }), redactor);
    expect(places).toContainEqual([
      'a',
      { kind: 'intent', path: ['args', 'list', '0'], tool: 'ui_type', window: 'Bank' },
    ]);
  });

  it('never changes our own fields', () => {
    const draft: Draft = {
      ...intent({ evidence: { snapshot: NO_HASH, crop: null } }),
      decision: { answer: 'ask', rule: 'x', policy: NO_HASH, risk: { level: 'low', score: 1 } },
    };
    const clean = redact(draft, { text: () => '█' }) as Draft & { kind: 'intent' };
    expect(clean).toMatchObject({ kind: 'intent', tool: 'ui_type', evidence: draft.evidence });
    expect(clean.decision).toEqual({ ...draft.decision, rule: '█' });
    const outcome: Draft = { kind: 'outcome', of: 3, status: 'ok', delivered: 'yes', after: NO_HASH, cost: { ms: 1 } };
    expect(redact(outcome, { text: () => '█' })).toEqual(outcome);
  });

  it('cuts texts at 200 characters and paths at 1,000', () => {
    const long = 'ä'.repeat(5_000);
    const draft = intent({ args: { text: long, program: long }, target: { name: long }, app: { program: long } });
    const { args, target, app } = redact(draft, NO_REDACTION) as typeof draft;
    for (const text of [args!.text, args!.program, target!.name]) expect([...(text as string)]).toHaveLength(200);
    expect(args!.text).toMatch(/ä…\(\+\d+\)$/);
    expect([...app!.program!]).toHaveLength(1_000);
  });

  it('makes every text encodable', () => {
    const half = intent({ args: { text: 'a\ud800b', '\udfff': 1 }, target: { name: '\udc00' } });
    const clean = redact(half, NO_REDACTION) as typeof half;
    expect(clean).toMatchObject({ args: { text: 'a\ufffdb', '\ufffd': 1 }, target: { name: '\ufffd' } });
  });

  it('keeps any arguments within a line', () => {
    const wide = Object.fromEntries(
      Array.from({ length: 64 }, (_, at) => [`k${at}`, Array<string>(64).fill('x'.repeat(300))]),
    );
    const bytes = bytesOf(redact(intent({ args: wide }), NO_REDACTION));
    expect(bytes.length).toBeLessThan(MAX_LINE_BYTES);
    expect(bytes.toString()).toMatch(/"args":\{"…":"\d+ bytes left out"\}/);
    const nested = intent({ args: { a: [[[[[[[[[[['deep']]]]]]]]]]] } });
    expect(JSON.stringify(redact(nested, NO_REDACTION))).not.toContain('deep');
  });

  it('returns a record that can be written, and one line of it, for any arguments', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { maxKeys: 20 }), (args) => {
        const clean = redact(intent({ args }), NO_REDACTION);
        checkDraft(clean, AT);
        const bytes = bytesOf(clean);
        expect(bytes.indexOf('\n')).toBe(bytes.length - 1);
        expect(bytes.length).toBeLessThanOrEqual(MAX_LINE_BYTES);
      }),
      { numRuns: 100 },
    );
  });
});
