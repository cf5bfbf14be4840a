import type { Element } from '../element.js';
import type { Box } from '../geometry.js';
import { cellText, isCut, joinCells, quote, QUOTE_LIMIT } from '../quote.js';
import type { Role } from '../roles/roles.js';
import type { WindowInfo } from '../snapshot.js';
import { type CellPart, isDrawn, type SheetRow, type View } from './view.js';

export interface LineOptions {
  /** Characters of a name or value; 0 leaves names out. */
  limit?: number;
  bounds?: boolean;
  /** In a diff: leaves out what never changes (limits of a range, a window's app and owner). */
  brief?: boolean;
  /** More notes for the brackets at the end, after the element's own. */
  notes?: string[];
}

function boundsText(box: Box): string {
  return `@${box.x},${box.y} ${box.width}x${box.height}`;
}

function quoted(text: string, limit: number): string[] {
  return text === '' || limit === 0 ? [] : [quote(text, limit)];
}

/** Cut text gets a ref so that the rest can be read. */
function refOf(view: View, limit: number): string[] {
  if (view.ref !== undefined) return [view.ref];
  return view.role !== 'more' && isCut(view.name, limit) ? [view.element.ref] : [];
}

/** `: "ada@"`, `: 212`, `: filled`, or nothing. */
export function valueText(view: View, limit = QUOTE_LIMIT): string {
  const { element } = view;
  if (isSecret(element)) return element.states.filled ? 'filled' : '';
  const { value } = element;
  if (value === undefined || limit === 0) return '';
  if (typeof value === 'number') return String(value);
  // Empty fields are common and not worth printing, except for the field that would get the next keys.
  if (value === '') return element.states.focused && element.states.editable !== false ? '""' : '';
  return value.trim() === view.name ? '' : quote(value, limit);
}

export function errorNote(view: View, limit = QUOTE_LIMIT): string[] {
  return view.element.error ? [`error: ${quote(view.element.error, limit || 1)}`] : [];
}

function rangeNote(view: View): string[] {
  const { min, max } = view.element.range ?? {};
  if (min !== undefined && max !== undefined) return [`${min} to ${max}`];
  if (min !== undefined) return [`from ${min}`];
  return max === undefined ? [] : [`up to ${max}`];
}

/** Words between the name and the value. */
export function attributes(view: View): string[] {
  const level = view.element.role === 'heading' && view.element.level ? [`level ${view.element.level}`] : [];
  // The focused cell already reports the focus of its sheet.
  const states = stateWords(view.element).filter((word) => word !== 'focused' || !view.sheet?.focused);
  return [...level, ...states];
}

/** Absence of elements is no absence of content. */
const DRAWN = 'drawn: no elements inside; use ui_capture, keys, ui_click_xy';

function drawnNote({ element }: View): string[] {
  return isDrawn(element) ? [DRAWN] : [];
}

export function hasNotes(view: View): boolean {
  return view.element.error !== undefined || isDrawn(view.element) || rangeNote(view).length > 0;
}

function lineEnd(view: View, options: LineOptions, own: string[]): string {
  const notes = [...own, ...(options.notes ?? [])];
  const brackets = notes.length > 0 ? ` (${notes.join(', ')})` : '';
  const bounds = options.bounds && view.element.bounds ? ` ${boundsText(view.element.bounds)}` : '';
  return brackets + bounds;
}

/** One element on a line, without its indent. */
export function lineText(view: View, options: LineOptions = {}): string {
  const { limit = QUOTE_LIMIT } = options;
  if (view.window) return windowText(view, view.window, options);
  if (view.cells) return rowText(view, options);
  const head = [...refOf(view, limit), view.role, ...quoted(view.name, limit), ...attributes(view)];
  if (view.table) return head.join(' ') + tableText(view, limit, options);
  if (view.sheet) return head.join(' ') + sheetText(view) + lineEnd(view, options, []);
  const value = valueText(view, limit);
  const notes = [...(options.brief ? [] : [...rangeNote(view), ...drawnNote(view)]), ...errorNote(view, limit)];
  return head.join(' ') + (value ? `: ${value}` : '') + lineEnd(view, options, notes);
}

/** Program names are usually plain. Others are quoted, because they could be mistaken for our own words. */
function appText(app: string, limit: number): string {
  return /^[\w.+@-]+$/.test(app) && app.length <= limit ? app : quote(app, limit);
}

