import type { DesktopSpec, WidgetSpec, WindowSpec } from '../../src/drivers/fake/index.js';
import {
  BYSTANDER,
  CANARY,
  DIALOG,
  HIDDEN,
  ITEM_BUTTON,
  itemName,
  ITEMS,
  LABEL,
  MAIN,
  NOTES,
  ORDER_HEADERS,
  ORDER_ROWS,
  orderRow,
} from './scene.js';

const row = (...children: WidgetSpec[]): WidgetSpec => ({ role: 'group', layout: 'row', children });

export const MAIN_WINDOW: WindowSpec = {
  key: 'main',
  title: MAIN,
  app: 'fixture',
  pid: 100,
  bounds: { x: 60, y: 40, width: 640, height: 720 },
  children: [
    row(
      { role: 'button', name: 'Save' },
      { role: 'button', name: 'Delete', states: { enabled: false } },
      { role: 'button', name: 'Ask…', does: (controls) => void controls.openWindow(DIALOG_WINDOW) },
    ),
    row(
      { role: 'checkbox', name: 'Wrap', states: { checked: true } },
      { role: 'radio', name: 'Left', states: { checked: true } },
      { role: 'radio', name: 'Right', states: { checked: false } },
    ),
    row(
      { role: 'label', key: 'name label', name: 'Name' },
      { role: 'textbox', key: 'Name', labelledBy: 'name label', value: 'Ada', states: { focused: true } },
    ),
    row(
      { role: 'label', key: 'password label', name: 'Password' },
      { role: 'passwordbox', key: 'Password', labelledBy: 'password label', value: CANARY },
    ),
    { role: 'spinbutton', name: 'Age', value: 36, range: { min: 0, max: 130, step: 1 } },
    { role: 'slider', name: 'Volume', value: 25, range: { min: 0, max: 100 } },
    { role: 'combobox', name: 'Colour', value: 'Red', states: { expanded: false } },
    { role: 'label', key: 'label', name: LABEL },
    { role: 'textbox', name: 'Notes', text: NOTES, height: 60, states: { multiline: true } },
    { role: 'list', name: 'Items', list: { total: ITEMS, shown: 6, item } },
    {
      role: 'table',
      name: 'Orders',
      table: {
        rows: ORDER_ROWS,
        columns: 3,
        headers: [...ORDER_HEADERS],
        shownRows: 6,
        cell: (n, column) => orderRow(n)[column - 1],
      },
    },
    { role: 'group', key: 'box', children: [] },
    { role: 'label', name: HIDDEN, hidden: true },
  ],
};

function item(n: number): WidgetSpec {
  return {
    role: 'listitem',
    name: itemName(n),
    layout: 'row',
    children: [{ role: 'button', name: ITEM_BUTTON }],
  };
}

function answer(name: string): WidgetSpec {
  return { role: 'button', name, does: (controls) => controls.closeWindow('dialog') };
}

export const DIALOG_WINDOW: WindowSpec = {
  key: 'dialog',
  title: DIALOG,
  app: 'fixture',
  pid: 100,
  role: 'dialog',
  modal: true,
  of: 'main',
  bounds: { x: 200, y: 200, width: 300, height: 120 },
  children: [{ role: 'label', name: 'Go on?' }, row(answer('Yes'), answer('No'))],
};

export const BYSTANDER_WINDOW: WindowSpec = {
  key: 'bystander',
  title: BYSTANDER,
  app: 'bystander',
  pid: 200,
  bounds: { x: 760, y: 40, width: 240, height: 120 },
  children: [{ role: 'button', name: 'Hello' }],
};

/** `recycle` makes the list behave as GTK4's ListView. */
export function sceneSpec(options: { recycle?: boolean } = {}): DesktopSpec {
  const children = MAIN_WINDOW.children!.map((child) =>
    child.list && options.recycle ? { ...child, list: { ...child.list, recycle: true } } : child,
  );
  return { windows: [{ ...MAIN_WINDOW, children }, BYSTANDER_WINDOW] };
}
