import type { Element } from '../element.js';
import { isPlain } from '../render/traits.js';
import type { View } from '../render/view.js';

/** An element of a printed snapshot, in tree order. Filled cells of a sheet count as elements. */
export interface Entry {
  key: string;
  view: View;
  parent?: Entry;
  depth: number;
  cell?: { address: string; text: string };
}

export function entriesOf(views: readonly View[], parent?: Entry): Entry[] {
  const depth = parent ? parent.depth + 1 : 0;
  return views.flatMap((view) => {
    if (view.placeholder) return [];
    const entry: Entry = { key: view.element.ref, view, depth };
    if (parent) entry.parent = parent;
    const cells = (view.sheet?.filled ?? []).flatMap((row) => row.cells);
    const cellEntries = cells.map(({ address, text }): Entry => {
      return { key: `${entry.key}!${address}`, view, parent: entry, depth: depth + 1, cell: { address, text } };
    });
    return [entry, ...cellEntries, ...entriesOf(view.children, entry)];
  });
}

/** The text of a row's cell; controls in it are elements of their own. */
export function wordsOfCell(view: View, column: number): string {
  const words = (view.cells?.[column] ?? []).map((part) => {
    if (typeof part === 'string') return part.trim();
    return part.inRow ? part.name : '';
  });
  return words.filter(Boolean).join(' ');
}

/**
 * A cell has an entry of its own only while it is focused; before and after, it is text of its row. Adds entries for
 * such cells that only the other snapshot has.
 */
export function withCellsOf(others: readonly Entry[], entries: readonly Entry[]): Entry[] {
  const known = new Map(entries.map((entry) => [entry.key, entry]));
  const added = new Map<Entry, Entry[]>();
  for (const other of others) {
    if (!other.view.inRow || other.cell || known.has(other.key)) continue;
    const row = other.parent && known.get(other.parent.key);
    const same = row && asWords(other, row);
    if (same) added.set(row, [...(added.get(row) ?? []), same]);
  }
  return entries.flatMap((entry) => [entry, ...(added.get(entry) ?? [])]);
}

/** The entry for an element that has an entry only in the other snapshot and is text of `row` here. */
function asWords({ key, view, depth }: Entry, row: Entry): Entry | undefined {
  for (const [column, cell] of (row.view.cellElements ?? []).entries()) {
    const element = within(cell, key);
    if (!element) continue;
    const name = view.inRow === 'cell' ? wordsOfCell(row.view, column) : (element.name?.trim() ?? '');
    return { key, view: { ...view, element, name }, parent: row, depth };
  }
  return undefined;
}

function within(element: Element, ref: string): Element | undefined {
  if (element.ref === ref) return element;
  for (const child of element.children) {
    const found = within(child, ref);
    if (found) return found;
  }
  return undefined;
}

export function hasUnread(views: readonly View[]): boolean {
  return views.some((view) => view.unread > 0 || hasUnread(view.children));
}

/** Where a reader finds it: the nearest printed ancestor with a ref. */
export function placeOf(entry: Entry): string | undefined {
  for (let at = entry.parent; at; at = at.parent) if (at.view.ref !== undefined) return at.view.ref;
  return undefined;
}

export function isWords(view: View): boolean {
  return isPlain(view.element);
}
