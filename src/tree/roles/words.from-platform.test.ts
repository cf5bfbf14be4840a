import { describe, expect, test } from 'vitest';
import { roleFromAtspi, roleFromAx, roleFromUia } from './words.js';
import { ATSPI_ROLES } from './atspi.js';
import { AX_ROLES, AX_SUBROLES } from './ax.js';
import { UIA_ROLES } from './uia.js';
import { isRole, ROLES, type Role } from './roles.js';

describe('AT-SPI', () => {
  // Numbers and names from libatspi's own enumeration: one shifted row would move every row below it.
  test.each<[number, string, Role]>([
    [0, 'invalid', 'unknown'],
    [2, 'alert', 'alertdialog'],
    [11, 'combo box', 'combobox'],
    [16, 'dialog', 'dialog'],
    [20, 'filler', 'group'],
    [23, 'frame', 'window'],
    [29, 'label', 'label'],
    [31, 'list', 'list'],
    [32, 'list item', 'listitem'],
    [37, 'page tab', 'tab'],
    [39, 'panel', 'group'],
    [40, 'password text', 'passwordbox'],
    [43, 'push button', 'button'],
    [52, 'spin button', 'spinbutton'],
    [55, 'table', 'table'],
    [56, 'table cell', 'cell'],
    [61, 'text', 'textbox'],
    [62, 'toggle button', 'togglebutton'],
    [69, 'window', 'window'],
    [75, 'application', 'application'],
    [79, 'entry', 'textbox'],
    [85, 'section', 'group'],
    [90, 'table row', 'row'],
    [95, 'document web', 'document'],
    [98, 'list box', 'listbox'],
    [101, 'notification', 'alert'],
    [103, 'level bar', 'meter'],
    [110, 'landmark', 'region'],
    [116, 'static', 'text'],
    [129, 'push button menu', 'menubutton'],
    [130, 'switch', 'switch'],
  ])('%i is %s: %s', (number, name, role) => {
    expect(ATSPI_ROLES[number]?.[0]).toBe(name);
    expect(roleFromAtspi(number)).toBe(role);
  });

  test('is complete and without duplicates', () => {
    expect(ATSPI_ROLES).toHaveLength(131);
    expect(new Set(ATSPI_ROLES.map(([name]) => name)).size).toBe(131);
  });

  test.each([131, 9999, -1, 1.5, NaN])('unassigned number %d is unknown', (number) => {
    expect(roleFromAtspi(number)).toBe('unknown');
  });
});

describe('UI Automation', () => {
  test.each<[number, string, Role]>([
    [50000, 'Button', 'button'],
    [50004, 'Edit', 'textbox'],
    [50008, 'List', 'list'],
    [50018, 'Tab', 'tablist'],
    [50019, 'TabItem', 'tab'],
    [50020, 'Text', 'text'],
    [50025, 'Custom', 'unknown'],
    [50029, 'DataItem', 'row'],
    [50032, 'Window', 'window'],
    [50036, 'Table', 'table'],
    [50040, 'AppBar', 'toolbar'],
  ])('%i is %s: %s', (id, name, role) => {
    expect(UIA_ROLES[id - 50000]?.[0]).toBe(name);
    expect(roleFromUia(id)).toBe(role);
  });

  test.each([0, 49999, 50041])('%i is unknown', (id) => {
    expect(roleFromUia(id)).toBe('unknown');
  });
});

describe('AX', () => {
  test.each<[string, string | undefined, Role]>([
    ['AXButton', undefined, 'button'],
    ['AXButton', 'AXCloseButton', 'button'],
    ['AXTextField', undefined, 'textbox'],
    ['AXTextField', 'AXSecureTextField', 'passwordbox'],
    ['AXTextField', 'AXSearchField', 'searchbox'],
    ['AXRadioButton', 'AXTabButton', 'tab'],
    ['AXCheckBox', 'AXSwitch', 'switch'],
    ['AXWindow', 'AXDialog', 'dialog'],
    ['AXWindow', 'AXStandardWindow', 'window'],
    ['AXRow', 'AXOutlineRow', 'treeitem'],
    ['AXGroup', 'AXLandmarkMain', 'region'],
    ['AXGroup', 'AXMathFraction', 'math'],
    ['AXGroup', 'AXUnknown', 'group'],
    ['AXSheet', undefined, 'dialog'],
    ['AXSomethingNew', undefined, 'unknown'],
  ])('%s %s is %s', (role, subrole, expected) => {
    expect(roleFromAx(role, subrole)).toBe(expected);
  });
});

test('tables use only our vocabulary, and nearly all of it is reachable from some platform', () => {
  const reached = new Set([...ATSPI_ROLES, ...UIA_ROLES, ...AX_ROLES, ...AX_SUBROLES].flatMap(([, ...roles]) => roles));
  for (const role of reached) expect(isRole(role)).toBe(true);
  // A sheet is a table that the driver recognised as one; an option is a list item inside a listbox.
  expect(ROLES.filter((role) => !reached.has(role))).toEqual(['option', 'sheet']);
});
