import { expect, test } from 'vitest';
import { addressOf, idOf, parseElementId } from './accessible.js';

const PATH = '/org/a11y/atspi/accessible/42';

test.each([
  [`:1.5${PATH}`, { address: [':1.5', PATH] }],
  [`:1.5${PATH}#r7`, { address: [':1.5', PATH], row: 7 }],
  [`:1.5${PATH}#r7c12`, { address: [':1.5', PATH], row: 7, column: 12 }],
  [`:1.5${PATH}#r0`, undefined],
  [`:1.5${PATH}#r7c0`, undefined],
  [`:1.5${PATH}#c7`, undefined],
  [`:1.5${PATH}#`, undefined],
  [`:1.5${PATH}#r7#r8`, undefined],
  ['x:0x1400003', undefined],
  ['org.some.Name/path', undefined],
  [':1.5', undefined],
  [PATH, undefined],
  ['', undefined],
])('%j', (id, parsed) => expect(parseElementId(id)).toEqual(parsed));

test('a table position is not an object address', () => expect(addressOf(`:1.5${PATH}#r7c12`)).toBeUndefined());

test('an address survives the round trip through an id', () => {
  expect(addressOf(idOf([':1.203', '/com/deskproof/a/1/2']))).toEqual([':1.203', '/com/deskproof/a/1/2']);
});
