import { expect, it } from 'vitest';
import { elementOf, windowInfo } from '../../../tests/scenes/aims.js';
import type { Element, Snapshot } from '../../tree/index.js';
import { SnapshotStore } from './snapshot-store.js';

const leaf = elementOf({ ref: 'e3', id: 'el-3', role: 'text', name: 'forever' });
const button = elementOf({ ref: 'e2', id: 'el-2', name: 'Delete', children: [leaf] });
const bare = elementOf({ ...button, children: [] });
const window = (...children: Element[]): Element => elementOf({ ref: 'w1', id: 'win-1', role: 'window', children });

function shelved(...looks: [Snapshot['scope'], Element][]): SnapshotStore {
  const snapshots = new SnapshotStore();
  for (const [scope, root] of looks) {
    const id = snapshots.nextId();
    snapshots.keep({
      ...{ schema: 1, untrusted: true, id, takenAt: '', driver: { kind: 'fake', name: 'fake', version: '1' } },
      ...{ scope, windows: [windowInfo()], roots: [root], count: 1 },
    });
  }
  return snapshots;
}

it.each<[string, [Snapshot['scope'], Element][], string[] | undefined]>([
  ['from a snapshot of its window', [['window', window(button)]], ['w1', 'e2', 'e3']],
  [
    'from the window, not from a later partial snapshot',
    [
      ['window', window(button)],
      ['element', button],
    ],
    ['w1', 'e2', 'e3'],
  ],
  [
    'through a partial snapshot that alone contains it',
    [
      ['window', window(bare)],
      ['element', button],
    ],
    ['w1', 'e2', 'e3'],
  ],
  ['from a partial snapshot if no other contains it', [['element', button]], ['e2', 'e3']],
  ['as undefined for an unknown element', [['window', window(bare)]], undefined],
])('returns the path %s', (_, looks, way) => {
  expect(
    shelved(...looks)
      .pathOf('e3')
      ?.map(({ ref }) => ref),
  ).toEqual(way);
});

it('returns the path from the newest snapshot', () => {
  const renamed = elementOf({ ...button, name: 'Erase' });
  const path = shelved(['window', window(button)], ['window', window(renamed)]).pathOf('e3');
  expect(path?.map(({ name }) => name)).toContain('Erase');
});
