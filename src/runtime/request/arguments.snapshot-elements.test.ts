import { describe, expect, it } from 'vitest';
import { elementOf, windowInfo } from '../../../tests/scenes/aims.js';
import { isElementInSnapshot, refInSnapshot } from './arguments.js';
import { SnapshotStore } from '../desktop/snapshot-store.js';

/** s33 has the button, as e2; s34 has nothing; s1 is no longer stored. */
function shelf(): SnapshotStore {
  const made = new SnapshotStore();
  made.continueFrom(32);
  const button = elementOf({ ref: 'e2', id: 'el-2', name: 'Delete' });
  for (const children of [[button], []]) {
    made.keep({
      ...{ schema: 1, untrusted: true, id: made.nextId(), takenAt: '' },
      ...{ driver: { kind: 'fake', name: 'fake', version: '1' }, scope: 'window', windows: [windowInfo()], count: 1 },
      roots: [elementOf({ ref: 'w1', id: 'win-1', role: 'window', children })],
    });
  }
  return made;
}

describe('an element of a snapshot', () => {
  it.each([
    ['s33', 'e2', 'e2'],
    [' s33 ', '@2', 'e2'],
    ['s33', 'el-2', 'e2'],
    ['s34', 'w1', 'w1'],
  ])('%s, %s is %s', (snapshotId, elementId, ref) => {
    expect(refInSnapshot(shelf(), { snapshotId, elementId })).toBe(ref);
  });

  it.each([
    ['s34', 'e2', 'element_not_found', 'There was no element "e2" in the snapshot "s34".'],
    ['s33', 'button:Delete', 'element_not_found', 'There was no element "button:Delete" in the snapshot "s33".'],
    ['s1', 'e2', 'stale_ref', 'The snapshot "s1" is no longer stored.'],
    ['s35', 'e2', 'element_not_found', 'There is no snapshot "s35".'],
    ['w1', 'e2', 'element_not_found', 'There is no snapshot "w1".'],
  ])('%s, %s is refused: %s', (snapshotId, elementId, code, message) => {
    expect(() => refInSnapshot(shelf(), { snapshotId, elementId })).toThrow(expect.objectContaining({ code, message }));
  });

  it.each([
    [{ snapshotId: 's1', elementId: 'e1' }, true],
    [{ snapshotId: 's1' }, false],
    [{ snapshotId: 's1', elementId: 1 }, false],
    [{ snapshotId: 's1', elementId: 'e1', window: 'w1' }, false],
    [['s1', 'e1'], false],
    ['e1', false],
    [null, false],
  ])('%j: %s', (value, is) => expect(isElementInSnapshot(value)).toBe(is));
});
