import type { Skip } from '../stage.js';

/** One reason, and the cases that it stands for. */
function gaps(driver: string, reason: string, ...cases: string[]): Skip[] {
  return cases.map((name) => ({ driver, case: name, reason }));
}

const GTK3 = 'tools, GTK 3';
const GTK4 = 'tools, GTK 4';
const QT = 'tools, Qt';
const CHROMIUM = 'tools, Chromium';

const INTO_VIEW = ['ui_click: what is scrolled out is brought into view for the mouse', 'ui_act: scroll_into_view'];
const ALERT = 'dialog: an alert of a page is read and closed';

/** What a toolkit cannot do, with the reason. Each is tried all the same; one that works fails the run. */
export const TOOL_SKIPS: Skip[] = [
  ...[GTK3, GTK4, QT].flatMap((driver) => [
    ...gaps(driver, 'It offers no call that scrolls an element into view; ui_scroll until does it.', ...INTO_VIEW),
    ...gaps(driver, 'Alerts are a thing of web pages.', ALERT),
  ]),
  ...gaps(
    GTK4,
    'GTK 4.8 offers no action for check boxes and radio buttons; the mouse does it.',
    'ui_click: a check box, by pattern',
    'ui_click: a radio button, by pattern',
    'ui_act: toggle checkbox:Wrap, by pattern',
    'ui_act: check checkbox:Wrap, by pattern',
    'ui_act: check radio:Right, by pattern',
  ),
  ...gaps(
    GTK4,
    'GTK 4.8 does not expose a closed menu, and gives the button that opens it the role of a plain button.',
    'ui_click: an item of a closed menu, by pattern',
    'ui_act: expand opens a menu, and the answer names the window with the focus',
    'dialog: an item of a closed menu opens it too',
  ),
  ...gaps(
    GTK4,
    'GTK 4.8 gives the focus to nothing but a click, and a click on a slider sets it.',
    'ui_key: an arrow moves a slider',
  ),
  ...gaps(
    GTK4,
    'GTK 4.8 exposes neither the list of a combo box nor its value; its drop-downs expose both.',
    'ui_set_value: a combo box, by pattern',
    'ui_set_value: a combo box, with keys',
    'ui_set_value: a missing option is reported, and the list is closed again',
  ),
  ...gaps(
    GTK4,
    'GTK 4.8 adds what an expander shows to its name, so that its old name finds it no more.',
    'ui_act: expand togglebutton:More, again',
  ),
  ...gaps(
    QT,
    'Qt 5 has no switches, its links are a part of a label, and nothing in it unfolds.',
    'ui_click: a switch, by pattern',
    'ui_click: a switch, with the mouse',
    'ui_click: a link, by pattern',
    'ui_click: a link, with the mouse',
    'ui_act: expand togglebutton:More, by pattern',
    'ui_act: expand togglebutton:More, with the mouse',
    'ui_act: expand togglebutton:More, again',
    'ui_act: collapse',
  ),
  ...gaps(
    QT,
    'Qt 5 leaves a menu that opens at the pointer out of its tree; keys work in it.',
    'ui_click: an item of an open menu',
  ),
  ...gaps(
    QT,
    'Items of Qt 5 say that they were chosen and are not, or are selected without being the current one.',
    'ui_set_value: a combo box, by pattern',
    'ui_act: select listitem:"Item 3", by pattern',
  ),
  ...gaps(
    CHROMIUM,
    'The menu at the pointer is the browser’s own; it has no item of the page.',
    'ui_click: an item of an open menu',
  ),
  ...gaps(
    CHROMIUM,
    'A page has no menus of the desktop’s; what it shows as a menu is a part of the page.',
    'ui_act: expand opens a menu, and the answer names the window with the focus',
    'dialog: an item of a closed menu opens it too',
  ),
  ...gaps(
    CHROMIUM,
    'Chromium offers no way to write into a field; keys do it.',
    'ui_type: at the caret by pattern, from behind',
    'ui_set_value: a field, by pattern',
    'ui_set_value: a field, to nothing, by pattern',
    'ui_set_value: a text of two lines, by pattern',
  ),
];
