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
    ['GTK 3 by ENABLED', GTK3, ['enabled'], true, true],
    ['GTK 3 not by SENSITIVE alone', GTK3, ['sensitive'], true, false],
    ['GTK 3 takes ENABLED from a box that is neither', GTK3, ['sensitive', 'indeterminate'], true, true],
    ['and leaves it disabled where it is', GTK3, ['indeterminate'], true, false],
    ['LibreOffice paragraphs lack SENSITIVE', OFFICE, ['enabled'], true, true],
    ['GTK 4 by SENSITIVE', GTK4, ['sensitive'], true, true],
    ['GTK 4 not by ENABLED', GTK4, ['enabled'], true, false],
    ['GTK 4 not in a parent that is not', GTK4, ['sensitive'], false, false],
    ['GTK 3 whatever the parent says', GTK3, ['enabled'], false, true],
    ['Chromium takes ENABLED from what is read-only', CHROMIUM, ['readOnly', 'focusable'], true, true],
    ['Chromium says so of what is disabled too', CHROMIUM, ['readOnly'], true, false],
    ['unknown toolkits by either', OTHER, ['sensitive'], true, true],
    ['unknown toolkits not by neither', OTHER, ['visible'], true, false],
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
    ['a cell that is checked though nothing says checkable', 'cell', ['checked'], { checked: true }],
    ['a tick in a menu, though nothing says checkable', 'menuitem', ['checked'], { checked: true }],
    ['a toggle button that is up', 'togglebutton', [], { pressed: false }],
    ['a toggle button that is down says CHECKED in GTK', 'togglebutton', ['checked'], { pressed: true }],
    ['a button held down', 'button', ['pressed'], { pressed: true }],
    ['a selected row', 'row', ['selectable', 'selected'], { selected: true }],
    ['a row that could be selected', 'row', ['selectable'], { selected: false }],
    ['a closed branch', 'treeitem', ['expandable'], { expanded: false }],
    ['an open branch', 'treeitem', ['expandable', 'expanded'], { expanded: true }],
    ['a field that takes text', 'textbox', ['editable'], { editable: true }],
    ['a field that does not', 'textbox', [], { readonly: true }],
    ['a text area', 'textbox', ['editable', 'multiLine'], { multiline: true }],
    ['a wrong entry', 'textbox', ['invalidEntry'], { invalid: true }],
    ['what has to be filled', 'textbox', ['required'], { required: true }],
    ['a modal dialog', 'dialog', ['modal'], { modal: true }],
    ['what has the focus', 'button', ['focusable', 'focused'], { focusable: true, focused: true }],
    ['what is shown', 'button', ['visible', 'showing'], { visible: true }],
    ['what is not', 'button', [], { visible: false }],
  ] as [string, Role, Bit[], Partial<States>][])('%s', (_, role, bits, expected) =>
    expect(states(role, bits)).toMatchObject(expected),
  );
});

describe('what Qt says of fields', () => {
  const QT = toolkitFrom('Qt', 'kcalc');
  test.each([
    ['a line that can be written into', 'textbox', ['editable'], undefined],
    ['a line that is both editable and read-only', 'textbox', ['editable', 'readOnly'], true],
    ['a spin button, which is never called editable', 'spinbutton', [], undefined],
  ] as [string, Role, Bit[], true | undefined][])('%s', (_, role, bits, readonly) =>
    expect(states(role, bits, QT).readonly).toBe(readonly),
  );
});

describe('what Chromium says of fields', () => {
  test.each([
    ['a line', 'textbox', ['editable', 'singleLine'], undefined],
    ['a line that is read-only', 'textbox', ['readOnly', 'singleLine'], true],
    ['what is only called a line', 'textbox', ['singleLine'], true],
    ['a text that is only called so', 'textbox', ['multiLine'], true],
    ['a date, which keys write', 'textbox', ['focusable'], undefined],
    ['a part of it', 'spinbutton', ['focusable'], undefined],
    ['a number that is read-only', 'spinbutton', ['readOnly', 'focusable'], true],
  ] as [string, Role, Bit[], true | undefined][])('%s', (_, role, bits, readonly) =>
    expect(states(role, bits, CHROMIUM).readonly).toBe(readonly),
  );
});

test('Qt tells of the finger on a button, which is not pressed for that, and of its tick apart from it', () => {
  const QT = toolkitFrom('Qt', 'kcalc');
  expect(states('button', ['pressed'], QT).pressed).toBeUndefined();
  expect(states('button', ['pressed', 'checkable'], QT)).toMatchObject({ checked: false });
  expect(states('togglebutton', ['pressed'], QT)).toMatchObject({ pressed: false });
  expect(states('togglebutton', ['checked'], QT)).toMatchObject({ pressed: true });
});

describe('states that a role cannot have are absent', () => {
  test.each([
    ['a label is neither checked nor unchecked', 'label', [], 'checked'],
    ['a menu item without a tick', 'menuitem', [], 'checked'],
    ['a tab is selected, not pressed', 'tab', ['pressed', 'selected'], 'pressed'],
    ['a toggle button is pressed, not checked', 'togglebutton', ['checked', 'checkable'], 'checked'],
    ['a button is not selected', 'button', ['selectable', 'selected'], 'selected'],
    ['a row that nobody can select', 'row', [], 'selected'],
    ['a leaf is neither open nor closed', 'treeitem', ['expanded'], 'expanded'],
    ['a button is not read-only', 'button', [], 'readonly'],
    ['a label has no lines to edit', 'label', ['multiLine'], 'multiline'],
    ['a check box is not up or down', 'checkbox', ['checked'], 'pressed'],
  ] as [string, Role, Bit[], keyof States][])('%s', (_, role, bits, absent) =>
    expect(states(role, bits)).not.toHaveProperty(absent),
  );
});

test('an item of a closed menu of Qt is not hidden', () => {
  expect(states('menuitem', [], toolkitFrom('Qt', 'kcalc')).visible).toBe(true);
  expect(states('menuitem', []).visible).toBe(false);
});

test.each([true, false])('the current tab of Qt says focused and means selected: %s', (current) => {
  const tab = states('tab', current ? ['focused'] : [], toolkitFrom('Qt', 'kcalc'));
  expect(tab.selected).toBe(current);
  expect(tab.focused).toBeUndefined();
});
