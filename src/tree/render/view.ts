import type { Element, Span } from '../element.js';
import type { WindowInfo } from '../snapshot.js';

/** The way up through real elements, also those that are not printed: a fold names the nearest that holds all of it. */
export interface Scope {
  element: Element;
  up?: Scope;
}

/** What a cell of a table shows, in order: words, and controls with their refs. */
export type CellPart = string | View;

export interface TableView {
  headers: string[];
  rows: number;
  /** Rows that are printed or would be; absent when all of them are. */
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

/** An element that is printed: pruned, its role and name as the text has them. */
export interface View {
  element: Element;
  role: string;
  name: string;
  /** Absent on what can only be looked at. */
  ref?: string;
  children: View[];
  scope?: Scope;
  window?: WindowInfo;
  table?: TableView;
  sheet?: SheetView;
  /** Of a table's row. Controls in it are also its `children`. */
  cells?: CellPart[][];
  /** The elements of these cells, in the same order. */
  cellElements?: readonly Element[];
  /** In a row's line, and with a ref for its state alone (focused, selected, invalid): else it is words of its row. */
  inRow?: 'cell' | 'words';
  /** Its number in a container whose parts are counted (rows, items). */
  number?: number;
  /** Of such a container. */
  numbered?: {
    word: 'rows' | 'items';
    total: number;
    /** Which of them were read, where no printed part has a number of its own. */
    read?: Span;
  };
  /** Children that exist and were not read. */
  unread: number;
  /** Not an element: stands for what was not read in a group that is not printed itself. */
  placeholder?: boolean;
}

export interface ViewOptions {
  interactive?: boolean;
  full?: boolean;
}

export interface PruneContext extends ViewOptions {
  /** Ids of labels that give a field its name: the field says it. */
  labels: ReadonlySet<string>;
  /** What was asked for is itself out of view: so is all in it, and told all the same. */
  unseen?: boolean;
}

/** Elements that this view and those below it stand for. Cells are the text of their row, except a sheet's. */
export function countViews(view: View): number {
  let count = view.placeholder ? 0 : 1;
  for (const child of view.children) count += countViews(child);
  for (const row of view.sheet?.filled ?? []) count += row.cells.length;
  return count + view.unread;
}
