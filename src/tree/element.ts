import type { Box, Point } from './geometry.js';
import type { Role } from './roles/roles.js';

/** What a driver can do to an element without mouse or keys. */
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

/** First and last, both counted from 1 and both included, as people count rows. */
export type Span = [first: number, last: number];

export interface TableInfo {
  rows: number;
  columns: number;
  /** What is on screen now. */
  shown?: { rows: Span; columns: Span };
  headers?: string[];
  /** A sheet has cell addresses (B7) and is never listed whole. */
  sheet?: boolean;
}

/**
 * One element as a driver reads it. All text is already cleaned and bounded (`tree/clean`). `id` is the driver's own
 * identity of the element within this desktop, opaque to everybody else.
 */
export interface Node {
  id: string;
  role: Role;
  name?: string;
  /** Text of a field, number of a range. Never a password. */
  value?: string | number;
  description?: string;
  /** Where it is seen: clipped to its scrolling ancestors and its window. */
  bounds?: Box;
  /** Where it is safe to click, when that is not the centre of `bounds`. */
  clickPoint?: Point;
  states: States;
  patterns: Pattern[];
  /** Names of the platform's own actions; filled when a read asks for `detail`. */
  actions?: string[];
  platformIds: PlatformIds;
  /** Limits of a range (slider, spin button, progress bar). */
  range?: { min?: number; max?: number; step?: number };
  /** Of a heading or a tree item. */
  level?: number;
  /** The app's own words about an invalid field. */
  error?: string;
  table?: TableInfo;
  /** Of a cell: counted from 1. `address` in sheets. */
  cell?: { row: number; column: number; address?: string };
  /** Of a list or tree that holds more items than were read: how many in all, and which are on screen. */
  items?: { total: number; shown?: Span };
  /** The name came from another element (a label); that label is not printed again. */
  nameFrom?: 'label' | 'placeholder';
  /** Id of the label element that gave the name. */
  labelId?: string;
  /** How many characters cleaning took out of name, value and description. */
  cleaned?: number;
  /** Children that exist and were not read (depth, node limit, huge container). */
  unread?: number;
  children: Node[];
}

/** The same element with the short name that callers use. */
export interface Element extends Omit<Node, 'children'> {
  /** `e12`; `w2` for a window. Given at the first look, never reused. */
  ref: string;
  children: Element[];
}

/**
 * A state that an element cannot have is absent: `checked: false` is an unchecked box, no `checked` is a label.
 * Drivers fill what their platform says; nothing is guessed.
 */
export interface States {
  enabled: boolean;
  /** Shown by its app; hidden elements are read only when asked for. */
  visible: boolean;
  /** In the tree, but no part of it in the visible area (scrolled out, clipped away, under 2 px). */
  offscreen?: boolean;
  focusable?: boolean;
  focused?: boolean;
  /** Windows only: has the desktop's attention. */
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
  multiline?: boolean;
  /** A password field: its value never leaves the driver. `value` is then absent and `filled` says if there is one. */
  secret?: boolean;
  filled?: boolean;
}

export type StateName = keyof States;
