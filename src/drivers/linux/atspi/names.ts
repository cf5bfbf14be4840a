import {
  type Box,
  centre,
  cleanName,
  INTERACTIVE_ROLES,
  type Node,
  RANGE_ROLES,
  type Role,
  roleFromAtspi,
} from '../../../tree/index.js';
import {
  ACCESSIBLE,
  type Address,
  asAddress,
  COMPONENT,
  ERROR_MESSAGE,
  idOf,
  LABEL_FOR,
  LABELLED_BY,
  readAttributes,
  readChildAt,
  readChildCount,
  readExtents,
  readRelation,
  readRole,
  readString,
  SCREEN,
} from './accessible.js';
import type { Ancestor } from './ancestors.js';
import type { AppCalls } from './app-connection.js';
import { readText, readTextLength } from './text.js';
import type { Toolkit } from './toolkit.js';

const LABEL = 29;

const FILLER = 20;

/** The name that a user would use, or an empty text. GTK 4 class names and doubled labels are not names. */
export function usableName(raw: string, roleNumber: number, toolkit: Toolkit): { text: string; dropped: number } {
  // The accelerator of a menu item follows a TAB. It is not part of the name.
  const { text, dropped } = cleanName(removeMemoryUsage(raw.split('\t', 1)[0]!, roleNumber, toolkit));
  const name = text.trim();
  if (!toolkit.classNamesAsNames) return { text: isMisleadingName(name, roleNumber, toolkit) ? '' : name, dropped };
  if (roleNumber === FILLER || /^(Gtk|Adw|Gdk|Hdy)[A-Z]\w*$/.test(name) || GTK4_GENERIC.has(name)) {
    return { text: '', dropped };
  }
  return { text: removeDoubledLabel(name), dropped };
}

/** Chromium appends the memory usage to a tab's name. The number changes every few minutes without an event. */
const MEMORY_USAGE = / - Memory usage - [\d.,]+ ?[kKMG]?B$/;
const TAB = 37;

function removeMemoryUsage(name: string, roleNumber: number, toolkit: Toolkit): string {
  return toolkit.name === 'chromium' && roleNumber === TAB ? name.replace(MEMORY_USAGE, '') : name;
}

/** A GTK 3 combo box without a name is named after the first text of its row, here the name of the icon. */
const SYMBOLIC_ICON = /^[\w-]+-symbolic$/;
const COMBO_BOX = 11;
const TAB_LIST = 38;

const GTK4_GENERIC = new Set(['Tab', 'Tab list']);

/** Qt names a tab list after its current tab. */
function isMisleadingName(name: string, roleNumber: number, toolkit: Toolkit): boolean {
  return (roleNumber === COMBO_BOX && SYMBOLIC_ICON.test(name)) || (roleNumber === TAB_LIST && toolkit.name === 'qt');
}

/**
 * GTK 4.8 joins a button's own label, which may mark the mnemonic letter, with the label of its child: "7 7", "_Yes
 * Yes".
 */
export function removeDoubledLabel(name: string): string {
  const middle = Math.floor(name.length / 2);
  if (name[middle] !== ' ') return name;
  const [own, shown] = [name.slice(0, middle), name.slice(middle + 1)];
  return own === shown || (own.length > shown.length && own.replace('_', '') === shown) ? shown : name;
}

export interface LabelName {
  name: string;
  labelId: string;
}

/** The name from the element that labels this one. */
export async function nameFromLabel(calls: AppCalls, path: string): Promise<LabelName | undefined> {
  const [own] = await readRelation(calls, path, LABELLED_BY);
  const label = own ?? (calls.app.toolkit.drawnByLabels ? await labelBefore(calls, path) : undefined);
  if (!label || label[0] !== calls.app.busName) return undefined;
  const name = await ownText(calls, label);
  return name === '' ? undefined : { name, labelId: idOf(label) };
}

