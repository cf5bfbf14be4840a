import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TaintTracker } from '../taint-tracker.js';
import { fold } from './normalise.js';

const WINDOW = 'w1';
const MARK = '‹secret:it›';
const CANARIES = ['p"é%', 'k%"é 7', 'Zq"9é% Wörd1', `${'Aé"% 3kLm-'.repeat(6)}xyzÄ`];

function taintOf(...values: string[]): TaintTracker {
  const taint = new TaintTracker();
  values.forEach((value, at) =>
    taint.typed({ name: at === 0 ? 'it' : `it${at}`, value, window: WINDOW, field: `f${at}` }),
  );
  return taint;
}

const html = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' }[sign]};`);
const everyUrl = (text: string): string => [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join('');
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const WAYS: [string, (value: string) => string][] = [
  ['as it is', (value) => value],
  ['NFC', (value) => value.normalize('NFC')],
  ['NFD', (value) => value.normalize('NFD')],
  ['full width', (value) => value.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0))],
  ['lower case', (value) => value.toLowerCase()],
  ['upper case', (value) => value.toUpperCase()],
  ['URL', encodeURIComponent],
  ['URL, every byte', everyUrl],
  ['URL, lower-case digits', (value) => encodeURIComponent(value).toLowerCase()],
  ['URL of a form', (value) => new URLSearchParams({ value }).toString().slice('value='.length)],
  ['URL in Latin-1', (value) => value.replace(/[^a-z0-9]/gi, (sign) => `%${sign.charCodeAt(0).toString(16)}`)],
  ['HTML', html],
  ['HTML by numbers', (value) => [...value].map((sign) => `&#${sign.codePointAt(0)};`).join('')],
  ['HTML by hex numbers', (value) => [...value].map((sign) => `&#x${sign.codePointAt(0)!.toString(16)};`).join('')],
  [
    'HTML by names',
    (value) => html(value).replaceAll('é', '&eacute;').replaceAll('ö', '&ouml;').replaceAll('Ä', '&Auml;'),
  ],
  ['JSON', (value) => JSON.stringify(value).slice(1, -1)],
  [
    'JSON in ASCII',
    (value) => [...value].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  ],
  [
    'escaped bytes',
    (value) => [...Buffer.from(value)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''),
  ],
  ['braced escapes', (value) => [...value].map((sign) => `\\u{${sign.codePointAt(0)!.toString(16)}}`).join('')],
  ['JSON in JSON', (value) => JSON.stringify(JSON.stringify(value)).slice(3, -3)],
  ['HTML in a URL', (value) => encodeURIComponent(html(value))],
  ['with more space', (value) => value.replaceAll(' ', '\n\t ')],
  ['with tabs', (value) => value.replaceAll(' ', '\t')],
  ['with unseen characters', (value) => [...value].join('\u200b')],
  ['base64', base64],
  ['base64 of URLs', (value) => Buffer.from(value).toString('base64url')],
];

describe.each(CANARIES)('the secret %s', (value) => {
  const taint = taintOf(value);
  test.each(WAYS)('%s', (_, written) => {
    for (const [before, after] of [
      ['', ''],
      ['says: ', '.'],
      ['(', ')'],
    ] as const) {
      expect(taint.redactText(`${before}${written(value)}${after}`, { window: WINDOW })).toBe(
        `${before}${MARK}${after}`,
      );
    }
  });
});

describe('base64 among other bytes', () => {
  test.each(CANARIES.slice(1))('of %s', (value) => {
    const taint = taintOf(value);
    for (const before of ['', 'a', 'ab', 'abc']) {
      const whole = base64(`${before}${value}: the rest`);
      const shown = taint.redactText(whole);
      expect(shown).toContain(MARK);
      expect(Buffer.from(shown.split(MARK)[0]!, 'base64').toString()).not.toContain(value[0]);
      expect(shown.split(MARK)[1]).toBe(whole.slice(-shown.split(MARK)[1]!.length));
      expect(shown.split(MARK)[1]!.length).toBeGreaterThan(8);
    }
  });
});

