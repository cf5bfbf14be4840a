import { cellText } from './quote.js';
import { isPlain } from './render/traits.js';
import type { View } from './render/view.js';

/** An element of a printed look, in tree order. A sheet's filled cells count as elements. */
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

/** The words of a row's cell; controls in it are elements of their own. */
export function wordsOfCell(view: View, column: number): string {
  const parts = view.cells?.[column] ?? [];
  return parts.map((part) => (typeof part === 'string' ? cellText(part) : part.element.ref)).join(' ');
}

export function hasUnread(views: readonly View[]): boolean {
  return views.some((view) => view.unread > 0 || hasUnread(view.children));
}

/** Where a reader can look for it: the nearest printed element above that has a ref. */
export function placeOf(entry: Entry): string | undefined {
  for (let at = entry.parent; at; at = at.parent) if (at.view.ref !== undefined) return at.view.ref;
  return undefined;
}

export function isWords(view: View): boolean {
  return isPlain(view.element);
}
