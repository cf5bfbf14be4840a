/**
 * One vocabulary for every platform, modelled on ARIA. The platforms' own names are in `atspi.ts`, `uia.ts`, `ax.ts`
 * and `aria.ts`.
 */
export const ROLES = [
  'alert',
  'alertdialog',
  'application',
  'article',
  'audio',
  'button',
  'calendar',
  'canvas',
  'caption',
  'cell',
  'checkbox',
  'columnheader',
  'combobox',
  'desktop',
  'dialog',
  'document',
  'figure',
  'form',
  'grid',
  'group',
  'heading',
  'image',
  'label',
  'link',
  'list',
  'listbox',
  'listitem',
  'log',
  'mark',
  'math',
  'menu',
  'menubar',
  'menubutton',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'meter',
  'notification',
  'option',
  'paragraph',
  'passwordbox',
  'popup',
  'progressbar',
  'radio',
  'radiogroup',
  'region',
  'row',
  'rowgroup',
  'rowheader',
  'scrollbar',
  'scrollpane',
  'searchbox',
  'separator',
  'sheet',
  'slider',
  'spinbutton',
  'splitter',
  'statusbar',
  'switch',
  'tab',
  'table',
  'tablist',
  'tabpanel',
  'terminal',
  'text',
  'textbox',
  'timer',
  'titlebar',
  'togglebutton',
  'toolbar',
  'tooltip',
  'tree',
  'treegrid',
  'treeitem',
  'unknown',
  'video',
  'window',
] as const;

/** What kind of element it is. */
export type Role = (typeof ROLES)[number];

const KNOWN: ReadonlySet<string> = new Set(ROLES);

export function isRole(word: string): word is Role {
  return KNOWN.has(word);
}

/** A platform's role name, our role for it, and other roles that users may mean by that name in a selector. */
export type RoleRow = readonly [name: string, role: Role, ...also: Role[]];

/** A selector for the key also matches the values: `button:Bold` finds a toggle button. */
export const ROLE_KINDS: Readonly<Partial<Record<Role, readonly Role[]>>> = {
  button: ['togglebutton', 'menubutton'],
  textbox: ['searchbox', 'passwordbox'],
  menuitem: ['menuitemcheckbox', 'menuitemradio'],
  checkbox: ['switch'],
  window: ['dialog', 'alertdialog'],
  dialog: ['alertdialog'],
  list: ['listbox'],
  listitem: ['option'],
  table: ['grid', 'treegrid', 'sheet'],
  text: ['label'],
};

export function roleIsA(role: Role, kind: Role): boolean {
  return role === kind || (ROLE_KINDS[kind]?.includes(role) ?? false);
}

/** Controls: elements that a user presses, sets or types into. */
export const INTERACTIVE_ROLES: ReadonlySet<Role> = new Set([
  'button',
  'checkbox',
  'combobox',
  'link',
  'menubutton',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'passwordbox',
  'radio',
  'searchbox',
  'slider',
  'spinbutton',
  'switch',
  'tab',
  'terminal',
  'textbox',
  'togglebutton',
  'treeitem',
]);

/** Only text. */
export const TEXT_ROLES: ReadonlySet<Role> = new Set(['caption', 'heading', 'label', 'mark', 'paragraph', 'text']);

/** Fields that hold typed text. */
export const TEXT_FIELD_ROLES: ReadonlySet<Role> = new Set(['textbox', 'searchbox', 'passwordbox']);

/**
 * One of many similar elements, whose widget a toolkit may reuse for another item when the list scrolls. Menu items and
 * tabs are not included: their widgets are not reused, and their names change while they stay the same ("Undo Typing").
 */
export const ITEM_ROLES: ReadonlySet<Role> = new Set(['listitem', 'option', 'row', 'treeitem']);

/** Boxes that only group: without a name they carry no information. */
export const STRUCTURE_ROLES: ReadonlySet<Role> = new Set([
  'article',
  'figure',
  'form',
  'group',
  'radiogroup',
  'region',
  'rowgroup',
  'scrollpane',
  'splitter',
  'tabpanel',
  'unknown',
]);

/** Containers of items, controls or pages, worth naming when folded. */
export const CONTAINER_ROLES: ReadonlySet<Role> = new Set([
  'grid',
  'list',
  'listbox',
  'menu',
  'menubar',
  'sheet',
  'statusbar',
  'table',
  'tablist',
  'toolbar',
  'tree',
  'treegrid',
]);

/** Roles that take their name from their content. */
export const NAMED_BY_CONTENT: ReadonlySet<Role> = new Set<Role>([
  ...ITEM_ROLES,
  'alert',
  'button',
  'cell',
  'checkbox',
  'heading',
  'link',
  'menubutton',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'notification',
  'radio',
  'switch',
  'tab',
  'togglebutton',
  'tooltip',
]);

/** Numbers between limits. */
export const RANGE_ROLES: ReadonlySet<Role> = new Set(['meter', 'progressbar', 'scrollbar', 'slider', 'spinbutton']);

/** Roots of trees. */
export const WINDOW_ROLES: ReadonlySet<Role> = new Set(['window', 'dialog', 'alertdialog', 'popup']);

interface Operable {
  role: Role;
  states: { selected?: boolean; focusable?: boolean };
  patterns: readonly string[];
}

/** Items, rows and cells are controls if the app lets a user select or invoke them; a row of a plain table is not. */
export function isInteractive(element: Operable): boolean {
  if (INTERACTIVE_ROLES.has(element.role)) return true;
  if (!ITEM_ROLES.has(element.role) && element.role !== 'cell') return false;
  return (
    element.states.selected !== undefined || element.states.focusable === true || element.patterns.includes('invoke')
  );
}

/**
 * The role as printed in texts: a password field is a textbox with the state `secret`. Programs get the role itself.
 */
export function roleInText(role: string): string {
  return role === 'passwordbox' ? 'textbox' : role;
}
