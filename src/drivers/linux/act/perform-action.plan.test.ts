import { describe, expect, test } from 'vitest';
import { DesktopError } from '../../../shared/index.js';
import type { Role } from '../../../tree/index.js';
import type { PatternAct } from '../../contract/index.js';
import type { AppCalls } from '../atspi/app-connection.js';
import { ACTION, COMPONENT, EDITABLE_TEXT, PROPERTIES, TEXT, VALUE } from '../atspi/accessible.js';
import { StateSet } from '../atspi/states.js';
import { toolkitFrom, type ToolkitName } from '../atspi/toolkit.js';
import { readCaret } from './by-text.js';
import { planAction } from './perform-action.js';
import type { ActionTarget } from './action-target.js';

const TOOLKIT_WORDS: Partial<Record<ToolkitName, [string, string]>> = {
  gtk3: ['gtk', 'app'],
  gtk4: ['GTK', 'app'],
  qt: ['Qt', 'app'],
  chromium: ['Chromium', 'app'],
  libreoffice: ['gtk', 'soffice'],
};

const BITS = {
  editable: 7,
  showing: 25,
  expandable: 9,
  expanded: 10,
  focusable: 11,
  selected: 23,
  readOnly: 43,
  checked: 4,
};

interface Widget {
  toolkit: ToolkitName;
  role: Role;
  actions?: string[];
  states?: (keyof typeof BITS)[];
  interfaces?: string[];
  numbers?: Record<string, number>;
  selection?: [number, number];
}

/** An element of an app that answers from a table. */
function subjectOf({
  toolkit,
  role,
  actions = [],
  states = [],
  interfaces,
  numbers = {},
  selection,
}: Widget): ActionTarget {
  const words = states.map((name) => BITS[name]);
  const word = (from: number): number =>
    words.filter((bit) => bit >= from && bit < from + 32).reduce((sum, bit) => sum + 2 ** (bit - from), 0);
  const bits = new StateSet(word(0), word(32));
  const answers: Record<string, (...args: unknown[]) => unknown[]> = {
    GetName: (index) => [actions[index as number] ?? ''],
    GetNSelections: () => [selection ? 1 : 0],
    GetSelection: () => selection ?? [0, 0],
  };
  const all: Record<string, number> = { NActions: actions.length, ...numbers };
  const calls = {
    app: { toolkit: toolkitFrom(...TOOLKIT_WORDS[toolkit]!), busName: ':1.1' },
    call: async (_path: string, _iface: string, member: string, _signature?: string, body: unknown[] = []) =>
      answers[member]?.(...body) ?? [],
    get: async (_path: string, _iface: string, property: string) => all[property],
    maybe: <T>(answer: Promise<T>) => answer,
    understood: <T>(value: T) => value,
  } as unknown as AppCalls;
  return {
    ...{ calls, role, bits, path: '/it', address: [':1.1', '/it'] as const },
    interfaces: new Set(interfaces ?? [ACTION, VALUE, TEXT, EDITABLE_TEXT, COMPONENT]),
    enabled: true,
    selected: states.includes('selected'),
  };
}

async function planned(widget: Widget, act: PatternAct): Promise<string> {
  try {
    const plan = await planAction(subjectOf(widget), act);
    if (!plan) return 'nothing offered';
    if ('noop' in plan) return plan.noop;
    const steps: string[] = [];
    for (let step: typeof plan | undefined = plan; step; step = step.then) {
      const { interface: iface, member, body = [] } = step.call;
      const args = iface === PROPERTIES ? [(body[2] as { value: number }).value] : body;
      steps.push(
        `${iface === PROPERTIES ? 'Value' : member} ${args.map((arg) => JSON.stringify(arg)).join(' ')}`.trim(),
      );
    }
    return steps.join(', ');
  } catch (error) {
    if (error instanceof DesktopError) return error.code;
    throw error;
  }
}

const NONE = 'nothing offered';
const act = (kind: PatternAct['kind']): PatternAct => ({ kind }) as PatternAct;