function windowText(view: View, window: WindowInfo, options: LineOptions): string {
  const { limit = QUOTE_LIMIT } = options;
  if (options.brief) return [view.ref ?? '', view.role, ...quoted(view.name, limit), ...attributes(view)].join(' ');
  const app = window.app && limit > 0 ? [`(${appText(window.app, limit)})`] : [];
  const of = window.of ? `, of ${[window.of, ...quoted(window.ofTitle ?? '', limit > 6 ? limit : 0)].join(' ')}` : '';
  const own: string[] = [];
  if (window.minimised) own.push('minimised');
  if (window.hung) own.push('not responding');
  if (window.hasTree === false) own.push('no accessibility tree');
  const head = [view.ref ?? '', view.role, ...quoted(view.name, limit), ...app, ...attributes(view)].join(' ');
  return head + of + lineEnd(view, options, own);
}

/** ` 200 rows, 1-24 on screen`; for a sheet, the part on screen and the focused cell. */
export function sizeText(view: View): string {
  if (view.sheet) return sheetText(view);
  const { rows = 0, shown } = view.table ?? {};
  const size = ` ${rows} ${rows === 1 ? 'row' : 'rows'}`;
  return size + (shown ? `, ${shown[0]}-${shown[1]} on screen` : '');
}

function tableText(view: View, limit: number, options: LineOptions): string {
  const { headers = [] } = view.table ?? {};
  const names = headers.map((header) => cellText(header, limit));
  // A folded table prints only its size; its columns are printed when it is opened.
  const columns = names.some(Boolean) && !options.notes?.length ? `: ${joinCells(names).slice(2)}` : '';
  return sizeText(view) + columns + lineEnd(view, options, []);
}

function sheetText(view: View): string {
  const { rows = 0, columns = 0, shown, focused, filled = [] } = view.sheet ?? {};
  const cells = filled.reduce((sum, row) => sum + row.cells.length, 0);
  const count = cells === 0 ? 'no cells filled' : `${cells} ${cells === 1 ? 'cell' : 'cells'} filled`;
  return [
    ` ${rows} x ${columns}`,
    ...(shown ? [`${shown} on screen`] : []),
    count,
    ...(focused ? [`${focused} focused`] : []),
  ].join(', ');
}

export function sheetRowText(row: SheetRow, limit = QUOTE_LIMIT): string {
  return `${row.row} ${joinCells(row.cells.map(({ column, text }) => `${column}: ${cellText(text, limit)}`))}`;
}

function partText(part: CellPart, limit: number): string {
  return typeof part === 'string' ? cellText(part, limit) : lineText(part, { limit }).replaceAll('|', '\\|');
}

export function rowText(view: View, options: LineOptions = {}): string {
  const { limit = QUOTE_LIMIT } = options;
  const cells = (view.cells ?? []).map((cell) => cell.map((part) => partText(part, limit || 1)).join(' '));
  const states = stateWords(view.element).join(' ');
  return `${view.ref ?? ''} ${joinCells(states ? [...cells, states] : cells)}`.trimEnd() + lineEnd(view, options, []);
}

/** One element of a run: the role is printed once, at the start of the run. */
function runItem(view: View, options: LineOptions = {}): string {
  const { limit = QUOTE_LIMIT } = options;
  const bounds = options.bounds && view.element.bounds ? [boundsText(view.element.bounds)] : [];
  return [...refOf(view, limit), ...quoted(view.name, limit), ...attributes(view), ...bounds].join(' ');
}

export function runText(views: readonly View[], options: LineOptions = {}): string {
  if (views.length === 1 && views[0]) return lineText(views[0], options);
  return `${views[0]?.role} ${views.map((view) => runItem(view, options)).join(', ')}`;
}

/** Read-only is worth printing where a user could expect to write. */
const WRITABLE: ReadonlySet<Role> = new Set([
  'textbox',
  'searchbox',
  'passwordbox',
  'combobox',
  'spinbutton',
  'slider',
  'checkbox',
]);

/** The printed states, in printing order. */
export function stateWords(element: Element): string[] {
  const { states, role } = element;
  const words: string[] = [];
  const addIf = (word: string, when: boolean | undefined): void => {
    if (when === true) words.push(word);
  };
  addIf('focused', states.focused);
  addIf('active', states.active);
  addIf('modal', states.modal);
  addIf('disabled', !states.enabled);
  addIf('readonly', states.readonly === true && WRITABLE.has(role));
  addIf('required', states.required);
  addIf('invalid', states.invalid);
  addIf('checked', states.checked === true);
  addIf('mixed', states.checked === 'mixed' || states.pressed === 'mixed');
  addIf('selected', states.selected);
  addIf('pressed', states.pressed === true);
  addIf('expanded', states.expanded === true);
  addIf('collapsed', states.expanded === false);
  addIf('busy', states.busy);
  addIf('offscreen', states.offscreen === true || !states.visible);
  addIf('secret', isSecret(element));
  return words;
}

export function isSecret(element: Element): boolean {
  return element.states.secret === true || element.role === 'passwordbox';
}
