import { cellAddress, centre, cleanName, cleanValue, type Node, type Pattern, type Role } from '../../tree/index.js';
import type { PlacedWidget } from './layout.js';
import { shownCells, shownItems } from './rows.js';
import { isSecret, textOf, walk, type Widget } from './spec.js';
import type { FakeWindow } from './world.js';

export interface NodeContext {
  window: FakeWindow;
  active: boolean;
  detail?: boolean;
}

/** One element as the driver reports it, without children: cleaned, bounded, and without secrets. */
export function nodeOf(placed: PlacedWidget, context: NodeContext): Node {
  const { widget } = placed;
  const node: Node = {
    id: widget.id,
    role: widget.role,
    states: statesOf(placed, context),
    patterns: patternsOf(widget),
    platformIds: widget.platformIds ?? {},
    children: [],
  };
  addText(node, widget, context);
  if (placed.visibleBox) {
    node.bounds = placed.visibleBox;
    node.clickPoint = centre(placed.visibleBox);
  }
  if (widget.range) node.range = widget.range;
  if (widget.level !== undefined) node.level = widget.level;
  if (context.detail) node.actions = widget.actions ?? defaultActions(widget);
  Object.assign(node, widget.facts);
  addRows(node, widget);
  return node;
}

function addText(node: Node, widget: Widget, context: NodeContext): void {
  let dropped = 0;
  const label = widget.labelledBy === undefined ? undefined : labelOf(widget, context.window);
  const name = cleanName(widget.name ?? label?.name ?? '');
  if (name.text !== '') node.name = name.text;
  dropped += name.dropped;
  if (label) {
    node.nameFrom = 'label';
    node.labelId = label.id;
  }
  if (!isSecret(widget)) {
    const value = valueOf(widget);
    if (typeof value === 'number') node.value = value;
    else if (value !== undefined) {
      const cleaned = cleanValue(value);
      node.value = cleaned.text;
      dropped += cleaned.dropped;
    }
  }
  for (const field of ['description', 'error'] as const) {
    if (widget[field] === undefined || (field === 'description' && !context.detail)) continue;
    const cleaned = cleanName(widget[field]);
    node[field] = cleaned.text;
    dropped += cleaned.dropped;
  }
  if (dropped > 0) node.cleaned = dropped;
}

function valueOf(widget: Widget): string | number | undefined {
  if (typeof widget.value === 'number') return widget.value;
  if (widget.text !== undefined) return widget.text;
  return widget.value ?? (EDITABLE.has(widget.role) ? '' : undefined);
}

function addRows(node: Node, widget: Widget): void {
  if (widget.list) {
    const shown = shownItems(widget.list);
    node.items = { total: widget.list.total, ...(shown && { shown }) };
  }
  if (widget.table) {
    const { rows, columns, headers, sheet } = widget.table;
    const shown = shownCells(widget.table);
    node.table = { rows, columns, ...(shown && { shown }), ...(headers && { headers }), ...(sheet && { sheet }) };
  }
  const at = widget.virtual;
  if (at?.row !== undefined && at.column !== undefined) {
    const sheet = widget.parent?.parent?.table?.sheet;
    node.cell = { row: at.row, column: at.column, ...(sheet && { address: cellAddress(at.row, at.column) }) };
  }
}

function statesOf(placed: PlacedWidget, { window, active }: NodeContext): Node['states'] {
  const { widget } = placed;
  const states: Node['states'] = { enabled: true, ...widget.states, visible: !placed.hidden };
  if (!placed.visibleBox) states.offscreen = true;
  if (isSecret(widget)) {
    states.secret = true;
    states.filled = widget.states.filled ?? textOf({ ...widget, name: '' }) !== '';
  }
  if (FOCUSABLE.has(widget.role)) states.focusable = true;
  if (EDITABLE.has(widget.role)) states.editable ??= states.readonly !== true;
  if (active && window.focus?.id === widget.id) states.focused = true;
  if (widget.role === 'button' && reportsDefault(window)) states.default ??= false;
  if (window.spec.hidesDefault) delete states.default;
  if (widget === window.root) {
    if (active) states.active = true;
    if (window.spec.modal) states.modal = true;
  }
  return states;
}

/** As in GTK 3 and Qt: every button reports it. */
const reportsDefault = ({ root }: FakeWindow): boolean =>
  [...walk(root)].some(({ states }) => states.default !== undefined);

function labelOf(widget: Widget, window: FakeWindow): Widget | undefined {
  return [...walk(window.root)].find(
    (w) => w.key === widget.labelledBy || (w !== widget && w.name === widget.labelledBy),
  );
}

const EDITABLE: ReadonlySet<Role> = new Set<Role>(['textbox', 'searchbox', 'passwordbox', 'spinbutton']);
const PRESSABLE: ReadonlySet<Role> = new Set<Role>([
  'button',
  'checkbox',
  'radio',
  'togglebutton',
  'menubutton',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'tab',
  'link',
  'switch',
  'combobox',
]);
const FOCUSABLE: ReadonlySet<Role> = new Set<Role>([
  ...EDITABLE,
  ...PRESSABLE,
  'slider',
  'list',
  'listbox',
  'table',
  'tree',
  'sheet',
]);

function patternsOf(widget: Widget): Pattern[] {
  const patterns: Pattern[] = [];
  if (PRESSABLE.has(widget.role)) patterns.push('invoke');
  if (['slider', 'spinbutton', 'scrollbar'].includes(widget.role)) patterns.push('value');
  if (EDITABLE.has(widget.role)) patterns.push('text', 'editabletext');
  else if (widget.text !== undefined) patterns.push('text');
  if (widget.list) patterns.push('selection', 'scroll');
  if (widget.table) patterns.push('table', 'scroll');
  if (widget.scroll) patterns.push('scroll');
  if (FOCUSABLE.has(widget.role)) patterns.push('focus');
  return patterns;
}

function defaultActions(widget: Widget): string[] {
  return PRESSABLE.has(widget.role) ? ['click'] : [];
}
