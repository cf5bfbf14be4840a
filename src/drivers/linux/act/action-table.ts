import type { Role } from '../../../tree/index.js';
import type { ToolkitName } from '../atspi/toolkit.js';

/** What a named action of an element does. */
export type Verb = 'invoke' | 'toggle' | 'select' | 'expand' | 'collapse' | 'contextMenu';

export interface ActionRow {
  verbs: readonly Verb[];
  roles: readonly Role[];
  /** Action.GetName, which no toolkit translates; the first that is offered is used. */
  names: readonly string[];
  /** The toolkit gives this role's action no name: the one with this number, if it is the only one. */
  namelessAt?: 0;
  /** Done to what is selected it would take the selection away: it is left alone then. */
  unselects?: true;
  /** What it takes besides doing its work; told in the answer. */
  takes?: string;
}

const MENU = 'opens a menu, which takes pointer and keyboard';
const LIST = 'opens a list, which takes pointer and keyboard';
const ITEMS: readonly Role[] = ['menuitem', 'menuitemcheckbox', 'menuitemradio'];
const CHECKS: readonly Role[] = ['checkbox', 'switch', 'togglebutton', 'menuitemcheckbox'];
const ALL: readonly Verb[] = ['invoke', 'toggle', 'select'];

/**
 * Which action does what, by toolkit and role, as measured on real apps. What is not here is never used: labels and
 * texts of GTK 4 offer `clipboard.copy` and `selection.delete`, static text in Chromium `clickAncestor`, and `activate`
 * of an entry is Enter, not a click. GTK 4.8 has no action for check boxes, radio buttons, tabs and rows.
 */
export const ACTION_TABLE: Record<ToolkitName, readonly ActionRow[]> = {
  gtk3: [
    {
      verbs: ALL,
      roles: ['button', 'link', 'radio', 'columnheader', 'menubutton', ...CHECKS, ...ITEMS],
      names: ['click', 'toggle'],
    },
    { verbs: ['invoke', 'toggle', 'expand', 'collapse'], roles: ['togglebutton'], names: ['activate'] },
    { verbs: ['invoke', 'expand', 'collapse'], roles: ['menu'], names: ['click'], takes: MENU },
    { verbs: ['invoke', 'expand', 'collapse'], roles: ['combobox'], names: ['press'], takes: LIST },
    { verbs: ['expand', 'collapse'], roles: ['cell', 'row', 'treeitem'], names: ['expand or contract'] },
    // A renderer with a tick in it; `activate` of a cell is a double click, and a single one only selects.
    { verbs: ['toggle', 'invoke'], roles: ['cell'], names: ['toggle'] },
  ],
  gtk4: [
    {
      verbs: ALL,
      roles: ['button', 'link', 'columnheader', 'menubutton', ...CHECKS, ...ITEMS],
      names: ['click', 'toggle'],
    },
    { verbs: ['invoke', 'expand', 'collapse'], roles: ['button', 'togglebutton'], names: ['activate'] },
    // What a row of a tree has around its words; a click with the mouse selects the row instead.
    { verbs: ['expand'], roles: ['group'], names: ['listitem.expand'] },
    { verbs: ['collapse'], roles: ['group'], names: ['listitem.collapse'] },
  ],
  qt: [
    { verbs: ALL, roles: ['button', 'link', 'tab', 'menubutton', ...ITEMS], names: ['Press', 'Toggle'] },
    { verbs: ALL, roles: ['radio', ...CHECKS], names: ['Toggle', 'Press'] },
    {
      verbs: ['invoke', 'expand'],
      roles: ['menuitem', 'menu', 'button', 'menubutton'],
      names: ['ShowMenu'],
      takes: MENU,
    },
    { verbs: ['invoke', 'expand'], roles: ['combobox'], names: ['ShowMenu'], takes: LIST },
    // Items say `Toggle`: in a combo box it does nothing at all, in a list it selects without making it the current one.
  ],
  chromium: [
    {
      verbs: ALL,
      roles: [
        'button',
        'link',
        'radio',
        'tab',
        'option',
        'listitem',
        'treeitem',
        'columnheader',
        'menubutton',
        ...CHECKS,
        ...ITEMS,
      ],
      // The default action of the element under the name that says what it would do now; `doDefault` in the browser's
      // own frame, where it has none.
      names: ['press', 'click', 'check', 'uncheck', 'jump', 'open', 'doDefault'],
    },
    { verbs: ALL, roles: ['option', 'listitem', ...ITEMS], names: ['select'], unselects: true },
    {
      verbs: ['expand', 'collapse'],
      roles: ['button', 'togglebutton', 'treeitem', 'menuitem', 'row', 'cell', 'link', 'tab'],
      names: ['press', 'click', 'open', 'expand', 'collapse', 'select'],
    },
    {
      verbs: ['invoke', 'expand', 'collapse'],
      roles: ['combobox', 'menubutton'],
      names: ['open', 'press', 'click'],
      takes: LIST,
    },
    {
      verbs: ['contextMenu'],
      roles: [
        'button',
        'link',
        'image',
        'textbox',
        'searchbox',
        'document',
        'cell',
        'row',
        'listitem',
        'treeitem',
        'tab',
      ],
      names: ['showContextMenu'],
      takes: MENU,
    },
  ],
  libreoffice: [
    {
      verbs: ALL,
      roles: ['button', 'link', 'radio', 'columnheader', 'menubutton', ...CHECKS, ...ITEMS],
      names: ['click', 'press', 'toggle'],
    },
    { verbs: ['invoke', 'toggle', 'expand', 'collapse'], roles: ['togglebutton'], names: ['activate'] },
    { verbs: ['invoke', 'expand'], roles: ['menu'], names: ['click'], namelessAt: 0, takes: MENU },
    { verbs: ['invoke', 'expand', 'collapse'], roles: ['combobox'], names: ['press'], takes: LIST },
    { verbs: ['expand', 'collapse'], roles: ['cell', 'row', 'treeitem'], names: ['expand or contract'] },
  ],
  swing: [
    { verbs: ALL, roles: ['button', 'link', 'radio', ...CHECKS, ...ITEMS], names: ['click', 'toggle'] },
    { verbs: ['invoke', 'expand', 'collapse'], roles: ['combobox'], names: ['togglePopup', 'click'], takes: LIST },
  ],
  other: [{ verbs: ALL, roles: ['button', 'link', 'radio', ...CHECKS, ...ITEMS], names: ['click', 'press', 'toggle'] }],
};
