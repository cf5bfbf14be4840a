import { isSecretField, type States } from '../../tree/index.js';
import type { WidgetSpec } from './spec.js';

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