describe('which action is used', () => {
  test.each<[string, Widget, PatternAct['kind'], string]>([
    ['a button', { toolkit: 'gtk3', role: 'button', actions: ['click'] }, 'invoke', 'DoAction 0'],
    [
      'by name, at any index',
      { toolkit: 'qt', role: 'button', actions: ['SetFocus', 'Press'] },
      'invoke',
      'DoAction 1',
    ],
    ['no other action', { toolkit: 'qt', role: 'spinbutton', actions: ['SetFocus', 'Increase'] }, 'invoke', NONE],
    ['not Enter of an entry', { toolkit: 'gtk3', role: 'textbox', actions: ['activate'] }, 'invoke', NONE],
    [
      'an item of a closed menu',
      { toolkit: 'gtk3', role: 'menuitem', actions: ['click'], numbers: { ChildCount: 0 } },
      'invoke',
      'DoAction 0',
    ],
    [
      'not an item that opens a menu inside a closed menu',
      { toolkit: 'gtk3', role: 'menuitem', actions: ['click'], numbers: { ChildCount: 3 } },
      'invoke',
      'not_ready',
    ],
    [
      'a visible item that opens a menu',
      { toolkit: 'gtk3', role: 'menu', actions: ['click'], numbers: { ChildCount: 3 }, states: ['showing'] },
      'expand',
      'DoAction 0',
    ],
    [
      'not the actions of labels',
      { toolkit: 'gtk4', role: 'label', actions: ['clipboard.copy', 'link.open'] },
      'invoke',
      NONE,
    ],
    ['not of static text in a page', { toolkit: 'chromium', role: 'text', actions: ['clickAncestor'] }, 'invoke', NONE],
    ['not of boxes in a page', { toolkit: 'chromium', role: 'group', actions: ['doDefault'] }, 'invoke', NONE],
    [
      'expands a row of a tree without selecting it',
      { toolkit: 'gtk4', role: 'group', actions: ['listitem.toggle-expand', 'listitem.collapse', 'listitem.expand'] },
      'expand',
      'DoAction 2',
    ],
    ['none for GTK 4.8 check boxes', { toolkit: 'gtk4', role: 'checkbox' }, 'toggle', NONE],
    ['a switch', { toolkit: 'gtk4', role: 'checkbox', actions: ['toggle'] }, 'toggle', 'DoAction 0'],
    [
      'the only action, without a name',
      { toolkit: 'libreoffice', role: 'menu', actions: [''] },
      'expand',
      'DoAction 0',
    ],
    ['not one of several without names', { toolkit: 'libreoffice', role: 'menu', actions: ['', ''] }, 'expand', NONE],
    ['only for roles known to have no names', { toolkit: 'gtk3', role: 'menu', actions: [''] }, 'expand', NONE],
    [
      'keeps a selection',
      { toolkit: 'chromium', role: 'menuitem', actions: ['select'], states: ['selected'] },
      'invoke',
      'is selected already',
    ],
    [
      'keeps a checked radio button',
      { toolkit: 'qt', role: 'radio', actions: ['Toggle'], states: ['checked'] },
      'select',
      'is selected already',
    ],
    [
      'open',
      { toolkit: 'gtk3', role: 'togglebutton', actions: ['activate'], states: ['expandable'] },
      'expand',
      'DoAction 0',
    ],
    [
      'already expanded',
      { toolkit: 'gtk3', role: 'togglebutton', actions: ['activate'], states: ['expandable', 'expanded'] },
      'expand',
      'is expanded already',
    ],
    [
      'already collapsed',
      { toolkit: 'gtk3', role: 'togglebutton', actions: ['activate'], states: ['expandable'] },
      'collapse',
      'is collapsed already',
    ],
    ['unknown whether expanded', { toolkit: 'gtk3', role: 'combobox', actions: ['press'] }, 'collapse', NONE],
    [
      'a context menu only by its name',
      { toolkit: 'gtk4', role: 'textbox', actions: ['menu.popup'] },
      'contextMenu',
      NONE,
    ],
  ])('%s', async (_, widget, kind, expected) => expect(await planned(widget, act(kind))).toBe(expected));
});