test('also redacts the characters at both ends of base64, which hold bits of the value', () => {
  expect(taintOf('qwertz7-secret').redactText(base64('aqwertz7-secret'))).toBe(`Y${MARK}`);
});

describe('pieces', () => {
  const value = 'Zq"9é% Wörd1-tail';
  const taint = taintOf(value);
  test.each([
    [`${value.slice(0, 8)}…`, `${MARK}…`],
    [`…${value.slice(-8)}`, `…${MARK}`],
    [value.slice(3, 14), MARK],
    [value.slice(0, 7), value.slice(0, 7)],
    [`${value.slice(0, 7)} ${value.slice(8)}`, `${value.slice(0, 7)} ${MARK}`],
    [`${value}${value}`, MARK],
    [`${value} ${value}`, `${MARK} ${MARK}`],
    [encodeURIComponent(value.slice(2, 11)), MARK],
  ])('%s', (text, shown) => expect(taint.redactText(text)).toBe(shown));

  test('of six and seven characters are matched as a whole', () => {
    const short = taintOf('k%"é 7', 'sevench');
    expect(short.redactText('xk%"é 7x')).toBe(`x${MARK}x`);
    expect(short.redactText('k%"é')).toBe('k%"é');
    expect(short.redactText('SEVENCHars')).toBe('‹secret:it1›ars');
    expect(short.redactText('sevenc')).toBe('sevenc');
  });
});

describe('digits', () => {
  test.each([
    ['4938 2716 5012', '493827165012'],
    ['493827165012', '4938-2716-5012'],
    ['493827165012', '4938 27165012'],
    ['493827165012', '4938\u20132716\u00a05012'],
    ['493827', '493 827'],
    ['49-38-27', '493827'],
  ])('%s shown as %s', (value, shown) => {
    expect(taintOf(value).redactText(`No. ${shown}!`)).toBe(`No. ${MARK}!`);
  });

  test.each([
    ['ab12cd34', 'ab1 2cd3 4'],
    ['ab12cd34', 'ab1 2cd3 4 %41'],
    ['493827', '493.827'],
    ['passin', 'pass in'],
  ])('%s is not %s', (value, other) => expect(taintOf(value).redactText(other)).toBe(other));
});

describe('short values', () => {
  const taint = taintOf('4937', 'ab"é');
  test.each([
    ['PIN 4937 ok', `PIN ${MARK} ok`],
    ['4937', MARK],
    ['"4937"', `"${MARK}"`],
    ['{4937}', `{${MARK}}`],
    [':4937:', `:${MARK}:`],
    ['4 9 3 7', MARK],
    ['49374', '49374'],
    ['x4937', 'x4937'],
    ['é4937', 'é4937'],
    ['493', '493'],
    [base64('4937'), MARK],
    ['NDkzNw', MARK],
    ['NDkzNwAB', 'NDkzNwAB'],
    ['AB%22%C3%A9', '‹secret:it1›'],
  ])('%s', (text, shown) => {
    expect(taint.redactText(text, { window: WINDOW })).toBe(shown);
    expect(taint.redactText(text, { window: 'w2' })).toBe(text);
    expect(taint.redactText(text)).toBe(text);
  });

  test('five characters are short, six are not', () => {
    expect(taintOf('abcde').redactText('abcde')).toBe('abcde');
    expect(taintOf('abcdef').redactText('abcdef')).toBe(MARK);
    expect(taintOf('1 2 3 4').redactText('1 2 3 4')).toBe('1 2 3 4');
  });

  test('a value that becomes a whole word only after another was redacted', () => {
    const both = taintOf('long-secret', '4937');
    expect(both.redactText('long-secret4937', { window: WINDOW })).toBe(`${MARK}‹secret:it1›`);
  });
});

