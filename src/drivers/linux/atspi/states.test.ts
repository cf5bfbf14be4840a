import { describe, expect, test } from 'vitest';
import type { Role, States } from '../../../tree/index.js';
import { StateSet, statesOf } from './states.js';
import { toolkitFrom, type Toolkit } from './toolkit.js';

const BITS = {
  checked: 4,
  editable: 7,
  enabled: 8,
  expandable: 9,
  expanded: 10,
  focusable: 11,
  focused: 12,
  modal: 16,
  multiLine: 17,
  pressed: 20,
  selectable: 22,
  selected: 23,
  sensitive: 24,
  showing: 25,
  singleLine: 26,
  visible: 30,
  indeterminate: 32,
  required: 33,
  invalidEntry: 36,
  checkable: 41,
  readOnly: 43,
};
type Bit = keyof typeof BITS;

function states(role: Role, bits: Bit[], toolkit: Toolkit = GTK3, parentEnabled = true): States {
  const words = [0, 0];
  for (const bit of bits) words[BITS[bit] >> 5]! += 2 ** (BITS[bit] & 31);
  return statesOf(StateSet.from(words), role, toolkit, parentEnabled);
}

const GTK3 = toolkitFrom('gtk', 'mousepad');
const GTK4 = toolkitFrom('GTK', 'x');
const OFFICE = toolkitFrom('gtk', 'soffice');
const CHROMIUM = toolkitFrom('Chromium', 'Chromium');
const OTHER = toolkitFrom('Something new', 'x');

describe('enabled', () => {
  test.each([
    ['GTK 3 uses ENABLED', GTK3, ['enabled'], true, true],
    ['GTK 3 ignores SENSITIVE alone', GTK3, ['sensitive'], true, false],
    ['GTK 3 clears ENABLED on an indeterminate check box', GTK3, ['sensitive', 'indeterminate'], true, true],
    ['a disabled indeterminate check box stays disabled', GTK3, ['indeterminate'], true, false],
    ['LibreOffice paragraphs lack SENSITIVE', OFFICE, ['enabled'], true, true],
    ['GTK 4 uses SENSITIVE', GTK4, ['sensitive'], true, true],
    ['GTK 4 ignores ENABLED', GTK4, ['enabled'], true, false],
    ['GTK 4 disables children of a disabled parent', GTK4, ['sensitive'], false, false],
    ["GTK 3 ignores the parent's state", GTK3, ['enabled'], false, true],
    ['Chromium clears ENABLED on a read-only field', CHROMIUM, ['readOnly', 'focusable'], true, true],
    ['Chromium sets READ_ONLY on a disabled field too', CHROMIUM, ['readOnly'], true, false],
    ['unknown toolkits use either bit', OTHER, ['sensitive'], true, true],
    ['unknown toolkits need one of the bits', OTHER, ['visible'], true, false],
  ] as [string, Toolkit, Bit[], boolean, boolean][])('%s', (_, toolkit, bits, parentEnabled, enabled) =>
    expect(states('button', bits, toolkit, parentEnabled).enabled).toBe(enabled),
  );
});

describe('states that a role has', () => {
  test.each([
    ['an unchecked box', 'checkbox', [], { checked: false }],
    ['a checked box', 'checkbox', ['checked'], { checked: true }],
    ['neither', 'checkbox', ['indeterminate'], { checked: 'mixed' }],
    ['a check item', 'menuitemcheckbox', [], { checked: false }],
    ['a checkable cell', 'cell', ['checkable'], { checked: false }],
    ['a cell that is checked but not checkable', 'cell', ['checked'], { checked: true }],
    ['a checked menu item that is not checkable', 'menuitem', ['checked'], { checked: true }],
    ['a toggle button that is not pressed', 'togglebutton', [], { pressed: false }],
    ['a pressed toggle button is CHECKED in GTK', 'togglebutton', ['checked'], { pressed: true }],
    ['a button that is held down', 'button', ['pressed'], { pressed: true }],
    ['a selected row', 'row', ['selectable', 'selected'], { selected: true }],
    ['a selectable row', 'row', ['selectable'], { selected: false }],
    ['a collapsed branch', 'treeitem', ['expandable'], { expanded: false }],
    ['an expanded branch', 'treeitem', ['expandable', 'expanded'], { expanded: true }],
    ['an editable field', 'textbox', ['editable'], { editable: true }],
    ['a field that is not editable', 'textbox', [], { readonly: true }],
    ['a text area', 'textbox', ['editable', 'multiLine'], { multiline: true }],
    ['an invalid entry', 'textbox', ['invalidEntry'], { invalid: true }],
    ['a required field', 'textbox', ['required'], { required: true }],
    ['a modal dialog', 'dialog', ['modal'], { modal: true }],
    ['a focused element', 'button', ['focusable', 'focused'], { focusable: true, focused: true }],
    ['a visible element', 'button', ['visible', 'showing'], { visible: true }],
    ['a hidden element', 'button', [], { visible: false }],
  ] as [string, Role, Bit[], Partial<States>][])('%s', (_, role, bits, expected) =>
    expect(states(role, bits)).toMatchObject(expected),
  );
});

