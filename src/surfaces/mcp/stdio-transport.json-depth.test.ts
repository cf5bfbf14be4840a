import { expect, test } from 'vitest';
import { depthOf } from './stdio-transport.js';

test.each([
  ['1', 0],
  ['{"a":[1,{"b":2}]}', 3],
  ['"[[[["', 0],
  ['"\\"[[[["', 0],
  ['[],[],[]', 1],
])('%s is %i deep', (json, depth) => expect(depthOf(json)).toBe(depth));
