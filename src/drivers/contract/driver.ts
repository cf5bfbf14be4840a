import type { Deadline } from '../../shared/index.js';
import type { Box, Node, Point, Size, Span, TableInfo, WindowNode } from '../../tree/index.js';
import type { ActOptions, Caret, Clipboard, PatternAct, PatternAnswer, WindowAnswer, WindowChange } from './act.js';
import type { Capability, DriverDescription, Finding } from './capabilities.js';
import type { EventStream, UserInputEvents, UserInputOptions } from './events.js';
import type { InputDevice } from './input-device.js';

export interface CallOptions {
  /** Every call has one; a driver that cannot answer by then throws `timeout` or `app_hung`. */
  deadline: Deadline;
}

export interface ReadOptions extends CallOptions {
  /** Also what is not on the screen: hidden, scrolled out, closed menus. Such elements are marked `offscreen`. */
  full?: boolean;
  /** Levels below the root that are read; 0 is the root alone. */
  depth?: number;
  /** A hard end, so that a look costs a bounded time; the answer says how many were left. Default 5,000. */
  maxNodes?: number;
  /** Everything about each element: action names, description, class, ids. For `ui_describe`, not for looks. */
  detail?: boolean;
  /** Asks the app for everything again; without it a driver may answer from what it knows to be unchanged. */
  fresh?: boolean;
  onProgress?: (elementsRead: number) => void;
}

export interface TreeSync extends CallOptions {
  patient?: boolean;
  at?: Point;
  pressedAt?: number;
}

export type ReadScope = { window: string } | { element: string };

export interface ReadAnswer {
  root: Node;
  /** Elements in `root`. */
  count: number;
  /** Something is missing and why; what is there is true. */
  degraded?: { reason: string };
  /** Calls to the platform that this read took; 0 when nothing had changed since the last one. */
  calls: number;
}

/** What a window was called for a while between two lists; without a title nobody knows what it was. */
export interface TitleChange {
  window: string;
  /** Not cut. */
  title?: string;
}

export interface WindowsAnswer {
  /** Front to back. */
  windows: WindowNode[];
  /** Titles since the last answer, also those that are gone again; absent where nobody watches. */
  passed?: TitleChange[];
  degraded?: { reason: string };
}

/** An element and the way to it: `path[0]` is the window's root element, the last is the element itself. */
export interface Found {
  window: string;
  path: Node[];
}

export interface TextAnswer {
  text: string;
  /** In characters (code points), `end` not included. */
  start: number;
  end: number;
  total: number;
}

export type RangeRequest =
  | { rows: Span }
  /**
   * Of a sheet's cells only those that are filled come back; `empty`: all, for who wants to write into one.
   * `formulas`: one that tells no text, though it holds a formula, is filled and tells that as its value.
   */
  | { cells: { rows: Span; columns: Span; sheet?: string; empty?: boolean; formulas?: boolean } };

export interface RangeAnswer {
  /** One node a row or item, cells as its children. */
  rows: Node[];
  /** What was really read, clipped to what exists; 1 to 0 where there is nothing. */
  span: Span;
  total: number;
  table?: TableInfo;
}

/**
 * What a platform must give. The first group is required; the second exists when the capability of the same name is
 * `yes` in `describe()`. Errors are `DesktopError`: `process_gone` when the app died, `app_hung` when it does not
 * answer, `stale_ref` when the element is no more, `element_not_found` when the window is not there.
 */
export interface Driver {
  describe(): DriverDescription;
  windows(options: CallOptions): Promise<WindowsAnswer>;
  read(scope: ReadScope, options: ReadOptions): Promise<ReadAnswer>;
  /** Live until `signal` aborts; a driver that loses its source ends with a `lost` event, never with silence. */
  events(options: { signal: AbortSignal }): EventStream;
  doctor(options: CallOptions): Promise<Finding[]>;
  close(): Promise<void>;

  atPoint?(point: Point, options: CallOptions): Promise<Found | undefined>;
  focused?(options: CallOptions): Promise<Found | undefined>;
  text?(element: string, span: { start: number; end: number }, options: CallOptions): Promise<TextAnswer>;
  /** Rows of a table, items of a list, cells of a sheet, also those that are not on the screen. */
  range?(element: string, range: RangeRequest, options: CallOptions): Promise<RangeAnswer>;
  screenshot?(area: CaptureArea | undefined, options: ScreenshotOptions): Promise<Screenshot>;

  /** Resolves, with the reason, when what it looks at is gone for good: no call can be answered any more. */
  readonly lost?: Promise<string>;

  /** A person at the devices, until `signal` aborts. Costs nothing while nobody listens. */
  userInput?(options: UserInputOptions): UserInputEvents;

  /**
   * Resolves when what the app tells of this element is no older than what it shows in that area: some tell of a change
   * long after they have drawn it. Not later than the deadline, and not for what never stops moving. `patient`: what
   * was changed but is not drawn yet is waited for, too. `at`: what is at this point is going to be asked next.
   * `pressedAt`: a mouse button went down there after that moment (of `performance.now()`), and what it met gets the
   * focus: who tells late tells of that after all that came before it. What drops clicks because it was shown only now is
   * waited out, too.
   */
  waitForTreeSync?(element: string, area: Box, options: TreeSync): Promise<void>;

  /** Undefined where the app does not tell. One that is nowhere yet counts as the end of the text. */
  caret?(element: string, options: CallOptions): Promise<Caret | undefined>;

  /** `pattern_unsupported` where the app offers nothing for it. */
  act?(element: string, act: PatternAct, options: ActOptions): Promise<PatternAnswer>;
  changeWindow?(window: string, change: WindowChange, options: CallOptions): Promise<WindowAnswer>;
  readonly input?: InputDevice;
  readonly clipboard?: Clipboard;
}

export type OptionalMethod = Extract<Capability, keyof Driver>;

export interface Screenshot extends Size {
  /** 4 bytes a pixel: red, green, blue, 255. */
  rgba: Buffer;
  /** Where the picture's first pixel is on the virtual desktop. Left of it or above it for a window that sticks out. */
  origin: Point;
  /** Nobody looks at its pixels any more, so that the next picture can have their memory. */
  release?(): void;
}

/** What a picture is taken of; all of the virtual desktop when nothing is said. Boxes are places on it. */
export type CaptureArea =
  /** As a person sees it. The part of it that lies on the desktop. */
  | Box
  /** Counted from 1. */
  | { monitor: number }
  /**
   * What this window itself has drawn, whatever covers it, `part` of it or all within its frame. Never a pixel of
   * another window: where the driver cannot be sure of that, it throws `not_ready` with the ids of the windows that
   * cover it in `details.coveredBy`. Minimised, hidden or wholly outside of the screen is `not_ready` too.
   */
  | { window: string; part?: Box };

export interface ScreenshotOptions extends CallOptions {
  /** With the mouse pointer drawn in. */
  cursor?: boolean;
}
