import { expect } from 'vitest';
import type { DiaryLine } from '../../fixture-app.js';
import { caseOf, type Row } from '../row.js';
import { chosen, hovered, ITEM_3, PAD, pressed, RIGHT } from '../words.js';

/** What is clicked, and what its app writes down then, however it was done. */
const THINGS: [what: string, target: string, diary: DiaryLine[]][] = [
  ['a button', 'button:Save', [{ clicked: 'Save' }]],
  ['a toggle button', 'name=Bold', [{ toggled: 'Bold', on: true }]],
  ['a switch', 'name=Power', [{ toggled: 'Power', on: true }]],
  ['a check box', 'checkbox:Wrap', [{ toggled: 'Wrap', on: true }]],
  ['a radio button', RIGHT, chosen('Right', 'Left')],
  ['a link', 'name="Help page"', [{ clicked: 'Help page' }]],
  ['a tab', 'tab:Details', [{ selected: 'Details' }]],
];

const WAYS: Row[] = THINGS.flatMap(([what, target, diary]): Row[] => [
  {
    name: `ui_click: ${what}, by pattern`,
    tool: 'ui_click',
    args: { target, method: 'pattern' },
    diary,
    answer: { method: 'pattern', delivered: 'yes' },
    aside: true,
  },
  {
    name: `ui_click: ${what}, with the mouse`,
    tool: 'ui_click',
    args: { target, method: 'input' },
    diary,
    answer: { method: 'input', delivered: 'yes' },
  },
]);

/** Where an app offers an action, it is a plain click. */
const REFUSED: [what: string, args: Record<string, unknown>][] = [
  ['of a label', { target: 'name="Plain words"' }],
  ['twice', { target: 'button:Save', count: 2 }],
  ['with the right button', { target: 'button:Save', button: 'right' }],
  ['with a key held down', { target: 'button:Save', modifiers: ['shift'] }],
];

const A_WINDOW = expect.stringMatching(/^w\d+$/) as string;

const ROWS: Row[] = [
  {
    name: 'ui_click: by ref, after a snapshot',
    tool: 'ui_click',
    args: async (stage) => ({ target: await stage.refOf('button:Save') }),
    diary: [{ clicked: 'Save' }],
    text: /^(no change|ok): click e\d+ button "Save" in w\d+, by pattern, \d+ ms/,
  },
  {
    name: 'ui_click: an item of a closed menu, by pattern',
    tool: 'ui_click',
    args: { target: 'menuitem:New', method: 'pattern' },
    diary: [{ clicked: 'New' }],
    answer: { method: 'pattern' },
    aside: true,
  },
  {
    name: 'ui_click: an item of a list',
    tool: 'ui_click',
    args: { target: ITEM_3 },
    diary: [{ selected: 'Item 3' }],
    answer: { status: 'ok' },
  },
  {
    name: 'ui_click: what is scrolled out, by pattern',
    tool: 'ui_click',
    args: { target: 'button:"Far 30"', method: 'pattern' },
    diary: [{ clicked: 'Far 30' }],
    answer: { method: 'pattern' },
    aside: true,
  },
  {
    name: 'ui_click: what is scrolled out is brought into view for the mouse',
    tool: 'ui_click',
    args: { target: 'button:"Far 30"', method: 'input', timeoutMs: 5_000 },
    diary: [{ clicked: 'Far 30' }],
    answer: { method: 'input' },
  },
  {
    name: 'ui_click: in a field it is the focus that is meant, and nothing is entered',
    tool: 'ui_click',
    args: { target: 'textbox:Name' },
    diary: [],
    answer: { status: 'ok', changed: 'yes' },
    text: /~ e\d+ focused/,
  },
  {
    name: 'ui_click: what is disabled is not_ready',
    tool: 'ui_click',
    args: { target: 'button:Delete' },
    diary: [],
    answer: { code: 'not_ready', delivered: 'no' },
    text: /^failed: not_ready\. e\d+ button "Delete" in w\d+ is disabled/,
    aside: true,
  },
  ...REFUSED.map(([what, args]): Row => ({
    name: `ui_click: ${what} by pattern is refused, and nothing is done`,
    tool: 'ui_click',
    args: { ...args, method: 'pattern' },
    diary: [],
    answer: { code: 'pattern_unsupported', delivered: 'no' },
    aside: true,
  })),
  {
    name: 'ui_click: twice',
    tool: 'ui_click',
    args: { target: PAD, count: 2 },
    diary: [hovered, pressed(1), pressed(2)],
    answer: { method: 'input', verb: 'double click' },
  },
  {
    name: 'ui_click: with a key held down',
    tool: 'ui_click',
    args: { target: PAD, modifiers: ['ctrl'] },
    diary: [hovered, pressed(1, { held: ['ctrl'] })],
    answer: { method: 'input' },
  },
  {
    name: 'ui_click: with the middle button',
    tool: 'ui_click',
    args: { target: PAD, button: 'middle' },
    diary: [hovered, pressed(1, { button: 'middle' })],
    answer: { method: 'input' },
  },
  {
    name: 'ui_click: the right button opens a menu, and the answer names the window with the focus',
    tool: 'ui_click',
    args: { target: PAD, button: 'right' },
    diary: [hovered, { menu: 'Pad' }],
    answer: { method: 'input', status: 'ok', menu: A_WINDOW },
    text: /w\d+ has pointer and keyboard until it is closed\./,
    then: (stage) => stage.closeMenu(),
  },
  {
    name: 'ui_click: an item of an open menu',
    tool: 'ui_click',
    args: { target: 'menuitem:Clear' },
    first: async (stage) => void (await stage.call('ui_click', { target: PAD, button: 'right', settleMs: 5_000 })),
    diary: [{ clicked: 'Clear' }],
    answer: { status: 'ok' },
  },
  {
    name: 'ui_click: a mouse click in a background window reports that it is active now',
    tool: 'ui_click',
    args: { target: 'button:Save', method: 'input' },
    first: (stage) => stage.focusElsewhere(),
    diary: [{ clicked: 'Save' }],
    answer: { activated: A_WINDOW },
    text: /w\d+ is active now\./,
  },
];

export const CLICKS = [...WAYS, ...ROWS].map(caseOf);
