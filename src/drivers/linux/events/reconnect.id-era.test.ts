import { expect, test } from 'vitest';
import type { Node } from '../../../tree/index.js';
import { IdEra } from './reconnect.js';

const PATH = ':1.5/org/a11y/atspi/accessible/7';

function eraAfter(restarts: number): IdEra {
  const era = new IdEra();
  for (let i = 0; i < restarts; i++) era.next();
  return era;
}

test.each([
  [0, PATH],
  [1, `1${PATH}`],
  [12, `12${PATH}`],
])('after %i restarts an id is given as %s and taken back', (restarts, given) => {
  const era = eraAfter(restarts);
  expect(era.out(PATH)).toBe(given);
  expect(era.in(given)).toBe(PATH);
  expect(era.in(`${given}#r3c4`)).toBe(`${PATH}#r3c4`);
  for (const other of [0, 1, 2, 12].filter((one) => one !== restarts)) {
    expect(() => era.in(eraAfter(other).out(PATH))).toThrow(expect.objectContaining({ code: 'stale_ref' }));
  }
});

test('windows keep their ids', () => {
  const era = eraAfter(3);
  expect([era.out('x:0x1a00007'), era.in('x:0x1a00007')]).toEqual(['x:0x1a00007', 'x:0x1a00007']);
});

test('a tree is marked through and through, and the driver keeps its own', () => {
  const common = { role: 'button', states: { enabled: true, visible: true }, patterns: [], platformIds: {} } as const;
  const child: Node = { ...common, id: PATH, labelId: ':1.5/label', patterns: [], children: [] };
  const root: Node = { ...common, id: 'x:0x1', patterns: [], children: [child] };
  const given = eraAfter(1).answer({ root, count: 2, calls: 0 }).root;
  expect([given.id, given.children[0]!.id, given.children[0]!.labelId]).toEqual(['x:0x1', `1${PATH}`, '1:1.5/label']);
  expect(root.children[0]!.id).toBe(PATH);
  expect(eraAfter(0).answer({ root, count: 2, calls: 0 }).root).toBe(root);
});