/** The element before this one, if it is a label and names this one as its field. */
async function labelBefore(calls: AppCalls, path: string): Promise<Address | undefined> {
  const [index, parent] = await Promise.all([
    calls.maybe(calls.call(path, ACCESSIBLE, 'GetIndexInParent')),
    calls.maybe(calls.get(path, ACCESSIBLE, 'Parent')).then(asAddress),
  ]);
  if (typeof index?.[0] !== 'number' || index[0] < 1 || parent?.[0] !== calls.app.busName) return undefined;
  const before = await readChildAt(calls, parent[1], index[0] - 1);
  if (!before || (await readRole(calls, before[1])) !== LABEL) return undefined;
  const fields = await readRelation(calls, before[1], LABEL_FOR);
  return fields.some((field) => field[1] === path) ? before : undefined;
}

/** The app's error message for an invalid field. */
export async function errorMessage(calls: AppCalls, path: string): Promise<string | undefined> {
  const [message] = await readRelation(calls, path, ERROR_MESSAGE);
  if (!message || message[0] !== calls.app.busName) return undefined;
  return (await ownText(calls, message)) || undefined;
}

async function ownText(calls: AppCalls, [, path]: Address): Promise<string> {
  const name = cleanName(await readString(calls, path, ACCESSIBLE, 'Name')).text.trim();
  if (name !== '') return name;
  const length = await readTextLength(calls, path);
  return length ? cleanName(await readText(calls, path, 0, Math.min(length, 400))).text.trim() : '';
}

const MAX_TOOLTIP_NAME = 80;
/** `[Escape]`, `(Ctrl+Alt+2)`, `(F3)`: a keyboard shortcut, not part of the name. */
const SHORTCUT_SUFFIX =
  /\s*[([](?:(?:Ctrl|Control|Alt|Shift|Super|Meta)\+\S{1,12}|F\d{1,2}|Esc|Escape|Del|Delete|Enter|Return|Space|Tab|[^\s\w])[)\]]$/;

/**
 * Icon buttons without a name are described by their tooltip. GTK 3 attaches the tooltip of a tool button to the box
 * around it. The description of a range only repeats its number.
 */
export async function nameFromTooltip(calls: AppCalls, path: string, node: Node): Promise<string | undefined> {
  if (!INTERACTIVE_ROLES.has(node.role) || RANGE_ROLES.has(node.role)) return undefined;
  const own = firstLine(calls, await readString(calls, path, ACCESSIBLE, 'Description'));
  if (own !== '' || !TOOL_ITEM_ROLES.has(node.role) || !calls.app.toolkit.tooltipOnParent) return own || undefined;
  const parent = asAddress(await calls.maybe(calls.get(path, ACCESSIBLE, 'Parent')));
  if (parent?.[0] !== calls.app.busName || (await readChildCount(calls, parent[1])) !== 1) return undefined;
  return firstLine(calls, await readString(calls, parent[1], ACCESSIBLE, 'Description')) || undefined;
}

const TOOL_ITEM_ROLES: ReadonlySet<Role> = new Set(['button', 'togglebutton', 'menubutton', 'radio', 'checkbox']);

/** The placeholder text of a field without a name, or its tooltip. */
export async function nameFromPlaceholder(calls: AppCalls, path: string): Promise<string | undefined> {
  const placeholder = (await readAttributes(calls, path)).get('placeholder-text') ?? '';
  return firstLine(calls, placeholder || (await readString(calls, path, ACCESSIBLE, 'Description'))) || undefined;
}

function firstLine(calls: AppCalls, raw: string): string {
  // Qt tooltips may contain rich text.
  const plain = calls.app.toolkit.name === 'qt' ? raw.replace(/<[^<>]{1,200}>/g, '') : raw;
  const line = plain.trim().split('\n', 1)[0]!.replace(SHORTCUT_SUFFIX, '');
  return cleanName(line, MAX_TOOLTIP_NAME).text.trim();
}

/** A field, its list and its arrow. */
const MAX_FIELD_PARTS = 3;
const MAX_BOX_LEVELS = 16;
const ROOT_PANE = 46;

