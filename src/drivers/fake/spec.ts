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

/** How a test, an example or a recording describes one element of a fake desktop. */
export interface WidgetSpec {
  /** How controls find it again; else by name. Keys are no identity: the driver's ids are given at birth. */
  key?: string;
  role: Role;
  name?: string;
  value?: string | number;
  description?: string;
  /** Place within the parent's content; without it children are laid out below (or beside) each other. */
  box?: Box;
  /** Height when laid out automatically. */
  height?: number;
  /** How automatic layout puts the children. */
  layout?: 'column' | 'row';
  /** Hidden by its app: takes no room. */
  hidden?: boolean;
  states?: Partial<States>;
  platformIds?: PlatformIds;
  actions?: string[];
  range?: Node['range'];
  level?: number;
  error?: string;
  /** Key or name of the element that labels this one. */
  labelledBy?: string;
  /** Long text, read by range; `value` is then its beginning. */
  text?: string;
  /** A viewport of this height; children beyond it are scrolled out. */
  scroll?: { height: number; offset?: number };
  list?: ListSpec;
  /** What a recorded container or cell said of itself. */
  told?: Pick<Node, 'table' | 'items' | 'cell'>;
  table?: TableSpec;
  /** What its app does when it is invoked, by pattern or by mouse. */
  does?: (controls: Controls) => void;
  /** What its app does already when the mouse button goes down on it. */
  whenPressed?: (controls: Controls) => void;
  /** What its app does when something was typed into it. */
  whenTyped?: (controls: Controls) => void;
  /** It takes no more characters than that. */
  maxLength?: number;
  /** An app that does not do what it says. */
  lies?: 'says yes, does nothing' | 'says no, does it' | 'drops characters' | 'hangs';
  /** Only mouse and keys work on it. */
  noPattern?: boolean;
  children?: WidgetSpec[];
}

/** Items made from their number; only those near the screen exist as widgets when the list recycles them. */
export interface ListSpec {
  total: number;
  item: (n: number) => WidgetSpec;
  /** Rows that fit. */
  shown: number;
  /** First item on screen, from 1. */
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
  /** Windows of one pid share their fate: hung, slow or dead together. */
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
  /** A plain client: a window and nothing inside. */
  hasTree?: boolean;
  children?: WidgetSpec[];
}

export interface DesktopSpec {
  /** Front to back; the first that can be active is. */
  windows: WindowSpec[];
  size?: Size;
  /** How long an app may stay silent before it counts as hung. */
  hungAfterMs?: number;
  /** What this desktop cannot do: its methods are then absent and the reason is told. */
  without?: Partial<Record<Exclude<Capability, 'windows' | 'read' | 'events'>, string>>;
}

/** A living element: its description, plus identity, place in the tree and what changed since. */
export interface Widget extends Omit<WidgetSpec, 'children'> {
  id: string;
  parent?: Widget;
  states: Partial<States>;
  children: Widget[];
  /** Made from a list's or table's model for one read; it has no life of its own. */
  virtual?: { item?: number; row?: number; column?: number };
}

/** `nextId` never gives the same id twice, so an element that died stays dead. */
export function widgetOf(spec: WidgetSpec, nextId: () => string, parent?: Widget): Widget {
  const { children = [], states = {}, ...rest } = spec;
  const widget: Widget = { ...rest, id: nextId(), states: { ...states }, children: [] };
  if (parent) widget.parent = parent;
  if (rest.list) widget.list = { ...rest.list };
  if (rest.table) widget.table = { ...rest.table };
  if (rest.scroll) widget.scroll = { ...rest.scroll };
  widget.children = children.map((child) => widgetOf(child, nextId, widget));
  return widget;
}

export function* walk(widget: Widget): Generator<Widget> {
  yield widget;
  for (const child of widget.children) yield* walk(child);
}

/** A field that only looks like one by its label counts too: not every toolkit tells. */
export function isSecret(widget: Widget): boolean {
  return isSecretField({ ...widget, states: { enabled: true, visible: true, ...widget.states } });
}

/** What a person would read in the field; never leaves the driver for a secret one. */
export function textOf(widget: Widget): string {
  if (widget.text !== undefined) return widget.text;
  if (widget.value !== undefined) return String(widget.value);
  return widget.name ?? '';
}
