import { expect } from 'vitest';
import type { DiaryLine } from '../../fixture-app.js';
import { until } from '../../case.js';
import { caseOf, type Row } from '../row.js';
import { TEXT, written } from '../words.js';

const SET: [what: string, target: string, value: string | number, diary: DiaryLine[], keys?: false][] = [
  ['a field', 'textbox:Name', TEXT, [written('Name', TEXT)]],
  ['a field, to nothing', 'textbox:Name', '', [written('Name', '')]],
  ['a text of two lines', 'textbox:"Notes General"', `${TEXT}\nzwei`, [written('Notes General', `${TEXT}\nzwei`)]],
  ['a spin button', 'spinbutton:Age', 40, [{ value: 'Age', is: 40 }]],
  ['a slider', 'slider:Volume', '60', [{ value: 'Volume', is: 60 }], false],
  ['a combo box', 'combobox:Colour', 'Blue', [{ selected: 'Blue' }]],
];

const WAYS: Row[] = SET.flatMap(([what, target, value, diary, keys]): Row[] => [
  {
    name: `ui_set_value: ${what}, by pattern`,
    tool: 'ui_set_value',
    args: { target, value, method: 'pattern' },
    diary,
    answer: { status: 'ok', method: 'pattern', readBack: 'same' },
    text: /, read back the same\. Changed:\n/,
    aside: true,
  },
  ...(keys === false
    ? []
    : [
        {
          name: `ui_set_value: ${what}, with keys`,
          tool: 'ui_set_value',
          args: { target, value, method: 'input' },
          diary,
          passes: target.startsWith('combobox'),
          answer: { status: 'ok', method: 'input', readBack: 'same' },
        },
      ]),
]);

const REFUSED: [what: string, args: Record<string, unknown>, code: string, text: RegExp][] = [
  ['a word for a number', { target: 'spinbutton:Age', value: 'old' }, 'bad_arguments', /takes a number/],
  ['a number out of range', { target: 'spinbutton:Age', value: 200 }, 'bad_arguments', /takes 0 to 130/],
  ['what is disabled', { target: 'textbox:Fixed', value: 'x' }, 'not_ready', /is disabled/],
  ['what is read-only', { target: 'textbox:Shown', value: 'x' }, 'not_ready', /cannot be edited/],
  [
    'a slider with keys',
    { target: 'slider:Volume', value: 60, method: 'input' },
    'pattern_unsupported',
    /does not accept text/,
  ],
  ...['Ann\nLee', 'Ann\t4444'].map((value): (typeof REFUSED)[number] => [
    `${JSON.stringify(value)} by keys into one line`,
    { target: 'textbox:Name', value, method: 'input' },
    'bad_arguments',
    /By keys e\d+ textbox takes one line without tabs/,
  ]),
  ['a button', { target: 'button:Save', value: 'x' }, 'pattern_unsupported', /does not accept text/],
];

/** Right-to-left mark, soft hyphen: an app takes them, and no answer shows them. */
const UNSEEN = 'שלום\u200f! co\u00adop';

const ROWS: Row[] = [
  {
    name: 'ui_set_value: text with invisible marks is reported as done, but not as read back',
    tool: 'ui_set_value',
    args: { target: 'textbox:Name', value: UNSEEN },
    diary: [written('Name', UNSEEN)],
    answer: { status: 'ok' },
    text: /^ok: (?!.*read back)/,
  },
  ...REFUSED.map(([what, args, code, text]): Row => ({
    name: `ui_set_value: ${what} is refused, and nothing is done`,
    tool: 'ui_set_value',
    args,
    diary: [],
    answer: { code, delivered: 'no' },
    text,
    aside: true,
  })),
  {
    name: 'ui_set_value: a missing option is reported, and the list is closed again',
    tool: 'ui_set_value',
    args: { target: 'combobox:Colour', value: 'Mauve', method: 'input', timeoutMs: 10_000 },
    diary: [],
    answer: { code: 'element_not_found' },
    text: /has no option "Mauve"[\s\S]*it has "Red", "Green", "Blue"/,
    then: async (stage) => {
      await until('the list to go', async () => !(await stage.windows()).some(({ menu, visible }) => menu && visible));
    },
  },
  {
    name: 'ui_set_value: a password is in no answer',
    safety: true,
    tool: 'ui_set_value',
    args: { target: 'textbox:Secret', value: 'hunter2' },
    diary: [written('Secret', 'hunter2')],
    answer: { delivered: 'yes' },
    then: async (_, { json, text }) => expect(JSON.stringify(json) + text).not.toContain('hunter2'),
  },
];

export const VALUES = [...WAYS, ...ROWS].map(caseOf);
