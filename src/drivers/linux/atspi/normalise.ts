import { INTERACTIVE_ROLES, type Node, type Role } from '../../../tree/index.js';

const NAMED_BY_LABEL: ReadonlySet<Role> = new Set([
  'button',
  'togglebutton',
  'checkbox',
  'radio',
  'tab',
  'link',
  'menuitem',
  'switch',
]);
const LABELLED_FIELDS: ReadonlySet<Role> = new Set([
  'textbox',
  'searchbox',
  'passwordbox',
  'spinbutton',
  'slider',
  'combobox',
]);
const TEXTS: ReadonlySet<Role> = new Set(['label', 'text']);

/**
 * Merges what users see as one element. GTK 4 wraps a button in an unnamed button and puts a label into it. A combo box
 * shows its value in a label. Web pages wrap a field in its label.
 */
export function normalise(node: Node): Node {
  node.children = node.children.map(normalise);
  if (NAMED_BY_LABEL.has(node.role)) {
    const inner = unwrapSoleButton(node);
    if (inner) return inner;
    if (node.name === undefined) nameFromContent(node);
    else if (node.name.includes('_')) removeMnemonic(node);
  }
  if (node.role === 'label') {
    const field = fieldOfSameName(node);
    if (field) return field;
  }
  if (node.role === 'combobox' && node.value === undefined) valueFromContent(node);
  unwrap(node);
  linkLabels(node);
  if (node.role === 'group') sortInReadingOrder(node);
  return node;
}

/** Whether the name or value may come from the content. */
export function isNamedByContent({ role, name, value }: Node): boolean {
  if (role === 'combobox') return name === undefined || value === undefined;
  return NAMED_BY_LABEL.has(role) && (name === undefined || name.includes('_'));
}

/** An unnamed wrapper around one button and the menu that it opened: returns the inner button. */
function unwrapSoleButton(node: Node): Node | undefined {
  const [inner, ...rest] = node.children;
  if (!inner || node.name !== undefined || inner.role !== node.role || !rest.every(isMenu)) return undefined;
  if (rest.length === 0) return inner;
  return { ...inner, states: { ...inner.states, expanded: true }, children: [...inner.children, ...rest] };
}

/** A label around its own field repeats the name of the field. */
function fieldOfSameName({ name, children }: Node): Node | undefined {
  const [field, ...more] = children;
  return field && more.length === 0 && INTERACTIVE_ROLES.has(field.role) && sameLabel(name, field.name ?? '')
    ? field
    : undefined;
}

function isMenu({ role }: Node): boolean {
  return role === 'menu' || role === 'popup' || role === 'dialog';
}

/**
 * `Page _1` is displayed as "Page 1" when the underscore marks a mnemonic. The label inside shows the displayed text.
 */
function removeMnemonic(node: Node): void {
  const seen = visibleTexts(node).join(' ');
  if (seen !== node.name && seen === node.name!.replace(/_(.)/, '$1')) node.name = seen;
}

function nameFromContent(node: Node): void {
  const texts = visibleTexts(node);
  const words = texts.length > 0 ? texts : imageNamesWithin(node);
  if (words.length > 0) node.name = words.slice(0, 3).join(' ');
}

function valueFromContent(node: Node): void {
  const shown = findShownChoice(node);
  const [text] = shown ? [visibleTexts(shown).join(' ')] : visibleTexts(node);
  // The title of a row alone does not show the selected value.
  if (text && (shown || text !== node.name)) node.value = text;
  if (shown) removeDescendant(node, shown);
}

/**
 * A libadwaita row shows the selected value as a list with one item. The item is not selectable, so it is not an
 * option.
 */
function findShownChoice(node: Node): Node | undefined {
  if (isMenu(node)) return undefined;
  const [item, ...more] = node.children;
  if (node.role === 'list' && item && more.length === 0 && item.role === 'listitem')
    return item.states.selected === undefined ? node : undefined;
  for (const child of node.children) {
    const shown = findShownChoice(child);
    if (shown) return shown;
  }
  return undefined;
}

function removeDescendant(node: Node, gone: Node): void {
  node.children = node.children.filter((child) => child !== gone);
  for (const child of node.children) removeDescendant(child, gone);
}

/**
 * The visible texts, or all texts if none is visible: a full read also returns pages that a drop-down currently hides.
 */
function visibleTexts(node: Node): string[] {
  const texts = labelsWithin(node);
  const seen = texts.filter(({ states }) => states.visible && !states.offscreen);
  return (seen.length > 0 ? seen : texts).map(({ name }) => name!);
}

function labelsWithin(node: Node): Node[] {
  return node.children.flatMap((child) => {
    if (isMenu(child)) return [];
    if (TEXTS.has(child.role) && child.name !== undefined) return [child];
    return child.children.length > 0 && !LABELLED_FIELDS.has(child.role) ? labelsWithin(child) : [];
  });
}