test('limits nested decoding', () => {
  const deep = `%${'25'.repeat(20_000)}41`;
  expect(taintOf('hunter2-hunter').redactText(deep)).toBe(deep);
});

test('leaves invalid character numbers as they are', () => {
  const odd = '&#9999999; &#x110000; \\u{110000}';
  expect(taintOf('hunter2-hunter').redactText(`${odd} hunter2-hunter`)).toBe(`${odd} ${MARK}`);
});

test('does not search for short values inside longer base64', () => {
  const taint = taintOf('\ufdfa');
  expect(taint.redactText(`x\ufdfay`)).toBe(`x${MARK}y`);
  expect(taint.redactText('77e6 and 7e6')).toBe('77e6 and 7e6');
});

describe('marks', () => {
  test('of ours are not searched', () => {
    const taint = taintOf('xsecret:itx', 'ret:it›and more');
    expect(taint.redactText('xsecret:itx')).toBe(MARK);
    expect(taint.redactText(MARK)).toBe(MARK);
  });

  test('written by an app hide nothing', () => {
    const taint = taintOf('hunter2-hunter');
    expect(taint.redactText('‹secret:hunter2-hunter›')).toBe(`‹secret:${MARK}›`);
    expect(taint.redactText(`${MARK} ‹secret:hunter2-hunter›`)).toBe(`${MARK} ‹secret:${MARK}›`);
  });

  test('of two secrets with the same start are those of the longer one', () => {
    expect(taintOf('sevench', 'sevenchars-long').redactText('sevenchars-long')).toBe('‹secret:it1›');
  });

  test('of two adjacent secrets are two, and one where they overlap', () => {
    const taint = taintOf('first-one', 'one-second');
    expect(taint.redactText('first-oneone-second')).toBe(`${MARK}‹secret:it1›`);
    expect(taint.redactText('first-one-second!')).toBe(`${MARK}!`);
  });
});

describe('for any text', () => {
  const character = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...'abcDEF123 -"%&\\+é;ßΣ') },
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  );
  const values = fc
    .string({ unit: character, minLength: 8, maxLength: 40 })
    .filter((value) => fold(value).trim().length >= 8);
  const texts = fc.string({ unit: character, maxLength: 60 });
  const ways = fc.constantFrom(
    ...WAYS.filter(([way]) => !/Latin|base64|escapes|ASCII/.test(way)).map(([, written]) => written),
  );

  test('no piece of eight characters survives', () => {
    fc.assert(
      fc.property(values, texts, texts, ways, (value, before, after, written) => {
        const shown = taintOf(value).redactText(before + written(value) + after);
        const left = fold(shown.replaceAll(MARK, '\n'));
        const folded = fold(value).trim();
        for (let at = 0; at + 8 <= folded.length; at++) expect(left).not.toContain(folded.slice(at, at + 8));
      }),
      { numRuns: 1_000 },
    );
  });

  test('redaction is idempotent', () => {
    fc.assert(
      fc.property(values, texts, ways, (value, text, written) => {
        const taint = taintOf(value, '4937', 'abcDEF');
        const once = taint.redactText(text + written(value) + text, { window: WINDOW });
        expect(taint.redactText(once, { window: WINDOW })).toBe(once);
      }),
      { numRuns: 1_000 },
    );
  });

  test('text without the secret, and around it, stays unchanged', () => {
    const other = fc.string({ unit: fc.constantFrom(...'ghijk GHI789.,%&\\+ü'), maxLength: 60 });
    fc.assert(
      fc.property(other, other, (before, after) => {
        const taint = taintOf('Xq"z-éw_mN!pr');
        expect(taint.redactText(before)).toBe(before);
        expect(taint.redactText(`${before} Xq"z-éw_mN!pr ${after}`)).toBe(`${before} ${MARK} ${after}`);
      }),
      { numRuns: 1_000 },
    );
  });
});
