import type { Role } from '../../../tree/index.js';
import type { ToolkitName } from '../atspi/toolkit.js';

/** What a named action does to an element. */
export type Verb = 'invoke' | 'toggle' | 'select' | 'expand' | 'collapse' | 'contextMenu';

export interface ActionRow {
  verbs: readonly Verb[];
  roles: readonly Role[];
  /** Results of Action.GetName, which no toolkit translates. The first name that the element offers is used. */
  names: readonly string[];
  /** The toolkit gives the action of this role no name: use the action with this index if it is the only one. */
  unnamedIndex?: 0;
  /** On a selected element the action would clear the selection, so it is not used there. */
  clearsSelection?: true;
  /** A side effect of the action, reported in the result. */
  sideEffect?: string;
}

const MENU = 'opens a menu, which takes pointer and keyboard';
const LIST = 'opens a list, which takes pointer and keyboard';
const MENU_ITEMS: readonly Role[] = ['menuitem', 'menuitemcheckbox', 'menuitemradio'];
const CHECKS: readonly Role[] = ['checkbox', 'switch', 'togglebutton', 'menuitemcheckbox'];
const PRESS: readonly Verb[] = ['invoke', 'toggle', 'select'];

/**
 * Which action does what, by toolkit and role, as measured on real apps. Other actions are never used: labels and texts
 * of GTK 4 offer `clipboard.copy` and `selection.delete`, static text in Chromium offers `clickAncestor`, and
 * `activate` of an entry is Enter, not a click.
 */
export const ACTION_TABLE: Record<ToolkitName, readonly ActionRow[]> = {
  gtk3: [
    {
      verbs: PRESS,
      roles: ['button', 'link', 'radio', 'columnheader', 'menubutton', ...CHECKS, ...MENU_ITEMS],
      names: ['click', 'toggle'],
    },
    { verbs: ['invoke', 'toggle', 'expand', 'collapse'], roles: ['togglebutton'], names: ['activate'] },
    { verbs: ['invoke', 'expand', 'collapse'], roles: ['menu'], names: ['click'], sideEffect: MENU },
    { verbs: ['invoke', 'expand', 'collapse'], roles: ['combobox'], names: ['press'], sideEffect: LIST },
    { verbs: ['expand', 'collapse'], roles: ['cell', 'row', 'treeitem'], names: ['expand or contract'] },
    // A cell renderer with a check mark. `activate` of a cell is a double click, and a single click only selects it.
    { verbs: ['toggle', 'invoke'], roles: ['cell'], names: ['toggle'] },
  ],
  // GTK 4.8 has no action for check boxes, radio buttons, tabs and rows: `patternThenInput` falls back to the mouse.
  // Check boxes are in the row for versions that offer one; only actions that the element offers are used.
  gtk4: [
    {
      verbs: PRESS,
      roles: ['button', 'link', 'columnheader', 'menubutton', ...CHECKS, ...MENU_ITEMS],
      names: ['click', 'toggle'],
    },
    { verbs: ['invoke', 'expand', 'collapse'], roles: ['button', 'togglebutton'], names: ['activate'] },
    // The group around the text in a row of a tree. A mouse click selects the row instead.
    { verbs: ['expand'], roles: ['group'], names: ['listitem.expand'] },
    { verbs: ['collapse'], roles: ['group'], names: ['listitem.collapse'] },
  ],
  qt: [
    { verbs: PRESS, roles: ['button', 'link', 'tab', 'menubutton', ...MENU_ITEMS], names: ['Press', 'Toggle'] },
    { verbs: PRESS, roles: ['radio', ...CHECKS], names: ['Toggle', 'Press'] },
    {
      verbs: ['invoke', 'expand'],
      roles: ['menuitem', 'menu', 'button', 'menubutton'],
      names: ['ShowMenu'],
      sideEffect: MENU,
    },
    { verbs: ['invoke', 'expand'], roles: ['combobox'], names: ['ShowMenu'], sideEffect: LIST },
    // Items offer `Toggle`: in a combo box it does nothing, in a list it selects the item without making it current.
  ],
  chromium: [
    {
      verbs: PRESS,
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
        ...MENU_ITEMS,
      ],
      // The default action of the element, whose name says what it would do now. Elements of the browser's own frame
      // have only `doDefault`.
      names: ['press', 'click', 'check', 'uncheck', 'jump', 'open', 'doDefault'],
    },
    { verbs: PRESS, roles: ['option', 'listitem', ...MENU_ITEMS], names: ['select'], clearsSelection: true },
    {
      verbs: ['expand', 'collapse'],
      roles: ['button', 'togglebutton', 'treeitem', 'menuitem', 'row', 'cell', 'link', 'tab'],
      names: ['press', 'click', 'open', 'expand', 'collapse', 'select'],
    },
    {
      verbs: ['invoke', 'expand', 'collapse'],
      roles: ['combobox', 'menubutton'],
      names: ['open', 'press', 'click'],
      sideEffect: LIST,
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
      sideEffect: MENU,
    },
  ],
  gecko: [
    {
      verbs: PRESS,
      roles: ['button', 'link', 'tab', 'columnheader', 'menubutton', ...CHECKS, ...MENU_ITEMS],
      // The default action of the element, whose name says what it would do now. `activate` of a field is Enter, and
      // `select` of an option in a closed list does not inform the page.
      names: ['press', 'click', 'check', 'uncheck', 'jump', 'switch'],
    },
    { verbs: PRESS, roles: ['radio'], names: ['select'] },
    {
      verbs: ['expand', 'collapse'],
      roles: ['button', 'togglebutton', 'treeitem', 'menuitem', 'row', 'cell', 'link'],
      names: ['press', 'click', 'expand', 'collapse'],
    },
    {
      verbs: ['invoke', 'expand', 'collapse'],
      roles: ['combobox', 'menu'],
      names: ['open', 'close'],
      sideEffect: LIST,
    },
  ],
  libreoffice: [
    {
      verbs: PRESS,
      roles: ['button', 'link', 'radio', 'columnheader', 'menubutton', ...CHECKS, ...MENU_ITEMS],
      names: ['click', 'press', 'toggle'],
    },
    { verbs: ['invoke', 'toggle', 'expand', 'collapse'], roles: ['togglebutton'], names: ['activate'] },
    { verbs: ['invoke', 'expand'], roles: ['menu'], names: ['click'], unnamedIndex: 0, sideEffect: MENU },
    { verbs: ['invoke', 'expand', 'collapse'], roles: ['combobox'], names: ['press'], sideEffect: LIST },
    { verbs: ['expand', 'collapse'], roles: ['cell', 'row', 'treeitem'], names: ['expand or contract'] },
  ],
  swing: [
    { verbs: PRESS, roles: ['button', 'link', 'radio', ...CHECKS, ...MENU_ITEMS], names: ['click', 'toggle'] },
    { verbs: ['invoke', 'expand', 'collapse'], roles: ['combobox'], names: ['togglePopup', 'click'], sideEffect: LIST },
    { verbs: ['expand', 'collapse'], roles: ['treeitem'], names: ['toggleexpand'] },
  ],
  other: [
    { verbs: PRESS, roles: ['button', 'link', 'radio', ...CHECKS, ...MENU_ITEMS], names: ['click', 'press', 'toggle'] },
  ],
};
