import {
  type Box,
  isSecretField,
  type Node,
  type PlatformIds,
  type Role,
  type Size,
  type States,
} from '../../tree/index.js';
import type { Capability } from '../contract/index.js';
import type { Controls } from './controls.js';

/** Describes one element of a fake desktop, in a test, an example or a recording. */
export interface WidgetSpec {
  /** The key by which controls find it; else its name. A key is not an identity: the driver assigns ids at creation. */
  key?: string;
  role: Role;
  name?: string;
  value?: string | number;
  description?: string;
  /** Position within the content of the parent; without it children are laid out below (or beside) each other. */
  box?: Box;
  /** Height in automatic layout. */
  height?: number;
  /** How automatic layout arranges the children. */
  layout?: 'column' | 'row';
  /** Hidden by its app: takes no space. */
  hidden?: boolean;
  states?: Partial<States>;
  platformIds?: PlatformIds;
  actions?: string[];
  range?: Node['range'];
  level?: number;
  error?: string;
  /** Key or name of the element that labels this one. */
  labelledBy?: string;
  /** For a document: the address of its web page; null if the app does not report it. */
  url?: string | null;
  /** Long text, read by range; `value` is then its beginning. */
  text?: string;
  /** A viewport of this height; children beyond it are scrolled out. */
  scroll?: { height: number; offset?: number };
  list?: ListSpec;
  /** What a recorded container or cell reported about itself. */
  facts?: Pick<Node, 'table' | 'items' | 'cell'>;
  table?: TableSpec;
  /** What its app does when it is invoked, by pattern or by mouse. */
  does?: (controls: Controls) => void;
  /** What its app does as soon as the mouse button is pressed on it. */
  whenPressed?: (controls: Controls) => void;
  /** What its app does after text was typed into it. */
  whenTyped?: (controls: Controls) => void;
  /** The letter that presses or focuses it with Alt, if keys have effects here. */
  mnemonic?: string;
  /** The chord that presses it from everywhere in its window: `ctrl+s`. */
  accelerator?: string;
  /** What its app does instead of the usual effect when one of these chords is pressed while it has the focus. */
  onKey?: Record<string, (controls: Controls) => void>;
  /** Its app does not report its mnemonic and accelerator. */
  hidesKeys?: boolean;
  /** The maximum number of characters. */
  maxLength?: number;
  /** An app whose reply does not match its behaviour. */
  lies?: 'says yes, does nothing' | 'says no, does it' | 'drops characters' | 'hangs';
  /** It reacts only to mouse and keys. */
  noPattern?: boolean;
  children?: WidgetSpec[];
}

/** Items created from their number; in a recycling list only items near the screen exist as widgets. */
export interface ListSpec {
  total: number;
  item: (n: number) => WidgetSpec;
  /** Number of visible rows. */
  shown: number;
  /** First visible item, from 1. */
  top?: number;
  /** Scrolling gives the same widgets other items, as GTK4's ListView does. */
  recycle?: boolean;
}

export type CellSpec = string | number | WidgetSpec | undefined;

export interface TableSpec {
  rows: number;
  columns: number;
  headers?: string[];
  sheet?: boolean;
  cell: (row: number, column: number) => CellSpec;
  shownRows: number;
  shownColumns?: number;
  top?: number;
  left?: number;
}

export interface WindowSpec {
  key?: string;
  title: string;
  app: string;
  /** Windows with the same pid belong to one app: they are hung, slow or dead together. */
  pid?: number;
  program?: string;
  role?: 'window' | 'dialog' | 'popup';
  bounds?: Box;
  minimised?: boolean;
  maximised?: boolean;
  hidden?: boolean;
  modal?: boolean;
  /** A menu or a list of choices. */
  menu?: boolean;
  /** Key or title of the window that it belongs to. */
  of?: string;
  /** False for a plain client: a window without a tree. */
  hasTree?: boolean;
  /** Its buttons do not report which of them is the default one, as in GTK 4. */
  hidesDefault?: boolean;
  children?: WidgetSpec[];
}

export interface DesktopSpec {
  /** Front to back; the first that can be active is active. */
  windows: WindowSpec[];
  size?: Size;
  /** Keys have the effects that they have in real toolkits. Without it they only stand in the diary. */
  keyboard?: boolean;
  /** How long an app may stay silent before it counts as hung. */
  hungAfterMs?: number;
  /** Missing capabilities with their reasons: the driver lacks these methods and reports the reason. */
  without?: Partial<Record<Exclude<Capability, 'windows' | 'events'>, string>>;
}

/** An element at run time: its description, plus identity, position in the tree and later changes. */
export interface Widget extends Omit<WidgetSpec, 'children'> {
  id: string;
  parent?: Widget;
  states: Partial<States>;
  children: Widget[];
  /** Created from the model of a list or table for one read; it keeps no state. */
  virtual?: { item?: number; row?: number; column?: number };
}

/** `nextId` never returns an id twice, so a removed element stays stale. */
export function createWidget(spec: WidgetSpec, nextId: () => string, parent?: Widget): Widget {
  const { children = [], states = {}, ...rest } = spec;
  const widget: Widget = { ...rest, id: nextId(), states: { ...states }, children: [] };
  if (parent) widget.parent = parent;
  if (rest.list) widget.list = { ...rest.list };
  if (rest.table) widget.table = { ...rest.table };
  if (rest.scroll) widget.scroll = { ...rest.scroll };
  widget.children = children.map((child) => createWidget(child, nextId, widget));
  return widget;
}

export function* walk(widget: Widget): Generator<Widget> {
  yield widget;
  for (const child of widget.children) yield* walk(child);
}

/** A field that only its label marks as secret counts too: not every toolkit exposes it. */
export function isSecret(widget: Widget): boolean {
  return isSecretField({ ...widget, states: { enabled: true, visible: true, ...widget.states } });
}

/** The text that a user would read in the field. For a secret field it never leaves the driver. */
export function textOf(widget: Widget): string {
  if (widget.text !== undefined) return widget.text;
  if (widget.value !== undefined) return String(widget.value);
  return widget.name ?? '';
}
