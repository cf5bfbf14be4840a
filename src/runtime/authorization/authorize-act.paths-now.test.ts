import { expect, it } from 'vitest';
import { aimAt, elementOf, targetOf, windowInfo } from '../../../tests/scenes/aims.js';
import { Deadline } from '../../shared/index.js';
import type { Element, Snapshot } from '../../tree/index.js';
import type { ActionPlan } from '../act/action.js';
import type { CallView } from '../visibility/call-view.js';
import type { Target } from '../locate/target.js';
import { SnapshotStore } from '../desktop/snapshot-store.js';
import { refreshPaths } from './authorize-act.js';

// A word in a button that was called otherwise when the word was found.

const word = elementOf({ ref: 'e3', id: 'el-3', role: 'text', name: 'forever' });
const buttonCalled = (name: string): Element => elementOf({ ref: 'e2', id: 'el-2', name, children: [word] });
const windowWith = (button: Element): Element =>
  elementOf({ ref: 'w1', id: 'win-1', role: 'window', children: [button] });

function snapshotOf(root: Element, id: string): Snapshot {
  return {
    ...{ schema: 1, untrusted: true, id, takenAt: '', driver: { kind: 'fake', name: 'fake', version: '1' } },
    ...{ scope: 'window', windows: [windowInfo()], roots: [root], count: 3 },
  };
}

const then = windowWith(buttonCalled('Keep'));
const found = (how: Target['how']): Target =>
  targetOf({}, { element: word, path: [then, then.children[0]!], ...(how && { how }) });

/** Its ancestors after a snapshot that has it under another name, or does not have it. */
async function namesNow(plan: ActionPlan, seenNow: 'it' | 'another window'): Promise<(string | undefined)[]> {
  const snapshots = new SnapshotStore();
  const now = snapshots.keep(snapshotOf(windowWith(buttonCalled('Erase')), 's1'));
  const seen = seenNow === 'it' ? now : { windows: now.windows, roots: [windowWith(buttonCalled('Other'))] };
  const { target, onto, lands, end } = await refreshPaths(
    { snapshots } as unknown as CallView,
    plan,
    Deadline.in(5_000),
    seen,
  );
  return [target, onto, lands?.target, end?.lands?.target].flatMap((one) => (one ? [one.path.at(-1)!.name] : []));
}

it.each<[string, Target['how'], 'it' | 'another window', string]>([
  ['by its selector: as it is called now', 'name', 'it', 'Erase'],
  [
    'by its selector, in a window that the snapshot does not cover: as it was read on the way',
    'name',
    'another window',
    'Keep',
  ],
  ['by its ref: as it is called now', 'id', 'it', 'Erase'],
  ['by its ref, however old its latest snapshot', 'id', 'another window', 'Erase'],
])('what was found %s', async (_, how, seen, name) => {
  expect(await namesNow(aimAt({}, { target: found(how) }), seen)).toEqual([name]);
});

it('every end of an act, and what lies there', async () => {
  const lands = { target: found('id') };
  const plan = aimAt({}, { target: found('id'), onto: found('id'), lands, end: { lands } });
  expect(await namesNow(plan, 'it')).toEqual(['Erase', 'Erase', 'Erase', 'Erase']);
});

it('an element that no snapshot has stays unchanged, and so does one without ancestors', async () => {
  const unknown = targetOf({ ref: 'e9', id: 'el-9' });
  const plan = aimAt({}, { target: unknown, lands: {} });
  const snapshots = new SnapshotStore();
  const seen = { windows: [windowInfo()], roots: [] };
  expect(await refreshPaths({ snapshots } as unknown as CallView, plan, Deadline.in(5_000), seen)).toEqual(plan);
});
