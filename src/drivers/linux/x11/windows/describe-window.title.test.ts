import { expect, it } from 'vitest';
import { readTitle } from './describe-window.js';

const ATOMS = { UTF8_STRING: 1, COMPOUND_TEXT: 2 };
const property = (text: string, bytesAfter = 0) => ({ type: 1, format: 8, bytesAfter, data: Buffer.from(text) });
const LONG = `${'q'.repeat(240)} - My Banking`;

it.each([
  ['a short one', [property('Notes'), property('Other')], { title: 'Notes' }],
  ['the second property', [property(''), property('Other')], { title: 'Other' }],
  ['none', [undefined, property('')], { title: '' }],
  ['a long one', [property(LONG)], { title: `${'q'.repeat(194)}…(+59)`, fullTitle: LONG }],
  ['without its end', [property('Notes', 9)], { title: 'Notes', fullTitle: `${'Notes'.padEnd(200)}…(+9)` }],
])('the title of a window: %s', (_, properties, title) => {
  expect(readTitle(properties, ATOMS)).toEqual(title);
});
