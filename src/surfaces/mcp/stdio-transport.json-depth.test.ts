import { expect, test } from 'vitest';
import { jsonDepth } from './stdio-transport.js';

test.each([
  ['1', 0],
  ['{"a":[1,{"b":2}]}', 3],
  ['"[[[["', 0],
  ['"\\"[[[["', 0],
  ['[],[],[]', 1],
])('%s has depth %i', (json, depth) => expect(jsonDepth(json)).toBe(depth));
