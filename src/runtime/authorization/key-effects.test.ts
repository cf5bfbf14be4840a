// @module-tag safety

import { expect, it } from 'vitest';
import { parseKeys } from '../../drivers/contract/index.js';
import type { Element, Role, WindowInfo } from '../../tree/index.js';
import type { Target } from '../locate/target.js';
import { controlsOf } from './key-effects.js';
import { keyTriggers } from './key-triggers.js';

const element = (role: Role, name: string, more: Partial<Element> = {}): Element => ({
  ...{ id: name, ref: '', role, name, patterns: [], platformIds: {}, children: [] },
  ...more,
  states: { enabled: true, visible: true, ...more.states },
});
const on = (role: Role, states: Partial<Element['states']> = {}): Pick<Target, 'element' | 'path'> => ({
  element: element(role, 'Focus', { states: { enabled: true, visible: true, ...states } }),
  path: [],
});

it.each<[keys: string, role: Role, states: Partial<Element['states']>, triggers: string[]]>([
  ['Enter', 'textbox', {}, ['default']],
  ['KP_Enter', 'spinbutton', {}, ['default']],
  ['Enter', 'textbox', { multiline: true }, []],
  ['ctrl+Enter', 'textbox', { multiline: true }, ['default', 'binding']],
  ['Enter', 'terminal', {}, []],
  ['Enter', 'button', {}, ['self', 'default']],
  ['Enter', 'menuitem', {}, ['self']],
  ['Enter', 'listbox', {}, ['items', 'default']],
  ['Enter', 'menu', {}, ['items']],
  ['Space', 'menubar', {}, ['items']],
  ['Enter', 'group', {}, ['unknown']],
  ['Enter', 'text', {}, ['unknown']],
  ['Space', 'textbox', {}, []],
  ['Space', 'checkbox', {}, ['self']],
  ['Down', 'textbox', {}, []],
  ['Down Space', 'textbox', {}, ['unknown']],
  ['Right Space', 'textbox', {}, []],
  ['Down', 'radio', {}, ['radios']],
  ['Down', 'checkbox', {}, ['radios']],
  ['End', 'tab', {}, ['tabs']],
  ['PageDown', 'combobox', {}, ['items']],
  ['u', 'combobox', {}, ['items']],
  ['u', 'combobox', { editable: true }, []],
  ['u', 'button', {}, ['mnemonic']],
  ['u', 'menuitem', {}, ['unknown']],
  ['Down', 'menuitem', {}, []],
  ['Down', 'slider', {}, []],
  ['Tab', 'textbox', {}, []],
  ['Tab Down', 'button', {}, ['unknown']],
  ['ctrl+f Enter', 'textbox', {}, ['accelerator', 'unknown']],
  ['ctrl+a Delete', 'textbox', {}, ['binding']],
  ['Delete', 'listbox', {}, ['binding']],
  ['Escape Enter', 'textbox', {}, ['cancel', 'unknown']],
  ['alt+s', 'textbox', {}, ['mnemonic', 'unknown', 'binding']],
  ['alt+2', 'textbox', {}, ['tabs', 'mnemonic', 'unknown', 'binding']],
  ['ctrl+PageDown', 'textbox', {}, ['tabs', 'binding']],
  ['ctrl+s ctrl+s ctrl+d', 'textbox', {}, ['accelerator', 'accelerator']],
  ['F9', 'textbox', {}, ['accelerator']],
  ['F10', 'textbox', {}, ['binding']],
  ['ctrl+d', 'terminal', {}, []],
  ['ctrl+shift+t', 'terminal', {}, ['accelerator']],
])('%s on a %s %j: %j', (keys, role, states, triggers) => {
  expect(keyTriggers(parseKeys(keys), on(role, states)).map(({ trigger }) => trigger)).toEqual(triggers);
});

it('keys for an element that is not known can trigger anything', () => {
  expect(keyTriggers(parseKeys('Space'), undefined)).toEqual([{ trigger: 'unknown', key: 'Space' }]);
});

/** The names of what a key triggers; `?` for what is not known. */
function reached(keys: string, root: Element, focus: string, bindings: Record<string, string[]> = {}): string[] {
  const path = pathTo(root, focus)!;
  const target: Target = { window: {} as WindowInfo, element: path.at(-1)!, path: path.slice(0, -1) };
  const triggers = keyTriggers(parseKeys(keys), target);
  return controlsOf(triggers, target, new Map(Object.entries(bindings))).map((one) => one.target?.element.name ?? '?');
}

