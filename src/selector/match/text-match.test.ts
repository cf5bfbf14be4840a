import { expect, it } from 'vitest';
import { normaliseLabel, sameLabel } from './text-match.js';

it.each([
  ['Save As…', 'save as...'],
  ['  Save\u00a0 As ', 'save as'],
  ['Copy\tCtrl+C', 'copy'],
  ['“Notes” – ‘x’ − 1', '"notes" - \'x\' - 1'],
  ['in\u200bvis\u00adible\u202e', 'invisible'],
  ['e\u0301', '\u00e9'],
  ['x²', 'x²'],
  ['', ''],
])('%j', (label, plain) => expect(normaliseLabel(label)).toBe(plain));

it.each([
  ['Save As', 'Save As…', true],
  ['Name', 'name:', true],
  ['Name', 'Names', false],
  ['x2', 'x²', false],
  ['...', '', false],
  [':', '', false],
  ['…', '...', true],
])('%j and %j', (a, b, same) => expect(sameLabel(a, b)).toBe(same));
