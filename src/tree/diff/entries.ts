import type { Element } from '../element.js';
import { isPlainText, type View } from '../render/view.js';
import { quote } from '../quote.js';
import { attributes, errorNote, isSecret, lineText, sizeText, stateWords, valueText } from '../render/line.js';

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
function cellTextOf(view: View, column: number): string {
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
    const same = row && entryInRow(other, row);
    if (same) added.set(row, [...(added.get(row) ?? []), same]);
  }
  return entries.flatMap((entry) => [entry, ...(added.get(entry) ?? [])]);
}

/** The entry for an element that has an entry only in the other snapshot and is text of `row` here. */
function entryInRow({ key, view, depth }: Entry, row: Entry): Entry | undefined {
  for (const [column, cell] of (row.view.cellElements ?? []).entries()) {
    const element = findByRef(cell, key);
    if (!element) continue;
    const name = view.inRow === 'cell' ? cellTextOf(row.view, column) : (element.name?.trim() ?? '');
    return { key, view: { ...view, element, name }, parent: row, depth };
  }
  return undefined;
}

function findByRef(element: Element, ref: string): Element | undefined {
  if (element.ref === ref) return element;
  for (const child of element.children) {
    const found = findByRef(child, ref);
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

export function isText(view: View): boolean {
  return isPlainText(view.element);
}

/** The word for an element without that state. */
const OPPOSITES: Record<string, string> = {
  disabled: 'enabled',
  readonly: 'writable',
  required: 'optional',
  invalid: 'valid',
  checked: 'unchecked',
  offscreen: 'on screen',
};
/** One state replaces the other, so the old one is enough. */
const EXCLUSIVE_PAIRS: Record<string, string> = {
  checked: 'mixed',
  mixed: 'checked',
  expanded: 'collapsed',
  collapsed: 'expanded',
};

/** Words about the focus. They are no change of the element itself. */
const FOCUS_WORDS: ReadonlySet<string> = new Set(['focused', 'active', 'not focused', 'not active']);

function statesWere(before: View, now: View): string[] {
  const old = stateWords(before.element);
  const fresh = stateWords(now.element);
  const lost = old.filter((word) => !fresh.includes(word));
  const gained = fresh.filter((word) => !old.includes(word) && !lost.includes(EXCLUSIVE_PAIRS[word] ?? ''));
  return [...lost, ...gained.map((word) => OPPOSITES[word] ?? `not ${word}`)];
}

function rawValue(view: View): string {
  const { value } = view.element;
  if (isSecret(view.element)) return view.element.states.filled ? 'filled' : 'empty';
  if (value === undefined || value === '' || isText(view)) return '""';
  return typeof value === 'number' ? String(value) : quote(value);
}

function nameWas(before: View, now: View): string[] {
  if (before.name === now.name) return [];
  if (isText(now)) return [quote(before.name)];
  return [before.name ? `named ${quote(before.name)}` : 'unnamed'];
}

function cellsWere(before: View, now: View, headers: readonly string[]): string[] {
  const columns = Math.max(before.cells?.length ?? 0, now.cells?.length ?? 0);
  return Array.from({ length: columns }, (_, column) => column).flatMap((column) => {
    const old = cellTextOf(before, column);
    // A cell with an entry of its own is reported there.
    if (old === cellTextOf(now, column) || hasOwnEntry(before, column) || hasOwnEntry(now, column)) return [];
    const header = headers[column];
    return [header ? `${quote(header)}: ${quote(old)}` : quote(old)];
  });
}

const hasOwnEntry = (view: View, column: number): boolean =>
  view.cells?.[column]?.some((part) => typeof part !== 'string' && part.inRow === 'cell') === true;

function tableWas(before: View, now: View): string[] {
  const [old, fresh] = [before.table, now.table];
  const rows = old && fresh && old.rows !== fresh.rows ? [`${old.rows} rows`] : [];
  const seen = (view: View): string => (view.table?.shown ?? []).join('-');
  const shown = old && fresh && seen(before) !== seen(now) ? [`${seen(before) || 'all rows'} on screen`] : [];
  const { sheet: oldSheet } = before;
  const part = oldSheet && oldSheet.shown !== now.sheet?.shown ? [`${oldSheet.shown ?? 'nothing'} on screen`] : [];
  return [...rows, ...shown, ...part];
}

function sheetFocusWas({ sheet: old }: View, { sheet: now }: View): string[] {
  return old && old.focused !== now?.focused ? [`${old.focused ?? 'nothing'} focused`] : [];
}

/** Whether nothing printed differs except where the focus is, and which window is active. */
export function isFocusOnly(before: Entry, now: Entry): boolean {
  return previousValueText(before, now, true) === '';
}

/** The element's previous state, in the words of a line; empty if it is the same. */
export function previousValueText(before: Entry, now: Entry, withoutFocus = false): string {
  if (before.cell && now.cell) return before.cell.text === now.cell.text ? '' : quote(before.cell.text);
  const [old, fresh] = [before.view, now.view];
  const role = old.role === fresh.role ? [] : [old.role];
  const states = statesWere(old, fresh).filter((word) => !withoutFocus || !FOCUS_WORDS.has(word));
  const words = [...role, ...nameWas(old, fresh), ...states];
  const headers = before.parent?.view.table?.headers ?? [];
  const sheetFocus = withoutFocus ? [] : sheetFocusWas(old, fresh);
  const more = [...cellsWere(old, fresh, headers), ...tableWas(old, fresh), ...sheetFocus];
  if (placeOf(before) !== placeOf(now)) more.push(`in ${placeOf(before) ?? 'the desktop'}`);
  const level = old.element.level === fresh.element.level ? [] : [`level ${old.element.level ?? 0}`];
  const valueChanged = rawValue(old) !== rawValue(fresh);
  const value = valueChanged ? (words.length > 0 ? `: ${rawValue(old)}` : rawValue(old)) : '';
  const error = errorNote(old)[0] !== errorNote(fresh)[0] && words.length === 0 && !valueChanged;
  const errorWas = error ? [errorNote(old)[0] ?? 'without error'] : [];
  return [words.join(' ') + value, ...level, ...more, ...errorWas].filter(Boolean).join(', ');
}

/**
 * For a focused cell: whether its row, which was selected or deselected too, already reports everything that happened
 * to it.
 */
export function isReportedByRow(before: Entry, now: Entry): boolean {
  const [oldRow, row] = [before.parent?.view, now.parent?.view];
  if (!now.view.inRow || !oldRow || !row || before.view.name !== now.view.name) return false;
  const ofRow = statesWere(oldRow, row);
  const own = statesWere(before.view, now.view).filter((word) => word !== 'focused' && word !== 'not focused');
  return own.length > 0 && own.every((word) => ofRow.includes(word));
}

/** For the target of an act: leaves out what the first line of the answer already contains. */
export function shortText(before: View | undefined, now: View): string {
  const other = before && (before.role !== now.role || nameWas(before, now).length > 0);
  if (other || (before && cellsWere(before, now, []).length > 0)) return lineText(now, { brief: true });
  const value = valueText(now);
  const size = before && tableWas(before, now).length + sheetFocusWas(before, now).length > 0 ? sizeText(now) : '';
  const error = before && errorNote(before)[0] !== errorNote(now)[0] ? errorNote(now) : [];
  const head = [now.element.ref, ...(size ? attributes(now) : stateWords(now.element))].join(' ');
  return head + size + (value ? `: ${value}` : '') + error.map((note) => ` (${note})`).join('');
}
