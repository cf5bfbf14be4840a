import { expect, test } from 'vitest';
import { ALL_KEY_NAMES } from '../../contract/keys.js';
import { keysymOfCharacter, keysymOfKey } from './keysyms.js';

test.each(ALL_KEY_NAMES)('the key %s has a keysym', (name) => {
  expect(keysymOfKey(name)).toBeGreaterThan(0x1f);
});

test.each<[string, number]>([
  ['F1', 0xffbe],
  ['F35', 0xffe0],
  ['KP_0', 0xffb0],
  ['KP_9', 0xffb9],
  ['Return', 0xff0d],
  ['a', 0x61],
  ['é', 0xe9],
  ['€', 0x010020ac],
  ['😀', 0x0101f600],
])('%s', (key, keysym) => expect(keysymOfKey(key)).toBe(keysym));

test.each(['', 'ab', 'Nonsense'])('rejects %j as a key name', (key) => {
  expect(() => keysymOfKey(key)).toThrow(/There is no key/);
});

test('does not treat control characters as Latin 1', () => {
  expect(keysymOfCharacter(0x85)).toBe(0x01000085);
});
