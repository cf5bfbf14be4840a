import type { RoleRow } from './roles.js';

/** The number of the first row below; UI Automation counts its control types from here, without gaps. */
export const UIA_FIRST = 50_000;

/**
 * Every UI Automation control type, 50000 to 50040. The driver refines by pattern and property: Edit with IsPassword is
 * a passwordbox, Button with Toggle a togglebutton, an editable Document a textbox, a modal Window a dialog. `Tab` is
 * the row of tabs, `TabItem` one tab. `Thumb` is any drag handle.
 */
export const UIA_ROLES: readonly RoleRow[] = [
  ['Button', 'button'], // 50000
  ['Calendar', 'calendar'],
  ['CheckBox', 'checkbox'],
  ['ComboBox', 'combobox'],
  ['Edit', 'textbox'],
  ['Hyperlink', 'link'],
  ['Image', 'image'],
  ['ListItem', 'listitem'],
  ['List', 'list'],
  ['Menu', 'menu'],
  ['MenuBar', 'menubar'], // 50010
  ['MenuItem', 'menuitem'],
  ['ProgressBar', 'progressbar'],
  ['RadioButton', 'radio'],
  ['ScrollBar', 'scrollbar'],
  ['Slider', 'slider'],
  ['Spinner', 'spinbutton'],
  ['StatusBar', 'statusbar'],
  ['Tab', 'tablist'],
  ['TabItem', 'tab'],
  ['Text', 'text'], // 50020
  ['ToolBar', 'toolbar'],
  ['ToolTip', 'tooltip'],
  ['Tree', 'tree'],
  ['TreeItem', 'treeitem'],
  ['Custom', 'unknown'],
  ['Group', 'group'],
  ['Thumb', 'splitter'],
  ['DataGrid', 'grid'],
  ['DataItem', 'row', 'listitem'],
  ['Document', 'document'], // 50030
  ['SplitButton', 'menubutton'],
  ['Window', 'window'],
  ['Pane', 'group'],
  ['Header', 'rowgroup'],
  ['HeaderItem', 'columnheader'],
  ['Table', 'table'],
  ['TitleBar', 'titlebar'],
  ['Separator', 'separator'],
  ['SemanticZoom', 'list'],
  ['AppBar', 'toolbar'], // 50040
];
