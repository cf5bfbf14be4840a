import { describe, expect, test } from 'vitest';
import { alignmentOf, parseSignature, type Type } from './signature.js';

const basic = (code: string): Type => ({ kind: 'basic', code });

describe('parseSignature', () => {
  const good: [string, Type[]][] = [
    ['', []],
    ['su', [basic('s'), basic('u')]],
    ['as', [{ kind: 'array', of: basic('s') }]],
    ['aai', [{ kind: 'array', of: { kind: 'array', of: basic('i') } }]],
    ['a{sv}', [{ kind: 'dict', key: basic('s'), value: { kind: 'variant' } }]],
    ['a(so)', [{ kind: 'array', of: { kind: 'struct', fields: [basic('s'), basic('o')] } }]],
    [
      '(i(d)v)b',
      [
        { kind: 'struct', fields: [basic('i'), { kind: 'struct', fields: [basic('d')] }, { kind: 'variant' }] },
        basic('b'),
      ],
    ],
  ];
  test.each(good)('%j', (signature, types) => expect(parseSignature(signature)).toEqual(types));

  const bad: [string, RegExp][] = [
    ['z', /unknown type code "z"/],
    [')', /unknown type code/],
    ['{sv}', /unknown type code "{"/],
    ['a', /ends early/],
    ['(s', /ends early/],
    ['a{sv', /not closed/],
    ['a{s}', /unknown type code "}"/],
    ['a{svs}', /not closed/],
    [`${'a'.repeat(40)}i`, /nested too deeply/],
    [`${'('.repeat(40)}i${')'.repeat(40)}`, /nested too deeply/],
    ['i'.repeat(256), /too long/],
  ];
  test.each(bad)('refuses %j', (signature, reason) => expect(() => parseSignature(signature)).toThrow(reason));
});

test.each([
  ['y', 1],
  ['g', 1],
  ['v', 1],
  ['n', 2],
  ['q', 2],
  ['i', 4],
  ['u', 4],
  ['b', 4],
  ['s', 4],
  ['o', 4],
  ['as', 4],
  ['a{sv}', 4],
  ['x', 8],
  ['t', 8],
  ['d', 8],
  ['(y)', 8],
])('%s is aligned to %i', (signature, alignment) => expect(alignmentOf(parseSignature(signature)[0]!)).toBe(alignment));
