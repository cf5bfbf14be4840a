import { DesktopError } from '../shared/index.js';
import type { SnapshotShelf } from './snapshot-shelf.js';

/** What programs may write where a ref goes: an element of one look, by its ref or by its id there. */
export interface ElementInSnapshot {
  snapshotId: string;
  elementId: string;
}

export function isElementInSnapshot(value: unknown): value is ElementInSnapshot {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 2) return false;
  const { snapshotId, elementId } = value as Partial<ElementInSnapshot>;
  return typeof snapshotId === 'string' && typeof elementId === 'string';
}

/** Its ref. What that means now is found out as of any other ref. */
export function refInSnapshot(shelf: SnapshotShelf, { snapshotId, elementId }: ElementInSnapshot): string {
  const id = snapshotId.trim();
  const [look, element] = [asked(id), asked(elementId)];
  if (shelf.get(id)) {
    const ref = shelf.refIn(id, elementId);
    if (ref !== undefined) return ref;
    throw new DesktopError('element_not_found', `There was no element ${element} in the snapshot ${look}.`, {
      hint: 'give a ref or an id of that very look.',
    });
  }
  const given = Number(/^s([1-9]\d{0,14})$/.exec(id)?.[1] ?? Infinity);
  const hint = 'look again: ui_snapshot.';
  if (given > shelf.given) throw new DesktopError('element_not_found', `There is no snapshot ${look}.`, { hint });
  throw new DesktopError('stale_ref', `The snapshot ${look} is forgotten.`, { retry: 'no', hint });
}

const asked = (text: string): string => JSON.stringify(text.slice(0, 40));
