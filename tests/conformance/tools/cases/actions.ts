import { expect } from 'vitest';
import type { DiaryLine } from '../../fixture-app.js';
import { caseOf, type Row } from '../row.js';
import { chosen, FILE, hovered, ITEM_3, MORE, PAD, RIGHT } from '../words.js';

/** Action, target and the expected diary. Actions that request a state do nothing the second time. */
const ACTIONS: [action: string, target: string, diary: DiaryLine[], already?: RegExp][] = [
  ['invoke', 'button:Save', [{ clicked: 'Save' }]],
  ['toggle', 'checkbox:Wrap', [{ toggled: 'Wrap', on: true }]],
  ['check', 'checkbox:Wrap', [{ toggled: 'Wrap', on: true }], /is checked already/],
  ['select', ITEM_3, [{ selected: 'Item 3' }], /is selected already/],
  ['select', 'tab:Details', [{ selected: 'Details' }], /is selected already/],
  ['check', RIGHT, chosen('Right', 'Left'), /is checked already/],
  ['expand', MORE, [{ expanded: 'More', on: true }], /is expanded already/],
];

const WAYS: Row[] = ACTIONS.flatMap(([action, target, diary, already]): Row[] => {
  const [name, args] = [`ui_act: ${action} ${target.split(' ??')[0]}`, { action, target }];
  const pattern = { ...args, method: 'pattern' };
  const row = { tool: 'ui_act', diary };
  const rows: Row[] = [
    { ...row, name: `${name}, by pattern`, args: pattern, answer: { method: 'pattern' }, aside: true },
    { ...row, name: `${name}, with the mouse`, args: { ...args, method: 'input' }, answer: { method: 'input' } },
  ];
  if (!already) return rows;
  return [
    ...rows,
    {
      name: `${name}, again`,
      tool: 'ui_act',
      args,
      first: async (stage) => {
        expect((await stage.call('ui_act', { ...args, settleMs: 5_000 })).text).toMatch(/^ok/);
      },
      diary: [],
      answer: { status: 'ok', changed: 'no', delivered: 'no' },
      text: already,
      aside: true,
    },
  ];
});

const AGE = 'spinbutton:Age';

const ROWS: Row[] = [
  {
    name: 'ui_act: uncheck what is not checked does nothing',
    tool: 'ui_act',
    args: { action: 'uncheck', target: 'checkbox:Wrap' },
    diary: [],
    answer: { status: 'ok', delivered: 'no' },
    text: /is unchecked already, nothing was done\.$/,
    aside: true,
  },
  {
    name: 'ui_act: uncheck',
    tool: 'ui_act',
    args: { action: 'uncheck', target: 'checkbox:Wrap' },
    first: async (stage) => void (await stage.call('ui_act', { action: 'check', target: 'checkbox:Wrap' })),
    diary: [{ toggled: 'Wrap', on: false }],
    answer: { status: 'ok' },
  },
  {
    name: 'ui_act: collapse',
    tool: 'ui_act',
    args: { action: 'collapse', target: 'name^=More && expanded=true' },
    first: async (stage) => void (await stage.call('ui_act', { action: 'expand', target: MORE, settleMs: 5_000 })),
    diary: [{ expanded: 'More', on: false }],
    answer: { status: 'ok' },
  },
  ...(['increment', 'decrement'] as const).map((action): Row => ({
    name: `ui_act: ${action}`,
    tool: 'ui_act',
    args: { action, target: AGE, method: 'pattern' },
    // Its step is 5, which GTK 4 and Qt do not expose.
    diary: ({ toolkit }) => {
      const step = ['gtk4', 'qt'].includes(toolkit) ? 1 : 5;
      return [{ value: 'Age', is: action === 'increment' ? 35 + step : 35 - step }];
    },
    answer: { status: 'ok', method: 'pattern' },
    aside: true,
  })),
  {
    name: 'ui_act: focus',
    tool: 'ui_act',
    args: { action: 'focus', target: 'textbox:Name' },
    diary: [],
    answer: { status: 'ok', changed: 'yes' },
    text: /~ e\d+ focused/,
    then: async (stage) => {
      expect((await stage.call('ui_describe', { target: 'focused' })).text).toMatch(/textbox "Name"/);
    },
  },
  {
    name: 'ui_act: hover',
    tool: 'ui_act',
    args: { action: 'hover', target: PAD },
    diary: [hovered],
    answer: { method: 'input' },
  },
  {
    name: 'ui_act: expand opens a menu, and the answer names the window with the focus',
    tool: 'ui_act',
    args: { action: 'expand', target: FILE },
    diary: [],
    answer: { status: 'ok', menu: expect.stringMatching(/^w\d+$/) as string },
    text: /w\d+ has pointer and keyboard until it is closed\./,
    then: (stage) => stage.closeMenu(),
  },
  {
    name: 'ui_act: context_menu opens the menu, and the answer names the window with the focus',
    tool: 'ui_act',
    args: { action: 'context_menu', target: PAD },
    diary: ({ toolkit }) => (toolkit === 'chromium' ? [{ menu: 'Pad' }] : [hovered, { menu: 'Pad' }]),
    answer: { status: 'ok', menu: expect.stringMatching(/^w\d+$/) as string },
    text: /w\d+ has pointer and keyboard until it is closed\./,
    then: (stage) => stage.closeMenu(),
  },
  {
    name: 'ui_act: scroll_into_view',
    tool: 'ui_act',
    args: { action: 'scroll_into_view', target: 'button:"Far 30"' },
    diary: [],
    answer: { method: 'pattern' },
    then: async (stage) => {
      const { text } = await stage.call('ui_wait', { until: 'button:"Far 30" && offscreen=false' });
      expect(text).toMatch(/^ok/);
    },
  },
  ...[
    ['check', 'button:Save', /cannot be checked/],
    ['expand', 'button:Save', /cannot be expanded/],
    ['increment', 'button:Save', /offers no such action/],
  ].map(([action, target, text]): Row => ({
    name: `ui_act: ${String(action)} of a button is refused`,
    tool: 'ui_act',
    args: { action, target },
    diary: [],
    answer: { code: 'pattern_unsupported', delivered: 'no' },
    text: text as RegExp,
    aside: true,
  })),
];

export const ACTIONS_OF = [...WAYS, ...ROWS].map(caseOf);