/**
 * LibreOffice names the box of a combo box ("Font Name") instead of the field, which is nested several boxes deeper. A
 * box around more parts names a group, not a field.
 */
export function fieldNameFromBox(
  role: Role,
  name: string | undefined,
  count: number,
  outerName?: string,
): string | undefined {
  if (role !== 'group' || count > MAX_FIELD_PARTS) return undefined;
  if (name === undefined) return outerName;
  return count === 1 ? name : undefined;
}

/**
 * The same for a field that is read alone. Its ancestors leave out these boxes, but hit tests from the pane down to its
 * position find them.
 */
export async function readFieldNameFromBox(
  calls: AppCalls,
  ancestors: readonly Ancestor[],
  box: Box,
): Promise<string | undefined> {
  const pane = ancestors.findIndex(({ roleNumber }) => roleNumber === ROOT_PANE);
  const inner = ancestors[pane];
  const outer = ancestors[pane - 1];
  if (!inner || !outer) return undefined;
  const [own, outerBox] = await Promise.all([
    readExtents(calls, inner.address[1]),
    readExtents(calls, outer.address[1]),
  ]);
  if (!own || !outerBox) return undefined;
  const middle = centre(box);
  // Hit tests in LibreOffice's own boxes use the coordinates of the pane.
  const at = [middle.x + own.x - outerBox.x, middle.y + own.y - outerBox.y, SCREEN];
  let current: Address | undefined = inner.address;
  let boxName: string | undefined;
  for (let level = 0; level < MAX_BOX_LEVELS; level++) {
    const answer: unknown[] | undefined = await calls.maybe(
      calls.call(current[1], COMPONENT, 'GetAccessibleAtPoint', 'iiu', at),
    );
    const next: Address | undefined = asAddress(answer?.[0]);
    if (!next || next[0] !== calls.app.busName || next[1] === current[1]) break;
    const [roleNumber, name, count] = await Promise.all([
      readRole(calls, next[1]),
      readString(calls, next[1], ACCESSIBLE, 'Name'),
      readChildCount(calls, next[1]),
    ]);
    boxName = fieldNameFromBox(roleFromAtspi(roleNumber), name.trim() || undefined, count, boxName);
    current = next;
  }
  return boxName;
}

/**
 * AT-SPI reports "menu" for a menu bar entry that opens a menu, "frame" for a box inside a window, and "split pane" for
 * the box around both halves.
 */
export function refineRole(role: Role, parent: Role, name: string, childCount: number, drawnByLabels = false): Role {
  if (drawnByLabels) return roleOfDrawn(role, parent) ?? refineRole(role, parent, name, childCount);
  if (role === 'splitter' && childCount > 0) return 'group';
  if (role === 'menu' && name !== '' && (parent === 'menubar' || parent === 'menu' || parent === 'menuitem')) {
    return 'menuitem';
  }
  if (role === 'window' && parent !== 'application' && parent !== 'desktop') return 'group';
  return role;
}

const MENUS: ReadonlySet<Role> = new Set(['menu', 'menuitem', 'popup']);

/** What a label or a check box in a list, a tree or a menu of Swing stands for; undefined for all others. */
export function roleOfDrawn(role: Role, parent: Role): Role | undefined {
  if (role === 'label' && (parent === 'tree' || parent === 'treeitem')) return 'treeitem';
  if (role === 'label' && (parent === 'list' || parent === 'listbox')) return 'listitem';
  if (role === 'checkbox' && MENUS.has(parent)) return 'menuitemcheckbox';
  if (role === 'radio' && MENUS.has(parent)) return 'menuitemradio';
  return undefined;
}

/** Where GTK 4 reports a class as the name, the class is more specific than the role. */
const GTK4_CLASSES: Readonly<Record<string, Role>> = { GtkSwitch: 'switch', GtkToggleButton: 'togglebutton' };

export function roleFromClassName(role: Role, rawName: string): Role {
  return role === 'button' || role === 'checkbox' ? (GTK4_CLASSES[rawName.trim()] ?? role) : role;
}
