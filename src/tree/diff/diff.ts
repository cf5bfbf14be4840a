import {
  entriesOf,
  type Entry,
  hasUnread,
  placeOf,
  withCellsOf,
  isReportedByRow,
  previousValueText,
} from './entries.js';
import type { Element } from '../element.js';
import { snapshotViews } from '../render/render.js';
import type { View, ViewOptions } from '../render/view.js';
import { ITEM_ROLES } from '../roles/roles.js';
import type { Snapshot } from '../snapshot.js';

export interface Change {
  kind: 'new' | 'gone' | 'changed';
  /** `e12`, or `e80!B2` for a cell of a sheet. */
  ref: string;
  /** The element now, or the last known one if it is gone. */
  element: Element;
  before?: Element;
  /** What it was, as printed. */
  was?: string;
  /** The nearest printed ancestor. */
  in?: string;
  /** The window or root that contains it. */
  root: string;
  /** Steps below the topmost new (or gone) element. */
  level: number;
  /** How it is printed; not for programs. */
  view: View;
  /** How it was printed before. */
  old?: View;
  /** A cell whose row reports the change: it has no line of its own. */
  inRow?: true;
  cell?: { address: string; text: string };
}

export interface SnapshotDiff {
  from: string;
  to: string;
  /** In the order of the new tree; elements that are gone come last, in the old order. */
  changes: Change[];
  added: number;
  gone: number;
  changed: number;
  same: number;
  /** Why the list may be incomplete; absent if it is complete. */
  inexact?: string;
}

function changeOf(kind: Change['kind'], entry: Entry, others: ReadonlySet<string>): Change {
  let level = 0;
  let root = entry;
  for (let at = entry.parent; at; at = at.parent) {
    // Counts only steps within new or gone elements.
    if (kind !== 'changed' && level === entry.depth - at.depth - 1 && !others.has(at.key)) level += 1;
    root = at;
  }
  const { view, cell } = entry;
  const change: Change = { kind, ref: entry.key, element: view.element, root: root.key, level, view };
  const place = placeOf(entry);
  if (place !== undefined) change.in = place;
  if (cell) change.cell = cell;
  return change;
}

function whyInexact(old: Snapshot, now: Snapshot, views: readonly View[][]): string | undefined {
  if (old.scope !== now.scope) return `${old.id} is a snapshot of something else`;
  if (old.scope !== 'desktop' && old.roots[0]?.ref !== now.roots[0]?.ref) return `${old.id} is of something else`;
  if (old.degraded ?? now.degraded) return 'something could not be read';
  return views.some(hasUnread) ? 'not everything was read' : undefined;
}

function collect(element: Element, into: Map<string, Element>): void {
  into.set(element.ref, element);
  for (const child of element.children) collect(child, into);
}

/**
 * An element that is no longer printed because it was scrolled out of view, as it is now. It is in the new tree, or it
 * is an item of a list or table that shows other ones of the same number of items.
 */
function stillThere(
  { key, view, parent }: Entry,
  elementsNow: ReadonlyMap<string, Element>,
  newByKey: ReadonlyMap<string, Entry>,
): Element | undefined {
  const inTree = elementsNow.get(key);
  if (inTree) return inTree.states.offscreen ? inTree : undefined;
  const container = parent && newByKey.get(parent.key)?.view.element;
  if (!container || !ITEM_ROLES.has(view.element.role)) return undefined;
  const [was, is] = [sizeOf(parent.view.element), sizeOf(container)];
  const scrolled = was && is && was.total === is.total && was.first !== is.first;
  return scrolled ? { ...view.element, states: { ...view.element.states, offscreen: true } } : undefined;
}

/** The number of items, and the first one on the screen; undefined if either is not known. */
function sizeOf({ table, items }: Element): { total: number; first: number } | undefined {
  if (table?.shown) return { total: table.rows, first: table.shown.rows[0] };
  return items?.shown && { total: items.total, first: items.shown[0] };
}

/** The difference between two snapshots, as far as the text for models distinguishes elements. */
export function diffSnapshots(old: Snapshot, now: Snapshot, options: ViewOptions = {}): SnapshotDiff {
  const views = [snapshotViews(old, options), snapshotViews(now, options)] as const;
  const [printed, printedNow] = [entriesOf(views[0]), entriesOf(views[1])];
  const [before, after] = [withCellsOf(printedNow, printed), withCellsOf(printed, printedNow)];
  const oldByKey = new Map(before.map((entry) => [entry.key, entry]));
  const oldKeys = new Set(oldByKey.keys());
  const newByKey = new Map(after.map((entry) => [entry.key, entry]));
  const newKeys = new Set(newByKey.keys());
  const elementsNow = new Map<string, Element>();
  for (const root of now.roots) collect(root, elementsNow);
  const diff: SnapshotDiff = { from: old.id, to: now.id, changes: [], added: 0, gone: 0, changed: 0, same: 0 };
  for (const entry of after) {
    const earlier = oldByKey.get(entry.key);
    const was = earlier ? previousValueText(earlier, entry) : '';
    if (!earlier) {
      diff.added += 1;
      diff.changes.push(changeOf('new', entry, oldKeys));
    } else if (was === '') diff.same += 1;
    else {
      diff.changed += 1;
      const change: Change = { ...changeOf('changed', entry, oldKeys), before: earlier.view.element, was };
      diff.changes.push({ ...change, old: earlier.view, ...(isReportedByRow(earlier, entry) && { inRow: true }) });
    }
  }
  for (const entry of before) {
    if (newKeys.has(entry.key)) continue;
    const there = entry.cell ? undefined : stillThere(entry, elementsNow, newByKey);
    if (there) {
      diff.changed += 1;
      const change = changeOf('changed', { ...entry, view: { ...entry.view, element: there } }, newKeys);
      diff.changes.push({ ...change, before: entry.view.element, old: entry.view, was: 'on screen' });
      continue;
    }
    diff.gone += 1;
    diff.changes.push(changeOf('gone', entry, newKeys));
  }
  const inOrder = (entries: readonly Entry[], others: ReadonlySet<string>): string[] =>
    entries.filter(({ key, view }) => others.has(key) && !view.inRow).map(({ key }) => key);
  const stayed = inOrder(before, newKeys);
  const moved = inOrder(after, oldKeys).some((key, at) => key !== stayed[at]);
  const inexact = whyInexact(old, now, [views[0], views[1]]) ?? (moved ? 'elements changed places' : undefined);
  if (inexact) diff.inexact = inexact;
  return diff;
}
