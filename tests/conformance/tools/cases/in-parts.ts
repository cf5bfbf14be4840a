import { expect } from 'vitest';
import { caseOf, type Row, type ToolCase } from '../row.js';
import { written } from '../words.js';

const SET: [what: string, field: string, value: string][] = [
  // The old month has no such day, and the old day is not in the new month.
  ['a date', 'Day', '2023-02-28'],
  ['a date and a time', 'Moment', '24.12.2026 08:05'],
  ['a time', 'Hour', '07:08:09'],
];

const dates: Row[] = SET.map(([what, field, value]) => ({
  name: `ui_set_value: ${what}`,
  tool: 'ui_set_value',
  args: { target: `spinbutton:${field}`, value },
  diary: [written(field, value)],
  answer: { status: 'ok', method: 'input', readBack: 'same' },
}));

/** For Qt, whose date and time fields are written part by part. */
export const DATES = dates.map(caseOf);

const blocks: Row[] = [
  ...['one line', 'eins\nzwei drei\nvier'].map((value): Row => ({
    name: `ui_set_value: a text of several blocks, to ${JSON.stringify(value)}`,
    tool: 'ui_set_value',
    args: { target: 'textbox:Blocks', value },
    diary: [written('Blocks', value)],
    answer: { status: 'ok', method: 'input', readBack: 'same' },
  })),
];

/** For an editable page, where each paragraph is an element. */
export const BLOCKS: ToolCase[] = [
  {
    name: 'ui_read: a text of several blocks, each on a line of its own',
    async run(stage) {
      await stage.fresh();
      const { text } = await stage.call('ui_read', { target: 'textbox:Blocks' });
      expect(text).toMatch(/^\| First\n\| Second part\n\| Third$/m);
    },
  },
  ...blocks.map(caseOf),
];
