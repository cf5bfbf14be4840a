import type { Node, Point, Span, TableInfo, WindowNode } from '../../tree/index.js';
import type { CallOptions } from './call.js';

export type ReadScope = { window: string } | { element: string };

interface ReadRequest {
  /** Includes elements that are not on the screen (hidden, scrolled out, in closed menus), marked `offscreen`. */
  full?: boolean;
  /** Levels below the root that are read; 0 reads only the root. */
  depth?: number;
  /** A hard limit, so that a snapshot takes a bounded time; the answer says how many are left. Default 5,000. */
  maxNodes?: number;
  /** All details of each element: action names, description, class, ids. For `ui_describe`, not for snapshots. */
  detail?: boolean;
  /** Reads everything from the app again. Without it a driver may answer from its cache of unchanged elements. */
  fresh?: boolean;
  /**
   * Of a window: its app must answer during this read, after the input that was sent so far. A cached tree does not show
   * that the app is still running. The answer is `degraded` while the app has not processed the input.
   */
  answered?: boolean;
}

export type ReadOptions = ReadRequest & CallOptions;

export interface ReadAnswer {
  root: Node;
  /** Number of elements in `root`. */
  count: number;
  /** Something is missing, and why. The rest is correct. */
  degraded?: { reason: string };
  /** Calls to the platform that this read took; 0 if nothing changed since the last read. */
  calls: number;
}

export type HitTestOptions = CallOptions & {
  /** Windows that do not count, such as the drag image that an app shows at the pointer. */
  beneath?: readonly string[];
};

interface TreeSyncRequest {
  /** Also waits for changes that the app has made and not drawn yet. */
  patient?: boolean;
  /** The next call asks for the element at this point. */
  at?: Point;
  /**
   * A mouse button was pressed there after this time (milliseconds since the epoch, with fractions). What was pressed
   * gets the focus, so the app has reported everything before the press once it reports that focus change. Apps that
   * ignore clicks on a dialog that was just shown are not waited for then.
   */
  pressedAt?: number;
}

export type TreeSync = TreeSyncRequest & CallOptions;

/** A title that a window had between two lists. Without `title`: it had one, and it is unknown. */
export interface TitleChange {
  window: string;
  /** Not cut. */
  title?: string;
}

export interface WindowsAnswer {
  /** Front to back. */
  windows: WindowNode[];
  /** Titles since the last answer, including those that were replaced again. Absent if titles are not watched. */
  passed?: TitleChange[];
  degraded?: { reason: string };
}

/** An element and its path: `path[0]` is the window's root element, the last one is the element itself. */
export interface Found {
  window: string;
  path: Node[];
}

export interface TextAnswer {
  text: string;
  /** In characters (code points); `end` is exclusive. */
  start: number;
  end: number;
  total: number;
}

export type RangeRequest =
  | { rows: Span }
  /**
   * Only filled cells of a spreadsheet are returned; with `empty` all cells, for a caller that wants to write into one.
   * `formulas`: a cell without text that has a formula counts as filled, and the formula is its value.
   */
  | { cells: { rows: Span; columns: Span; sheet?: string; empty?: boolean; formulas?: boolean } };

export interface RangeAnswer {
  /** One node per row or item, with its cells as children. */
  rows: Node[];
  /** The rows that were read, clipped to what exists; 1 to 0 if there are none. */
  span: Span;
  total: number;
  table?: TableInfo;
}
