import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.js';

describe('canonicalJson', () => {
  const written: [string, unknown, string][] = [
    [
      'sorts keys at every depth',
      { b: 1, a: { d: [2, { z: 1, y: 2 }], c: 3 } },
      '{"a":{"c":3,"d":[2,{"y":2,"z":1}]},"b":1}',
    ],
    ['leaves undefined members out', { a: undefined, b: null }, '{"b":null}'],
    // The example of RFC 8785, 3.2.3: by UTF-16 units, so the pair of an emoji comes before U+FB33.
    [
      'sorts by UTF-16 units',
      { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, '\u00f6': 7 },
      '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\u{1f600}":5,"\ufb33":3}',
    ],
    [
      'writes numbers as RFC 8785 does',
      [333333333.33333329, 1e30, 4.5, 2e-3, 1e-27, -0],
      '[333333333.3333333,1e+30,4.5,0.002,1e-27,0]',
    ],
    ['escapes what JSON requires', '\u20ac$\u000f\nA\'B"\\\\"/', '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'],
    ['accepts objects without a prototype', Object.assign(Object.create(null) as object, { a: 1 }), '{"a":1}'],
    ['sorts a key called __proto__', JSON.parse('{"b":1,"__proto__":2}'), '{"__proto__":2,"b":1}'],
  ];
  it.each(written)('%s', (_, value, expected) => expect(canonicalJson(value)).toBe(expected));

  const round: unknown[] = [];
  round.push(round);
  const refused: [string, unknown][] = [
    ['NaN', Number.NaN],
    ['infinity', [Infinity]],
    ['undefined in a list', [undefined]],
    ['a hole in a list', new Array(1)],
    ['a function', { f: () => 1 }],
    ['a bigint', 1n],
    ['a date', new Date()],
    ['a map', new Map()],
    ['a lone surrogate', 'a\ud800'],
    ['a lone surrogate as a key', { '\udc00': 1 }],
    ['a circular list', round],
  ];
  it.each(refused)('refuses %s', (_, value) => expect(() => canonicalJson(value)).toThrow('canonical JSON'));

  it('parses back to the same value, and does not depend on the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        let once: string;
        try {
          once = canonicalJson(value);
        } catch {
          return; // A lone surrogate: refused, as tested above.
        }
        expect(JSON.parse(once)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(turned(JSON.parse(once)))).toBe(once);
      }),
      { numRuns: 100 },
    );
  });
});

function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, turned(member)]),
  );
}
