import { expect } from 'vitest';
import { caseOf, expectDiary, type Row } from '../row.js';
import { TEXT, written } from '../words.js';
import type { ToolStage } from '../tool-stage.js';

const NAME = 'textbox:Name';
/** `a|d` in the field, with the caret where the line is. */
const between = async (stage: ToolStage): Promise<void> => {
  await stage.call('ui_set_value', { target: NAME, value: 'ad' });
  await stage.app.command('caret Name 1 1');
};
const held = (secret: string) => async (_: ToolStage, answer: { json: object; text: string }) => {
  expect(JSON.stringify(answer.json)).not.toContain(secret);
  expect(answer.text).not.toContain(secret);
};

const TYPING: Row[] = [
  {
    name: 'ui_type: at the caret, exactly',
    tool: 'ui_type',
    args: { target: NAME, text: TEXT },
    first: between,
    diary: [written('Name', `a${TEXT}d`)],
    answer: { status: 'ok', delivered: 'yes' },
    text: /^ok: type 13 characters into e\d+ textbox "Name" in w\d+, by (pattern|input), \d+ ms/,
  },
  {
    name: 'ui_type: at the caret by pattern, from behind',
    tool: 'ui_type',
    args: { target: NAME, text: TEXT, method: 'pattern' },
    first: between,
    diary: [written('Name', `a${TEXT}d`)],
    answer: { status: 'ok', method: 'pattern' },
    aside: true,
  },
  {
    name: 'ui_type: with keys, exactly',
    tool: 'ui_type',
    args: { target: NAME, text: TEXT, method: 'input' },
    first: async (stage) => {
      await stage.call('ui_set_value', { target: NAME, value: '' });
    },
    diary: [written('Name', TEXT)],
    answer: { status: 'ok', method: 'input' },
  },
  {
    name: 'ui_type: in place of what is selected',
    tool: 'ui_type',
    args: { target: NAME, text: 'X' },
    first: async (stage) => {
      await stage.app.command('focus Name');
      await stage.app.command('caret Name 0 2');
    },
    diary: [written('Name', 'Xa')],
    answer: { status: 'ok' },
  },
  {
    name: 'ui_type: and Enter',
    tool: 'ui_type',
    args: { target: NAME, text: '!', enter: true },
    first: async (stage) => {
      await stage.app.command('focus Name');
      await stage.app.command('caret Name 3 3');
    },
    diary: [written('Name', 'Ada!'), { entered: 'Name' }],
    answer: { method: 'input' },
    text: /type 1 characters? and Enter into e\d+/,
  },
  {
    name: 'ui_type: and Enter, at the caret of a field that gets the focus for it',
    tool: 'ui_type',
    args: { target: NAME, text: '!', enter: true },
    first: async (stage) => {
      await stage.app.command('focus Name');
      await stage.app.command('caret Name 1 1');
      await stage.app.command('focus Age');
    },
    diary: [written('Name', 'A!da'), { entered: 'Name' }],
    answer: { method: 'input' },
  },
  {
    name: 'ui_type: without a target types at the focus and reports which element that was',
    tool: 'ui_type',
    args: { text: 'Z' },
    first: async (stage) => {
      await stage.app.command('focus Name');
      await stage.app.command('caret Name 0 0');
    },
    diary: [written('Name', 'ZAda')],
    text: /into e\d+ textbox "Name" in w\d+/,
  },
  {
    name: 'ui_type: of nothing does nothing',
    tool: 'ui_type',
    args: { target: NAME, text: '' },
    diary: [],
    answer: { status: 'ok', delivered: 'no' },
    text: /nothing was done\.$/,
    aside: true,
  },
  ...[
    ['disabled', 'textbox:Fixed', /is disabled/],
    ['read-only', 'textbox:Shown', /cannot be edited/],
  ].map(([what, target, why]): Row => ({
    name: `ui_type: into what is ${String(what)} is not_ready`,
    tool: 'ui_type',
    args: { target, text: 'x' },
    diary: [],
    answer: { code: 'not_ready', delivered: 'no' },
    text: why as RegExp,
    aside: true,
  })),
  {
    name: 'ui_type: a password is in no answer',
    safety: true,
    tool: 'ui_type',
    args: { target: 'textbox:Secret', text: 'hunter2' },
    first: (stage) => stage.app.command('caret Secret 0 3'),
    diary: [written('Secret', 'hunter2')],
    then: held('hunter2'),
  },
];

const KEYS: Row[] = [
  {
    name: 'ui_key: chords, in order, to a target',
    tool: 'ui_key',
    args: { keys: 'ctrl+a Delete', target: NAME },
    diary: [written('Name', '')],
    answer: { status: 'ok', method: 'input' },
    text: /^ok: key ctrl\+a Delete e\d+ textbox "Name"/,
  },
  {
    name: 'ui_key: Enter in a field',
    tool: 'ui_key',
    args: { keys: 'Enter', target: NAME },
    diary: [{ entered: 'Name' }],
    answer: { method: 'input' },
  },
  {
    name: 'ui_key: that the caret moved is an effect',
    tool: 'ui_key',
    args: { keys: 'Home', target: NAME },
    first: async (stage) => {
      await stage.call('ui_set_value', { target: NAME, value: 'ada' });
      await stage.call('ui_key', { target: NAME, keys: 'End' });
    },
    diary: [],
    answer: { status: 'ok', method: 'input', changed: 'yes' },
    text: /^ok: key Home e\d+ textbox "Name"[^\n]* Changed:\ncaret: e\d+ textbox "Name"$/,
    then: async (stage) => {
      await stage.call('ui_type', { target: NAME, text: 'X', method: 'input' });
      await expectDiary(stage, [written('Name', 'Xada')]);
    },
  },
  {
    name: 'ui_key: an arrow moves a slider',
    tool: 'ui_key',
    args: { keys: 'Right', target: 'slider:Volume' },
    diary: [{ value: 'Volume', is: 26 }],
    answer: { status: 'ok' },
  },
  {
    name: 'ui_key: a shortcut without a target goes to the active window',
    tool: 'ui_key',
    args: { keys: 'ctrl+s' },
    first: (stage) => stage.app.command('focus Name'),
    diary: [{ shortcut: 'ctrl+s' }],
    answer: { method: 'input', delivered: 'yes' },
  },
  {
    name: 'ui_key: to a window behind, which is active then',
    tool: 'ui_key',
    args: { keys: 'ctrl+s', window: 'Acted on' },
    first: (stage) => stage.focusElsewhere(),
    diary: [{ shortcut: 'ctrl+s' }],
    answer: { activated: expect.stringMatching(/^w\d+$/) as string },
    text: /w\d+ is active now\./,
  },
  {
    name: 'ui_key: a key that there is not is refused',
    tool: 'ui_key',
    args: { keys: 'ctrl+Entre' },
    diary: [],
    answer: { code: 'bad_arguments', delivered: 'no' },
    text: /Enter/,
    aside: true,
  },
];

export const WRITING = [...TYPING, ...KEYS].map(caseOf);