function pathTo(one: Element, name: string): Element[] | undefined {
  if (one.name === name) return [one];
  return one.children
    .map((child) => pathTo(child, name))
    .find(Boolean)
    ?.toSpliced(0, 0, one);
}

const field = element('textbox', 'Subject');
const button = (name: string, states: Partial<Element['states']> = {}): Element =>
  element('button', name, { states: { enabled: true, visible: true, ...states } });
const window = (...children: Element[]): Element => element('window', 'Window', { children });

it.each<[string, Element, string[]]>([
  ['every button where none is reported', window(field, button('Send'), button('Keep')), ['Send', 'Keep']],
  ['the reported one', window(field, button('Send', { default: false }), button('Keep', { default: true })), ['Keep']],
  ['none where all are reported as others', window(field, button('Send', { default: false })), []],
  [
    'every button while one has the focus, which is the default meanwhile',
    window(field, button('Send', { default: false }), button('Keep', { default: true, focused: true })),
    ['Send', 'Keep'],
  ],
  ['those of the form', window(element('form', 'Form', { children: [field, button('Go')] }), button('Send')), ['Go']],
  ['those around a form without any', window(element('form', 'Form', { children: [field] }), button('Send')), ['Send']],
  ['and what was not read', window(field, button('Go'), element('group', 'More', { unread: 3 })), ['Go', '?']],
  ['but not the rest of a list', window(field, button('Go'), element('list', 'Rows', { unread: 3 })), ['Go']],
])('Enter in a field presses %s', (_, root, names) => expect(reached('Enter', root, 'Subject')).toEqual(names));

const option = (name: string): Element => element('option', name);
it.each<[string, Element, string[]]>([
  ['all options', element('combobox', 'Priority', { children: [option('Low'), option('Urgent')] }), ['Low', 'Urgent']],
  ['any option of a closed list', element('combobox', 'Priority'), ['?']],
  [
    'any item that was not read',
    element('list', 'Priority', { children: [option('Low')], items: { total: 9 } }),
    ['Low', '?'],
  ],
])('a letter selects %s', (_, list, names) => expect(reached('u', window(list), 'Priority')).toEqual(names));

it.each<[keys: string, bindings: Record<string, string[]>, names: string[]]>([
  ['ctrl+s', { Send: ['ctrl+s'], Keep: ['ctrl+k'] }, ['Send']],
  ['ctrl+shift+s', { Send: ['ctrl+s'] }, ['Send']],
  ['ctrl+!', { Send: ['ctrl+shift+!'] }, ['Send']],
  ['ctrl+a', { Send: ['ctrl+a'] }, ['Send']],
  ['ctrl+a', {}, []],
  ['ctrl+KP_Enter', { Send: ['ctrl+Enter'] }, ['Send', 'Keep']],
  ['alt+x', { Send: ['alt+x'] }, ['Send', '?']],
  ['ctrl+s', { Keep: ['ctrl+k'] }, ['?']],
  ['F9', { Send: ['F9'] }, ['Send']],
  ['F9', {}, ['?']],
])('%s with the key bindings %j presses %j', (keys, bindings, names) => {
  expect(reached(keys, window(field, button('Send'), button('Keep')), 'Subject', bindings)).toEqual(names);
});

const dialog = (...children: Element[]): Element => element('dialog', 'Dialog', { children });
it.each<[string, Element, string[]]>([
  ['Cancel', dialog(field, button('Send'), button('Cancel')), ['Cancel']],
  [
    'the button that closes it',
    dialog(field, button('Send'), button('Close without saving')),
    ['Close without saving'],
  ],
  [
    'any button where none has such a name',
    dialog(field, button('Senden'), button('Abbrechen')),
    ['Senden', 'Abbrechen'],
  ],
  [
    'a control that was not read',
    dialog(field, button('Cancel'), element('group', 'More', { unread: 3 })),
    ['Cancel', '?'],
  ],
  ['nothing outside a dialog', window(field, button('Cancel')), []],
  ['Cancel of a dialog in a page', window(field, dialog(button('Cancel')), button('Close')), ['Cancel']],
])('Escape presses %s', (_, root, names) => expect(reached('Escape', root, 'Subject')).toEqual(names));