describe('numbers', () => {
  const spin: Widget = {
    toolkit: 'gtk3',
    role: 'spinbutton',
    numbers: { CurrentValue: 35, MinimumIncrement: 5, MinimumValue: 0, MaximumValue: 38 },
  };
  test.each<[string, Widget, PatternAct, string]>([
    ['set', spin, { kind: 'setNumber', value: 7 }, 'Value 7'],
    ['not above the maximum', spin, { kind: 'setNumber', value: 99 }, 'Value 38'],
    ['not below the minimum', spin, { kind: 'setNumber', value: -1 }, 'Value 0'],
    ['a step down', spin, act('decrement'), 'Value 30'],
    ['a step up stops at the maximum', spin, act('increment'), 'Value 38'],
    [
      'step not exposed: 1',
      { ...spin, numbers: { ...spin.numbers!, MinimumIncrement: 0 } },
      act('increment'),
      'Value 36',
    ],
    [
      'step not exposed but required',
      { ...spin, numbers: { ...spin.numbers!, MinimumIncrement: 0 } },
      { kind: 'increment', exposedStep: true },
      NONE,
    ],
    ['step exposed and required', spin, { kind: 'decrement', exposedStep: true }, 'Value 30'],
    [
      'equal limits mean none',
      { ...spin, numbers: { CurrentValue: 1, MinimumValue: 0, MaximumValue: 0 } },
      { kind: 'setNumber', value: 9 },
      'Value 9',
    ],
    [
      'tenths stay tenths',
      { ...spin, numbers: { CurrentValue: 0.2, MinimumIncrement: 0.1 } },
      act('increment'),
      'Value 0.3',
    ],
    [
      'not a date in Qt, whose value is separate',
      { ...spin, toolkit: 'qt', numbers: { CurrentValue: 0, MinimumValue: 0, MaximumValue: 0, CharacterCount: 10 } },
      { kind: 'setNumber', value: 20210506 },
      NONE,
    ],
    [
      'no step in such a date',
      { ...spin, toolkit: 'qt', numbers: { CurrentValue: 0, MinimumValue: 0, MaximumValue: 0, CharacterCount: 10 } },
      act('increment'),
      NONE,
    ],
    [
      'a number in Qt, with any text around it',
      { ...spin, toolkit: 'qt', numbers: { ...spin.numbers!, CharacterCount: 5 } },
      { kind: 'setNumber', value: 7 },
      'Value 7',
    ],
    [
      'not into an empty field of a page',
      { ...spin, toolkit: 'chromium', states: ['editable'], numbers: { ...spin.numbers!, CharacterCount: 0 } },
      { kind: 'setNumber', value: 7 },
      NONE,
    ],
    [
      'into a field of a page that holds a number',
      { ...spin, toolkit: 'chromium', states: ['editable'], numbers: { ...spin.numbers!, CharacterCount: 2 } },
      { kind: 'setNumber', value: 7 },
      'Value 7',
    ],
    [
      'not a number that would be rounded',
      { ...spin, toolkit: 'chromium', states: ['editable'], numbers: { CurrentValue: 5, CharacterCount: 1 } },
      { kind: 'setNumber', value: 12.34 },
      'pattern_unsupported',
    ],
    [
      'no step to such a number',
      {
        ...spin,
        toolkit: 'chromium',
        states: ['editable'],
        numbers: { CurrentValue: Math.fround(19.99), CharacterCount: 5 },
      },
      act('increment'),
      'pattern_unsupported',
    ],
    [
      'a slider rounds to its step itself',
      { toolkit: 'chromium', role: 'slider', numbers: { CurrentValue: 0.5, MinimumValue: 0, MaximumValue: 1 } },
      { kind: 'setNumber', value: 0.3 },
      'Value 0.3',
    ],
    [
      'steps of a slider are tenths too',
      {
        toolkit: 'chromium',
        role: 'slider',
        numbers: { CurrentValue: Math.fround(0.2), MinimumIncrement: Math.fround(0.1), MaximumValue: 1 },
      },
      act('increment'),
      'Value 0.3',
    ],
    [
      'no text for content that a page draws',
      { ...spin, toolkit: 'chromium', numbers: { ...spin.numbers!, CharacterCount: 0 } },
      { kind: 'setNumber', value: 7 },
      'Value 7',
    ],
    ['a progress bar cannot be set', { ...spin, role: 'progressbar' }, { kind: 'setNumber', value: 1 }, NONE],
    ['a read-only element', { ...spin, states: ['readOnly'] }, { kind: 'setNumber', value: 1 }, 'not_ready'],
  ])('%s', async (_, widget, what, expected) => expect(await planned(widget, what)).toBe(expected));
});