function imageNamesWithin(node: Node): string[] {
  return node.children.flatMap((child) =>
    child.role === 'image' && child.name !== undefined ? [child.name] : imageNamesWithin(child),
  );
}

/** A text directly before or around a field is its label if it equals the field's name. */
function linkLabels(parent: Node): void {
  const parts = parent.children.flatMap((child) =>
    child.role === 'label' && child.children.length > 0 ? child.children : [child],
  );
  for (let i = 1; i < parts.length; i++) {
    const field = parts[i]!;
    const label = parts[i - 1]!;
    if (!LABELLED_FIELDS.has(field.role) || field.labelId !== undefined || field.name === undefined) continue;
    if (TEXTS.has(label.role) && sameLabel(label.name, field.name)) {
      field.nameFrom = 'label';
      field.labelId = label.id;
    }
  }
}

function sameLabel(label: string | undefined, name: string): boolean {
  return label !== undefined && label.trim().replace(/[:：]$/, '') === name.trim().replace(/[:：]$/, '');
}

/**
 * Grids list their children in the order in which they were added, which users do not see. If a group contains only
 * controls with bounds, they are sorted in reading order: row by row, left to right.
 */
function sortInReadingOrder(group: Node): void {
  const { children } = group;
  if (children.length < 3 || !children.every((child) => child.bounds && isLeaf(child))) return;
  const placed = children.map((child) => ({ child, box: child.bounds! }));
  placed.sort((a, b) => a.box.y - b.box.y || a.box.x - b.box.x);
  const rows: (typeof placed)[] = [];
  for (const item of placed) {
    const row = rows.at(-1);
    const top = row?.[0]?.box;
    // Same row: its top lies in the upper half of the first element of the row.
    if (row && top && item.box.y < top.y + top.height / 2) row.push(item);
    else rows.push([item]);
  }
  group.children = rows.flatMap((row) => row.sort((a, b) => a.box.x - b.box.x).map((item) => item.child));
}

function isLeaf(node: Node): boolean {
  return node.children.every((child) => TEXTS.has(child.role) || (child.role === 'group' && isLeaf(child)));
}

const TEXT_FIELDS: ReadonlySet<Role> = new Set(['textbox', 'searchbox', 'passwordbox']);
const BUTTONS: ReadonlySet<Role> = new Set(['button', 'togglebutton', 'menubutton']);

/** Removes boxes that toolkits add around or inside visible elements. */
function unwrap(node: Node): void {
  if (node.role === 'tablist') unwrapHiddenTabs(node);
  if (TEXT_FIELDS.has(node.role)) node.children = node.children.filter((child) => !isEmptyGroup(child));
  if (node.role === 'combobox') node.children = removeArrowButton(node.children);
  node.children = node.children.map((child) => (child.role === 'toolbar' ? unwrapSingleTool(child) : child));
  if (isContainer(node) && toolsIn(node).some((tool) => TEXT_FIELDS.has(tool.role) && tool.name === node.name))
    delete node.name;
  if (isContainer(node) && node.states.focused && node.children.some(containsFocus)) delete node.states.focused;
}

/** A notebook with a hidden tab strip still exposes a tab without name and bounds around each page. */
function unwrapHiddenTabs(tabs: Node): void {
  tabs.children = tabs.children.flatMap((tab) =>
    tab.role === 'tab' && tab.name === undefined && !tab.bounds ? tab.children : [tab],
  );
  if (tabs.children.length > 0 && !tabs.children.some((child) => child.role === 'tab')) tabs.role = 'group';
}

/** Qt text areas contain a viewport that reports focus too. */
function isEmptyGroup({ role, name, children }: Node): boolean {
  return role === 'group' && name === undefined && children.every(isEmptyGroup);
}

/** The button that opens a GTK 4 combo box. A click on the combo box does the same. */
function removeArrowButton(parts: Node[]): Node[] {
  return parts.flatMap((part) => {
    if (part.name !== undefined) return [part];
    if (isContainer(part)) return removeArrowButton(part.children);
    return BUTTONS.has(part.role) && part.children.every(isEmptyGroup) ? [] : [part];
  });
}

/** LibreOffice's sidebar wraps each button in a toolbar of the same name. */
function unwrapSingleTool(bar: Node): Node {
  const tools = toolsIn(bar);
  const [tool] = tools;
  if (tools.length !== 1 || !tool || !BUTTONS.has(tool.role) || bar.name === undefined) return bar;
  if (tool.name !== undefined && tool.name !== bar.name) return bar;
  return { ...tool, name: bar.name };
}

function toolsIn(node: Node): Node[] {
  return node.children.flatMap((child) => (isContainer(child) && child.name === undefined ? toolsIn(child) : [child]));
}

function isContainer({ role }: Node): boolean {
  return role === 'group' || role === 'scrollpane';
}

/** A box around the focused element may report focus too. Only the inner one keeps it. */
function containsFocus(node: Node): boolean {
  return node.states.focused === true || node.children.some(containsFocus);
}
