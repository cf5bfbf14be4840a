import { expect, it } from 'vitest';
import type { Node } from './element.js';
import { Refs } from './refs.js';

function node(id: string, children: Node[] = []): Node {
  const states = { enabled: true, visible: true };
  const role = id === 'root' ? 'window' : 'button';
  return { id, role, name: role, states, patterns: [], platformIds: {}, children };
}

/** Reads the elements; returns whether the last one is similar to one that just disappeared. */
function isRecreated(...shown: { ids: string[]; after?: number }[]): boolean {
  let now = 10_000;
  const refs = new Refs(1_000, () => now);
  let last = '';
  for (const [at, { ids, after = 0 }] of shown.entries()) {
    now += after;
    const read = { snapshot: `s${at}`, root: 'window', whole: true } as const;
    const root = refs.adopt(
      node(
        'root',
        ids.map((id) => node(id)),
      ),
      'win',
      read,
    );
    last = root.children.at(-1)?.ref ?? '';
  }
  return refs.isRecreated(last);
}

it.each<[string, boolean, Parameters<typeof isRecreated>]>([
  ['the first one', false, [{ ids: ['a'] }]],
  ['a similar one beside it', false, [{ ids: ['a'] }, { ids: ['a', 'b'] }]],
  ['a similar one in its place', true, [{ ids: ['a'] }, { ids: ['b'] }]],
  ['a similar one a moment later', true, [{ ids: ['a'] }, { ids: [] }, { ids: ['b'], after: 1_000 }]],
  ['a similar one long after', false, [{ ids: ['a'] }, { ids: [] }, { ids: ['b'], after: 3_000 }]],
  ['the same one after it was out of view', false, [{ ids: ['a'] }, { ids: [] }, { ids: ['a'], after: 100 }]],
])('%s is recreated: %s', (_, recreated, shown) => expect(isRecreated(...shown)).toBe(recreated));
