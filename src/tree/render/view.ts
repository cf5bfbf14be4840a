import type { Element, Span } from '../element.js';
import type { WindowInfo } from '../snapshot.js';

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