describe('Qt field states', () => {
  const QT = toolkitFrom('Qt', 'kcalc');
  test.each([
    ['an editable line', 'textbox', ['editable'], undefined],
    ['a line that is both editable and read-only', 'textbox', ['editable', 'readOnly'], true],
    ['a spin button, which Qt never reports as editable', 'spinbutton', [], undefined],
  ] as [string, Role, Bit[], true | undefined][])('%s', (_, role, bits, readonly) =>
    expect(states(role, bits, QT).readonly).toBe(readonly),
  );
});

describe('Chromium field states', () => {
  test.each([
    ['a line', 'textbox', ['editable', 'singleLine'], undefined],
    ['a read-only line', 'textbox', ['readOnly', 'singleLine'], true],
    ['a single-line field without EDITABLE', 'textbox', ['singleLine'], true],
    ['a multi-line field without EDITABLE', 'textbox', ['multiLine'], true],
    ['a date, which accepts keys', 'textbox', ['focusable'], undefined],
    ['a part of a date', 'spinbutton', ['focusable'], undefined],
    ['a read-only number', 'spinbutton', ['readOnly', 'focusable'], true],
  ] as [string, Role, Bit[], true | undefined][])('%s', (_, role, bits, readonly) =>
    expect(states(role, bits, CHROMIUM).readonly).toBe(readonly),
  );
});

test('Qt reports PRESSED only while a button is held down, and CHECKED separately', () => {
  const QT = toolkitFrom('Qt', 'kcalc');
  expect(states('button', ['pressed'], QT).pressed).toBeUndefined();
  expect(states('button', ['pressed', 'checkable'], QT)).toMatchObject({ checked: false });
  expect(states('togglebutton', ['pressed'], QT)).toMatchObject({ pressed: false });
  expect(states('togglebutton', ['checked'], QT)).toMatchObject({ pressed: true });
});

describe('states that do not apply to a role are absent', () => {
  test.each([
    ['a label is neither checked nor unchecked', 'label', [], 'checked'],
    ['a menu item without a check mark', 'menuitem', [], 'checked'],
    ['a tab is selected, not pressed', 'tab', ['pressed', 'selected'], 'pressed'],
    ['a toggle button is pressed, not checked', 'togglebutton', ['checked', 'checkable'], 'checked'],
    ['a button is not selected', 'button', ['selectable', 'selected'], 'selected'],
    ['a row that is not selectable', 'row', [], 'selected'],
    ['a leaf is neither expanded nor collapsed', 'treeitem', ['expanded'], 'expanded'],
    ['a button is not read-only', 'button', [], 'readonly'],
    ['a label has no lines to edit', 'label', ['multiLine'], 'multiline'],
    ['a check box is not pressed', 'checkbox', ['checked'], 'pressed'],
  ] as [string, Role, Bit[], keyof States][])('%s', (_, role, bits, absent) =>
    expect(states(role, bits)).not.toHaveProperty(absent),
  );
});

test('an item of a closed Qt menu is visible', () => {
  expect(states('menuitem', [], toolkitFrom('Qt', 'kcalc')).visible).toBe(true);
  expect(states('menuitem', []).visible).toBe(false);
});

test.each([true, false])('Qt reports the current tab as focused, which means selected: %s', (current) => {
  const tab = states('tab', current ? ['focused'] : [], toolkitFrom('Qt', 'kcalc'));
  expect(tab.selected).toBe(current);
  expect(tab.focused).toBeUndefined();
});
