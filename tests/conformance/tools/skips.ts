import type { Skip } from '../stage.js';

/** One reason, and the cases that it applies to. */
function gaps(driver: string, reason: string, ...cases: string[]): Skip[] {
  return cases.map((name) => ({ driver, case: name, reason }));
}

const GTK3 = 'tools, GTK 3';
const GTK4 = 'tools, GTK 4';
const QT = 'tools, Qt';
const CHROMIUM = 'tools, Chromium';

const INTO_VIEW = ['ui_click: what is scrolled out is brought into view for the mouse', 'ui_act: scroll_into_view'];
const ALERT = 'dialog: an alert of a page is read and closed';

/** Cases that a toolkit cannot pass, with the reason. Each is still run; if one passes, the run fails. */
export const TOOL_SKIPS: Skip[] = [
  ...[GTK3, GTK4, QT].flatMap((driver) => [
    ...gaps(
      driver,
      'The toolkit has no call that scrolls an element into view; `ui_scroll` with `until` does it.',
      ...INTO_VIEW,
    ),
    ...gaps(driver, 'Only web pages have alerts.', ALERT),
  ]),
  ...gaps(
    GTK4,
    'GTK 4.8 exposes no action for check boxes and radio buttons; a mouse click works.',
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
    'GTK 4.8 moves the focus only on a click, and a click on a slider changes its value.',
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
    'GTK 4.8 adds the content of an open expander to its name, so its old name no longer matches.',
    'ui_act: expand togglebutton:More, again',
  ),
  ...gaps(
    QT,
    'Qt 5 has no switches and no expanders, and its links are part of a label.',
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
    'Qt 5 does not expose a menu that opens at the pointer; keys work in it.',
    'ui_click: an item of an open menu',
  ),
  ...gaps(
    QT,
    'Qt 5 reports an item as chosen although it is not, or selects it without making it the current item.',
    'ui_set_value: a combo box, by pattern',
    'ui_act: select listitem:"Item 3", by pattern',
  ),
  ...gaps(
    CHROMIUM,
    'The menu at the pointer belongs to the browser; it has no items of the page.',
    'ui_click: an item of an open menu',
  ),
  ...gaps(
    CHROMIUM,
    'A page has no native menus; a menu of a page is part of the page.',
    'ui_act: expand opens a menu, and the answer names the window with the focus',
    'dialog: an item of a closed menu opens it too',
  ),
  ...gaps(
    CHROMIUM,
    'Chromium has no call that writes into a field; keys do.',
    'ui_type: at the caret by pattern, from behind',
    'ui_set_value: a field, by pattern',
    'ui_set_value: a field, to nothing, by pattern',
    'ui_set_value: a text of two lines, by pattern',
  ),
];
