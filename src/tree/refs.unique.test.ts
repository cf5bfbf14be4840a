import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Element, Node } from './element.js';
import { itemText } from './items.js';
import { Refs } from './refs.js';
import type { Role } from './roles/roles.js';

function node(id: string, role: Role, name: string | undefined, children: Node[]): Node {
  return { id, role, name, states: { enabled: true, visible: true }, patterns: [], platformIds: {}, children };
}

test('no ref ever refers to two elements, and every live element has one, for any sequence of snapshots', () => {
  const roles = fc.constantFrom<Role>('button', 'label', 'listitem', 'row', 'cell', 'group', 'link', 'treeitem');
  const ids = fc.constantFrom(...Array.from({ length: 12 }, (_, i) => `n${i}`));
  const { tree } = fc.letrec<{ tree: Node }>((tie) => ({
    tree: fc
      .record({
        id: ids,
        role: roles,
        name: fc.constantFrom(undefined, 'Ada', 'Bob', 'Delete'),
        children: fc.oneof({ depthSize: 'small' }, fc.constant<Node[]>([]), fc.array(tie('tree'), { maxLength: 4 })),
      })
      .map(({ id, role, name, children }) => node(id, role, name, children)),
  }));
  fc.assert(
    fc.property(
      fc.array(fc.record({ trees: fc.array(tree, { maxLength: 4 }), whole: fc.boolean() }), { maxLength: 8 }),
      (looks) => {
        const refs = new Refs();
        const meanings = new Map<string, string>();
        looks.forEach(({ trees, whole }, index) => {
          const root = refs.adopt(node('root', 'window', 'W', trees), 'w', {
            snapshot: `s${index}`,
            root: 'window',
            whole,
          });
          const visit = (element: Element, items: string[]): void => {
            const isItem = ['listitem', 'row', 'treeitem'].includes(element.role);
            const inside = isItem ? [...items, itemText(element)] : items;
            const meaning = JSON.stringify([element.id, element.role, inside]);
            expect(meanings.get(element.ref) ?? meaning).toBe(meaning);
            meanings.set(element.ref, meaning);
            expect(refs.lookup(element.ref).state).not.toBe('never');
            for (const child of element.children) visit(child, inside);
          };
          visit(root, []);
        });
      },
    ),
    { numRuns: 500 },
  );
});
