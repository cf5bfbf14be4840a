import { expect, test } from 'vitest';
import type { Node } from '../../../tree/index.js';
import { IdGeneration } from './reconnect.js';

const PATH = ':1.5/org/a11y/atspi/accessible/7';

function generationAfter(restarts: number): IdGeneration {
  const generation = new IdGeneration();
  for (let i = 0; i < restarts; i++) generation.next();
  return generation;
}

test.each([
  [0, PATH],
  [1, `1${PATH}`],
  [12, `12${PATH}`],
])('after %i restarts an id is exposed as %s and resolved again', (restarts, given) => {
  const generation = generationAfter(restarts);
  expect(generation.toPublicId(PATH)).toBe(given);
  expect(generation.toBusId(given)).toBe(PATH);
  expect(generation.toBusId(`${given}#r3c4`)).toBe(`${PATH}#r3c4`);
  for (const other of [0, 1, 2, 12].filter((one) => one !== restarts)) {
    expect(() => generation.toBusId(generationAfter(other).toPublicId(PATH))).toThrow(
      expect.objectContaining({ code: 'stale_ref' }),
    );
  }
});

test('keeps the ids of windows', () => {
  const generation = generationAfter(3);
  expect([generation.toPublicId('x:0x1a00007'), generation.toBusId('x:0x1a00007')]).toEqual([
    'x:0x1a00007',
    'x:0x1a00007',
  ]);
});

test("marks all ids of a tree and leaves the driver's own tree unchanged", () => {
  const common = { role: 'button', states: { enabled: true, visible: true }, patterns: [], platformIds: {} } as const;
  const child: Node = { ...common, id: PATH, labelId: ':1.5/label', patterns: [], children: [] };
  const root: Node = { ...common, id: 'x:0x1', patterns: [], children: [child] };
  const given = generationAfter(1).publicAnswer({ root, count: 2, calls: 0 }).root;
  expect([given.id, given.children[0]!.id, given.children[0]!.labelId]).toEqual(['x:0x1', `1${PATH}`, '1:1.5/label']);
  expect(root.children[0]!.id).toBe(PATH);
  expect(generationAfter(0).publicAnswer({ root, count: 2, calls: 0 }).root).toBe(root);
});
