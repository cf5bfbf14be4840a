import type { Box, Point } from './geometry.js';
import type { Role } from './roles/roles.js';

/** What a driver can do to an element without mouse or keyboard. */
export type Pattern = 'invoke' | 'value' | 'text' | 'editabletext' | 'selection' | 'table' | 'focus' | 'scroll';

export interface PlatformIds {
  automationId?: string;
  runtimeId?: string;
  legacyId?: string;
  className?: string;
  atspiPath?: string;
  axId?: string;
  sapId?: string;
}

/** First and last, both counted from 1 and inclusive, as users count rows. */
export type Span = [first: number, last: number];

export interface TableInfo {
  rows: number;
  columns: number;
  /** The part that is on screen now. */
  shown?: { rows: Span; columns: Span };
  headers?: string[];
  /** A sheet has cell addresses (B7) and is never listed completely. */
  sheet?: boolean;
}

/**
 * One element as a driver reads it. All text is already cleaned and bounded (`shared/clean-text`). `id` is the driver's
 * own identity of the element within this desktop; it is opaque to all other code.
 */
export interface Node {
  id: string;
  role: Role;
  name?: string;
  /** Text of a field or number of a range. Never a password. */
  value?: string | number;
  description?: string;
  /** The visible part: clipped to the scrolling ancestors and the window. */
  bounds?: Box;
  /** Where it is safe to click, if that is not the centre of `bounds`. */
  clickPoint?: Point;
  states: States;
  patterns: Pattern[];
  /** Names of the platform's own actions; only filled when a read asks for `detail`. */
  actions?: string[];
  platformIds: PlatformIds;
  /** Limits of a range (slider, spin button, progress bar). */
  range?: { min?: number; max?: number; step?: number };
  /** Level of a heading or a tree item. */
  level?: number;
  /** The app's own message about an invalid field. */
  error?: string;
  table?: TableInfo;
  /** Position of a cell, counted from 1. Cells of a sheet have an `address`. */
  cell?: { row: number; column: number; address?: string };
  /** For a list or tree with more items than were read: the total, and which items are on screen. */
  items?: { total: number; shown?: Span };
  /** The name came from another element (a label); that label is not printed again. */
  nameFrom?: 'label' | 'placeholder';
  /** Id of the label element that provided the name. */
  labelId?: string;
  /** Number of characters that cleaning removed from name, value and description. */
  cleaned?: number;
  /** Number of children that exist but were not read (depth, node limit, huge container). */
  unread?: number;
  children: Node[];
}

/** The same element with the ref that callers use. */
export interface Element extends Omit<Node, 'children'> {
  /** `e12`; `w2` for a window. Assigned in the first snapshot that contains the element, never reused. */
  ref: string;
  children: Element[];
}

/**
 * A state that an element cannot have is absent: `checked: false` is an unchecked box, no `checked` is a label. Drivers
 * report only what their platform exposes and never guess.
 */
export interface States {
  enabled: boolean;
  /** Shown by its app. Hidden elements are only read on request. */
  visible: boolean;
  /** In the tree, but outside the visible area (scrolled out, clipped away, under 2 px). */
  offscreen?: boolean;
  focusable?: boolean;
  focused?: boolean;
  /** Windows only: the active window of the desktop. */
  active?: boolean;
  modal?: boolean;
  editable?: boolean;
  readonly?: boolean;
  required?: boolean;
  invalid?: boolean;
  checked?: boolean | 'mixed';
  selected?: boolean;
  pressed?: boolean | 'mixed';
  expanded?: boolean;
  busy?: boolean;
  /** Buttons only: Enter elsewhere in the dialog presses it. Absent where the app does not expose it. */
  default?: boolean;
  multiline?: boolean;
  /** A password field: its value never leaves the driver. `value` is absent; `filled` reports whether there is one. */
  secret?: boolean;
  filled?: boolean;
}

export type StateName = keyof States;