describe('text', () => {
  const field: Widget = {
    toolkit: 'gtk3',
    role: 'textbox',
    states: ['editable'],
    numbers: { CaretOffset: 2, CharacterCount: 5 },
  };
  const insert = (text: string): PatternAct => ({ kind: 'insertText', text });
  test.each<[string, Widget, PatternAct, string]>([
    ['replaced', field, { kind: 'setText', text: 'é' }, 'SetTextContents "é"'],
    ['not in a page', { ...field, toolkit: 'chromium', interfaces: [TEXT] }, { kind: 'setText', text: 'é' }, NONE],
    ['not editable', { ...field, states: [] }, { kind: 'setText', text: 'é' }, 'not_ready'],
    [
      'editable and read-only, as Qt reports',
      { ...field, toolkit: 'qt', states: ['editable', 'readOnly'] },
      { kind: 'setText', text: 'é' },
      'not_ready',
    ],
    [
      'LibreOffice reports it for fields that accept text',
      { ...field, toolkit: 'libreoffice', states: [] },
      { kind: 'setText', text: 'é' },
      NONE,
    ],
    ['not in a spin button', { ...field, role: 'spinbutton' }, { kind: 'setText', text: '5' }, NONE],
    ['length in bytes', field, insert('é😀'), 'InsertText 2 "é😀" 6, SetCaretOffset 4'],
    ['in UTF-16 units in Qt', { ...field, toolkit: 'qt' }, insert('é😀'), 'InsertText 2 "é😀" 3, SetCaretOffset 5'],
    [
      'an unknown caret counts as the start',
      { ...field, numbers: { CaretOffset: -1, CharacterCount: 5 } },
      insert('a'),
      'InsertText 0 "a" 1, SetCaretOffset 1',
    ],
    [
      'a caret behind the end counts as the end',
      { ...field, numbers: { CaretOffset: 9, CharacterCount: 5 } },
      insert('a'),
      'InsertText 5 "a" 1, SetCaretOffset 6',
    ],
    [
      'replaces the selection',
      { ...field, selection: [4, 1] },
      insert('a'),
      'DeleteText 1 4, InsertText 1 "a" 1, SetCaretOffset 2',
    ],
    ['deletes the selection', { ...field, selection: [1, 4] }, insert(''), 'DeleteText 1 4'],
    ['nothing to insert', field, insert(''), 'has nothing to insert'],
    ['the caret', { ...field, selection: [0, 5] }, { kind: 'setCaret', start: 2, end: 2 }, 'SetCaretOffset 2'],
    [
      'changes a selection',
      { ...field, selection: [0, 5] },
      { kind: 'setCaret', start: 1, end: 2 },
      'SetSelection 0 1 2',
    ],
    ['adds the only selection', field, { kind: 'setCaret', start: 1, end: 2 }, 'AddSelection 1 2'],
  ])('%s', async (_, widget, what, expected) => expect(await planned(widget, what)).toBe(expected));

  const nowhere = { ...field, numbers: { CaretOffset: -1, CharacterCount: 5 } };
  test.each<[string, Widget, number[] | undefined]>([
    ['at its offset', field, [2, 2]],
    ['as a selection', { ...field, selection: [4, 1] }, [1, 4]],
    ['an unknown caret is at the end', nowhere, [5, 5]],
    ['an unknown caret in a page is not reported', { ...nowhere, toolkit: 'chromium' }, undefined],
    ['none without text', { ...field, interfaces: [ACTION] }, undefined],
  ])('reads the caret: %s', async (_, widget, expected) => {
    const caret = await readCaret(subjectOf(widget));
    expect(caret && [caret.start, caret.end]).toEqual(expected);
  });
});

test.each<[string, Widget, PatternAct['kind'], string]>([
  ['not focusable', { toolkit: 'qt', role: 'label' }, 'focus', NONE],
  ['focusable', { toolkit: 'qt', role: 'textbox', states: ['focusable'] }, 'focus', 'GrabFocus'],
  ['scrolls into view', { toolkit: 'chromium', role: 'button' }, 'scrollIntoView', 'ScrollTo 6'],
])('focuses and scrolls: %s', async (_, widget, kind, expected) =>
  expect(await planned(widget, act(kind))).toBe(expected),
);
