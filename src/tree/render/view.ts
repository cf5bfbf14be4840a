import type { Element, Span } from '../element.js';
import type { WindowInfo } from '../snapshot.js';
import { STRUCTURE_ROLES, NAMED_BY_CONTENT, type Role } from '../roles/roles.js';

/**
 * The chain of real ancestors, including those that are not printed: a fold names the nearest one that contains all of
 * it.
 */
export interface Scope {
  element: Element;
  up?: Scope;
}

/** The content of a table cell, in order: text, and controls with their refs. */
export type CellPart = string | View;

interface TableView {
  headers: string[];
  rows: number;
  /** Rows that are printed or would be; absent if this is all of them. */
  shown?: Span;
}

export interface SheetRow {
  row: number;
  cells: { address: string; column: string; text: string }[];
}

export interface SheetView {
  rows: number;
  columns: number;
  /** `A1:K30`. */
  shown?: string;
  focused?: string;
  filled: SheetRow[];
}

/** A printed element: pruned, with its role and name as in the text. */
export interface View {
  element: Element;
  role: string;
  name: string;
  /** Absent on elements that can only be read. */
  ref?: string;
  children: View[];
  scope?: Scope;
  window?: WindowInfo;
  table?: TableView;
  sheet?: SheetView;
  /** Cells of a table row. Controls in them are also its `children`. */
  cells?: CellPart[][];
  /** The elements of these cells, in the same order. */
  cellElements?: readonly Element[];
  /**
   * Printed in the line of its row, with a ref only because of its state (focused, selected, invalid). Without that
   * state it is part of the row's text.
   */
  inRow?: 'cell' | 'words';
  /** Its number in a container with numbered parts (rows, items). */
  number?: number;
  /** Numbering of such a container. */
  numbered?: {
    word: 'rows' | 'items';
    total: number;
    /** Which of them were read, if no printed part has a number of its own. */
    read?: Span;
  };
  /** Number of children that exist but were not read. */
  unread: number;
  /** Not an element: stands for unread children of a group that is not printed itself. */
  placeholder?: boolean;
}

export interface ViewOptions {
  interactive?: boolean;
  full?: boolean;
  compact?: boolean;
}

export interface PruneContext extends ViewOptions {
  /** Ids of labels that name a field: the field's line already contains the name. */
  labels: ReadonlySet<string>;
  /** The requested element itself is off screen, so everything in it is too, and is printed all the same. */
  unseen?: boolean;
}

/**
 * Number of elements that this view and its descendants stand for. Cells are the text of their row, except in a sheet.
 */
export function countViews(view: View): number {
  let count = view.placeholder ? 0 : 1;
  for (const child of view.children) count += countViews(child);
  for (const row of view.sheet?.filled ?? []) count += row.cells.length;
  return count + view.unread;
}

/** Text without a function. Headings are not included: they can be expanded and read. */
const PLAIN_TEXT_ROLES: ReadonlySet<Role> = new Set(['caption', 'label', 'mark', 'paragraph', 'text']);
/** Also structure in the printed tree, although the role table does not list it as structure. */
export const PRINTED_STRUCTURE_ROLES: ReadonlySet<Role> = new Set<Role>([
  ...STRUCTURE_ROLES,
  'application',
  'desktop',
  'titlebar',
]);

export function isPlainText(element: Element): boolean {
  return PLAIN_TEXT_ROLES.has(element.role);
}

const MAX_LISTED_CELLS = 10_000;

export function isTable(element: Element): boolean {
  return element.role === 'table' || element.role === 'grid' || element.role === 'treegrid';
}

/** More than 10,000 cells without row elements are addressed, not listed. */
export function isSheet(element: Element): boolean {
  if (element.role === 'sheet' || element.table?.sheet === true) return true;
  if (!isTable(element) || !element.table || element.table.rows * element.table.columns <= MAX_LISTED_CELLS)
    return false;
  return element.children.length > 0 && element.children.every((child) => child.cell?.address !== undefined);
}

/** Must be printed whatever the budget is. */
export function mustStay(element: Element): boolean {
  const { focused, selected, invalid, modal } = element.states;
  return focused === true || selected === true || invalid === true || modal === true;
}

export function isShown(element: Element, { full, unseen }: { full?: boolean; unseen?: boolean }): boolean {
  const { visible, offscreen, focused } = element.states;
  return full === true || focused === true || (visible && (offscreen !== true || unseen === true));
}

/** Roles of regions that paint their content. A calendar without elements paints its days. */
const PAINTED: ReadonlySet<Role> = new Set(['canvas', 'calendar']);
/** Anything smaller is a mark or a colour sample: it has no content to look for. */
const MIN_DRAWN_SIDE = 32;

/** A region that draws itself: what a user sees inside is not in the tree. */
export function isDrawn({ role, children, unread = 0, bounds, value, states }: Element): boolean {
  if (!PAINTED.has(role) || children.length > 0 || unread > 0 || states.visible === false) return false;
  if (value !== undefined && value !== '') return false;
  return bounds !== undefined && Math.min(bounds.width, bounds.height) >= MIN_DRAWN_SIDE;
}

export function hasFunction(element: Element): boolean {
  const { focused, expanded, selected, checked, invalid } = element.states;
  if (focused || selected || invalid || expanded !== undefined || checked !== undefined) return true;
  return element.patterns.includes('invoke') || element.error !== undefined;
}

/** Plain text gets a ref only if a caller can do more with it than read it. */
export function refOf(element: Element): string | undefined {
  const { focusable, editable, focused, selected } = element.states;
  if (isPlainText(element)) return focusable || editable || focused || selected ? element.ref : undefined;
  return PRINTED_STRUCTURE_ROLES.has(element.role) && !element.name && !hasFunction(element) ? undefined : element.ref;
}

/** The name that a snapshot prints: the element's own, or that of the only text in an item without a name. */
export function accessibleName(element: Element): string {
  const { name, role } = element;
  if (name?.trim() || !NAMED_BY_CONTENT.has(role)) return name ?? '';
  const [only, ...more] = printedChildren(element);
  if (!only || more.length > 0 || !isPlainText(only) || only.children.length > 0) return name ?? '';
  return only.name ?? '';
}

/** Boxes without a name and without a function are not printed, but their content is. */
function printedChildren({ children }: Element): Element[] {
  return children
    .filter(({ role, states }) => states.visible && role !== 'scrollbar' && role !== 'separator')
    .flatMap((child) => {
      const loose = PRINTED_STRUCTURE_ROLES.has(child.role) && !child.name?.trim() && !hasFunction(child);
      return loose ? printedChildren(child) : [child];
    });
}
