import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readBody } from './reader.js';
import { Writer } from './writer.js';

interface Case {
  signature: string;
  value: unknown;
}

const text = fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0'));
const path = fc.array(fc.stringMatching(/^[A-Za-z0-9_]{1,5}$/), { maxLength: 4 }).map((parts) => `/${parts.join('/')}`);
const big = fc.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });

const BASIC: Record<string, fc.Arbitrary<unknown>> = {
  y: fc.integer({ min: 0, max: 255 }),
  b: fc.boolean(),
  n: fc.integer({ min: -32768, max: 32767 }),
  q: fc.integer({ min: 0, max: 65535 }),
  i: fc.integer(),
  u: fc.integer({ min: 0, max: 0xffffffff }),
  x: big,
  t: big.map(Math.abs),
  d: fc.double({ noNaN: true }),
  s: text,
  o: path,
  g: fc.constantFrom('', 'a{sv}', '(iiii)', 'as'),
};

/** Any signature of one complete type, with an arbitrary for its values. */
function anyType(depth: number): fc.Arbitrary<{ signature: string; values: fc.Arbitrary<unknown> }> {
  const one = fc.constantFrom(...Object.keys(BASIC)).map((code) => ({ signature: code, values: BASIC[code]! }));
  if (depth === 0) return one;
  const inner = anyType(depth - 1);
  return fc.oneof(
    { weight: 3, arbitrary: one },
    {
      weight: 1,
      arbitrary: inner.map((of) => ({ signature: `a${of.signature}`, values: fc.array(of.values, { maxLength: 4 }) })),
    },
    {
      weight: 1,
      arbitrary: fc.array(inner, { minLength: 1, maxLength: 3 }).map((fields) => ({
        signature: `(${fields.map((field) => field.signature).join('')})`,
        values: fc.tuple(...fields.map((field) => field.values)),
      })),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(one, inner).map(([key, value]) => ({
        signature: `a{${key.signature}${value.signature}}`,
        values: fc.array(fc.tuple(key.values, value.values), { maxLength: 3 }),
      })),
    },
    {
      weight: 1,
      arbitrary: inner.map((of) => ({
        signature: 'v',
        values: of.values.map((value) => ({ signature: of.signature, value })),
      })),
    },
  );
}

const anyValue: fc.Arbitrary<Case> = anyType(3).chain(({ signature, values }) =>
  values.map((value) => ({ signature, value })),
);

function written(signature: string, values: unknown[]): Buffer {
  const writer = new Writer();
  writer.body(signature, values);
  return writer.take();
}

test('reads back every body that was written', () => {
  fc.assert(
    fc.property(fc.array(anyValue, { minLength: 1, maxLength: 4 }), (cases) => {
      const signature = cases.map((one) => one.signature).join('');
      const values = cases.map((one) => one.value);
      fc.pre(signature.length <= 255);
      expect(readBody(written(signature, values), 0, signature, true)).toEqual(values);
    }),
    { numRuns: 500 },
  );
});

test('refuses or reads random bytes, but never hangs and never reads outside the buffer', () => {
  fc.assert(
    fc.property(anyType(2), fc.uint8Array({ maxLength: 200 }), fc.boolean(), ({ signature }, bytes, little) => {
      try {
        readBody(Buffer.from(bytes), 0, signature, little);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
    }),
    { numRuns: 1000 },
  );
});

describe('refuses a malformed body', () => {
  const length = (value: number, ...rest: number[]): Buffer => {
    const head = Buffer.alloc(4);
    head.writeUInt32LE(value);
    return Buffer.concat([head, Buffer.from(rest)]);
  };
  const nested = (depth: number): Buffer =>
    Buffer.concat([...Array.from({ length: depth }, () => Buffer.from([1, 0x76, 0])), Buffer.from([1, 0x79, 0, 7])]);
  const cases: [string, string, Buffer, RegExp][] = [
    ['a string longer than the message', 's', length(100, 65, 0), /string runs past/],
    ['a string without its terminator', 's', length(1, 65), /string runs past/],
    ['an array longer than the message', 'ay', length(0xffffffff, 1, 2), /array runs past/],
    ['an array that truncates its last element', 'au', length(6, 1, 0, 0, 0, 2, 0, 0, 0), /middle of an element/],
    ['a variant with two values', 'v', Buffer.from([2, 0x79, 0x79, 0, 1, 2]), /exactly one value/],
    ['a variant without a value', 'v', Buffer.from([0, 0]), /exactly one value/],
    ['a variant of an unknown type', 'v', Buffer.from([1, 0x7a, 0, 1]), /unknown type code/],
    ['deeply nested variants', 'v', nested(80), /nested too deeply/],
    ['an array of empty structs', 'a()', length(8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), /array of nothing/],
    ['a truncated number', 'd', Buffer.alloc(7), /range|bounds/],
    ['an empty body', 'u', Buffer.alloc(0), /range|bounds/],
  ];
  test.each(cases)('%s', (_, signature, bytes, reason) =>
    expect(() => readBody(bytes, 0, signature, true)).toThrow(reason),
  );

  test('reads sixty nested variants', () => expect(() => readBody(nested(60), 0, 'v', true)).not.toThrow());
});

test('reads text that is not UTF-8 with replacement characters', () => {
  expect(readBody(Buffer.from([2, 0, 0, 0, 0xff, 0x41, 0]), 0, 's', true)).toEqual(['\ufffdA']);
});

describe('refuses to write invalid values', () => {
  test.each([
    ['too few values', 'ss', ['one'], /needs 2 values/],
    ['too many values', 's', ['one', 'two'], /needs 1 values/],
    ['a number out of range', 'n', [40_000], /out of range/],
    ['an unknown type', 'z', [1], /unknown type code/],
  ] as const)('%s', (_, signature, values, reason) => expect(() => written(signature, [...values])).toThrow(reason));
});

test('starts empty after a restart, also after a very large body', () => {
  const writer = new Writer();
  writer.body('s', ['x'.repeat(200_000)]);
  writer.restart(Buffer.from([1, 2, 3, 4]));
  writer.body('u', [5]);
  expect([...writer.take()]).toEqual([1, 2, 3, 4, 5, 0, 0, 0]);
});
