import { expect, it } from 'vitest';
import { parseTimeout } from './option-values.js';

it.each([
  ['1', 1],
  [' 15000 ', 15_000],
  ['600000', 600_000],
])('takes %j', (text, ms) => expect(parseTimeout(text)).toBe(ms));

it.each(['', '0', '-1', '600001', '1e3', '5s', 'NaN', '99999999999999999999'])('refuses %j', (text) => {
  expect(() => parseTimeout(text)).toThrow(/milliseconds from 1 to 600000/);
});
