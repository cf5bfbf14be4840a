import type { RoleRow } from './roles.js';

/**
 * Every AtspiRole, in the order of its number (0 is `invalid`). Drivers use the number because role names are
 * unreliable: a GTK4 password entry has number 40 and the name "text box".
 *
 * One number can have two meanings that only the driver can tell apart; the table has the more frequent one:
 * - `text` (61) is any text widget: an entry (GTK4, Qt) or a text view. Read-only ones stay textbox with `readonly`.
 * - `alert` (2) is a message dialog in GTK3, GTK4 and Chromium; ARIA's alert arrives as `notification` (101).
 * - `frame` (23) is a window with a frame. `window` (69) has none: a GTK3 popup, but also some Qt main windows.
 * - `panel`, `filler`, `section`, `grouping`, `viewport` and the panes are boxes that group; Chromium's div is a section.
 * - `icon` (26) is an image, except under GTK3's icon view (a layered pane), where it is an item to select.
 * - `internal frame` (28) is an iframe in Chromium and a window inside a window in Swing: not a top-level window.
 * - `scroll pane` (49) is also Chromium's tab panel.
 * - `table cell` (56) is a direct child of the table, without a row, in GTK3 and Qt.
 * - `toggle button` (62) is also GTK4's and Chromium's switch; `switch` (130) exists since at-spi 2.56.
 * - the choosers (9, 19, 22) and `option pane` (36) are the content of a dialog, not the dialog.
 */
export const ATSPI_ROLES: readonly RoleRow[] = [
  ['invalid', 'unknown'], // 0
  ['accelerator label', 'label'],
  ['alert', 'alertdialog'],
  ['animation', 'image'],
  ['arrow', 'image'],
  ['calendar', 'calendar'],
  ['canvas', 'canvas'],
  ['check box', 'checkbox'],
  ['check menu item', 'menuitemcheckbox'],
  ['color chooser', 'group'],
  ['column header', 'columnheader'], // 10
  ['combo box', 'combobox'],
  ['date editor', 'textbox'],
  ['desktop icon', 'listitem'],
  ['desktop frame', 'desktop'],
  ['dial', 'slider'],
  ['dialog', 'dialog'],
  ['directory pane', 'group'],
  ['drawing area', 'canvas'],
  ['file chooser', 'group'],
  ['filler', 'group'], // 20
  ['focus traversable', 'group'],
  ['font chooser', 'group'],
  ['frame', 'window'],
  ['glass pane', 'group'],
  ['html container', 'document'],
  ['icon', 'image'],
  ['image', 'image'],
  ['internal frame', 'region'],
  ['label', 'label'],
  ['layered pane', 'group'], // 30
  ['list', 'list'],
  ['list item', 'listitem'],
  ['menu', 'menu'],
  ['menu bar', 'menubar'],
  ['menu item', 'menuitem'],
  ['option pane', 'group'],
  ['page tab', 'tab'],
  ['page tab list', 'tablist'],
  ['panel', 'group'],
  ['password text', 'passwordbox'], // 40
  ['popup menu', 'menu'],
  ['progress bar', 'progressbar'],
  ['push button', 'button'],
  ['radio button', 'radio'],
  ['radio menu item', 'menuitemradio'],
  ['root pane', 'group'],
  ['row header', 'rowheader'],
  ['scroll bar', 'scrollbar'],
  ['scroll pane', 'scrollpane'],
  ['separator', 'separator'], // 50
  ['slider', 'slider'],
  ['spin button', 'spinbutton'],
  ['split pane', 'splitter'],
  ['status bar', 'statusbar'],
  ['table', 'table'],
  ['table cell', 'cell'],
  ['table column header', 'columnheader'],
  ['table row header', 'rowheader'],
  ['tearoff menu item', 'menuitem'],
  ['terminal', 'terminal'], // 60
  ['text', 'textbox'],
  ['toggle button', 'togglebutton'],
  ['tool bar', 'toolbar'],
  ['tool tip', 'tooltip'],
  ['tree', 'tree'],
  ['tree table', 'treegrid'],
  ['unknown', 'unknown'],
  ['viewport', 'group'],
  ['window', 'window'],
  ['extended', 'unknown'], // 70
  ['header', 'region'],
  ['footer', 'region'],
  ['paragraph', 'paragraph'],
  ['ruler', 'group'],
  ['application', 'application'],
  ['autocomplete', 'combobox'],
  ['editbar', 'textbox'],
  ['embedded', 'group'],
  ['entry', 'textbox'],
  ['chart', 'figure'], // 80
  ['caption', 'caption'],
  ['document frame', 'document'],
  ['heading', 'heading'],
  ['page', 'group'],
  ['section', 'group'],
  ['redundant object', 'group'],
  ['form', 'form'],
  ['link', 'link'],
  ['input method window', 'popup'],
  ['table row', 'row'], // 90
  ['tree item', 'treeitem'],
  ['document spreadsheet', 'document'],
  ['document presentation', 'document'],
  ['document text', 'document'],
  ['document web', 'document'],
  ['document email', 'document'],
  ['comment', 'article'],
  ['list box', 'listbox'],
  ['grouping', 'group'],
  ['image map', 'image'], // 100
  ['notification', 'alert'],
  ['info bar', 'alert'],
  ['level bar', 'meter'],
  ['title bar', 'titlebar'],
  ['block quote', 'group'],
  ['audio', 'audio'],
  ['video', 'video'],
  ['definition', 'group'],
  ['article', 'article'],
  ['landmark', 'region'], // 110
  ['log', 'log'],
  ['marquee', 'log'],
  ['math', 'math'],
  ['rating', 'meter'],
  ['timer', 'timer'],
  ['static', 'text'],
  ['math fraction', 'math'],
  ['math root', 'math'],
  ['subscript', 'text'],
  ['superscript', 'text'], // 120
  ['description list', 'list'],
  ['description term', 'group'],
  ['description value', 'group'],
  ['footnote', 'group'],
  ['content deletion', 'mark'],
  ['content insertion', 'mark'],
  ['mark', 'mark'],
  ['suggestion', 'group'],
  ['push button menu', 'menubutton'],
  ['switch', 'switch'], // 130
];

/** Names that newer versions use for an old number. */
export const ATSPI_RENAMED: readonly RoleRow[] = [['button', 'button']];
