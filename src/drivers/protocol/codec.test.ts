import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DesktopError } from '../../shared/index.js';
import { decode, decodeError, encode, encodeError } from './codec.js';

const carried = (value: unknown): unknown => (decode(encode({ value })) as { value: unknown }).value;

describe('a value', () => {
  it.each<[string, unknown]>([
    ['text', 'ß "quoted"\n'],
    ['numbers', [0, -1.5, 1e21, Number.MAX_SAFE_INTEGER]],
    ['nothing', null],
    ['flags', [true, false]],
    ['nested objects', { a: { b: [{ c: 1 }] } }],
    ['keys that start with $', { $bytes: 'AAAA', $$bytes: 1, $: { $x: 2 } }],
    ['a key like a prototype', JSON.parse('{"__proto__":{"a":1}}')],
  ])('comes back unchanged: %s', (_, value) => {
    expect(carried(value)).toEqual(value);
  });

  it('comes back unchanged, whatever JSON value it is', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const json = JSON.parse(JSON.stringify(value)) as unknown;
        expect(carried(json)).toEqual(json);
      }),
    );
  });

  it('leaves out fields that are undefined', () => {
    expect(carried({ a: undefined, b: 1 })).toEqual({ b: 1 });
    expect(encode({ a: undefined })).toBe('{}');
  });

  it('may appear twice', () => {
    const box = { x: 1 };
    expect(carried([box, box])).toEqual([{ x: 1 }, { x: 1 }]);
  });
});

describe('bytes', () => {
  it.each([
    ['a buffer', Buffer.from([0, 255, 128, 10])],
    ['a part of a larger buffer', Buffer.from([1, 2, 3, 4, 5]).subarray(1, 3)],
    ['an array of bytes', new Uint8Array([7, 8])],
    ['no bytes', Buffer.alloc(0)],
  ])('come back as a buffer: %s', (_, bytes) => {
    const back = (carried({ rgba: bytes }) as { rgba: Buffer }).rgba;
    expect(Buffer.isBuffer(back)).toBe(true);
    expect([...back]).toEqual([...bytes]);
  });

  it('are base64 under one key', () => {
    expect(encode({ rgba: Buffer.from('abc') })).toBe('{"rgba":{"$bytes":"YWJj"}}');
  });

  it.each(['{"$bytes":1}', '{"$bytes":"AA","other":1}'])('in a wrong form are refused: %s', (text) => {
    expect(() => decode(text)).toThrow(TypeError);
  });
});

describe('a value that JSON would drop or change is refused, with its place', () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = { cycle };
  it.each<[string, unknown, string]>([
    ['a function', { options: { onProgress: () => undefined } }, 'a function at value.options.onProgress'],
    ['a symbol', [Symbol('s')], 'a symbol at value[0]'],
    ['a symbol key', { [Symbol('whole')]: 1 }, 'the symbol key Symbol(whole) at value'],
    ['NaN', { box: { x: NaN } }, 'NaN at value.box.x'],
    ['Infinity', [1, Infinity], 'Infinity at value[1]'],
    ['a bigint', 1n, 'a bigint at value'],
    ['undefined in an array', ['a', undefined], 'undefined in an array at value[1]'],
    ['a hole', Array<unknown>(1), 'undefined in an array at value[0]'],
    ['a date', new Date(), 'a Date at value'],
    ['a map', new Map(), 'a Map at value'],
    ['a promise', { lost: Promise.resolve() }, 'a Promise at value.lost'],
    ['an error', new DesktopError('timeout', 'x'), 'a DesktopError at value'],
    ['a cycle', cycle, 'a cycle at value.self.cycle'],
  ])('%s', (_, value, message) => {
    expect(() => encode({ value })).toThrow(new TypeError(`A message cannot carry ${message}.`));
  });

  it('a message that is no object', () => {
    for (const value of [undefined, 1, 'text', null])
      expect(() => encode(value)).toThrow('a message must be an object');
  });
});

describe('an error', () => {
  it('comes back with all that it says', () => {
    const error = new DesktopError('not_ready', 'Covered.', {
      ...{ hint: 'Close it.', retry: 'after', retryAfter: 'w2 is closed', delivered: 'unknown' },
      details: { coveredBy: ['w2'] },
      cause: new Error('native'),
    });
    const back = decodeError((decode(encode({ error: encodeError(error) })) as { error: never }).error);
    expect(back).toBeInstanceOf(DesktopError);
    expect(back.toJSON()).toEqual(error.toJSON());
    expect(back.cause).toBeUndefined();
  });

  it('that is not ours may have sent something', () => {
    expect(encodeError(new TypeError('Ours.'))).toMatchObject({
      ...{ code: 'driver_unavailable', message: 'The driver failed: Ours.', delivered: 'unknown', retry: 'no' },
    });
  });
});
