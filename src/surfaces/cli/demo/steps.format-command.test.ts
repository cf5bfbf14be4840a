import { expect, test } from 'vitest';
import { formatCommand } from './steps.js';

test.each([
  ['ui_click', { target: 'button:Save' }, 'click button:Save'],
  ['ui_click', { target: 'button:"Save As"' }, `click 'button:"Save As"'`],
  ['ui_click', { target: 'e1', verify: { window: 'Open' } }, `click e1 --verify '{"window":"Open"}'`],
  ['ui_type', { text: "it's", target: 'e4', enter: true }, String.raw`type 'it'\''s' e4 --enter`],
  ['ui_type', { text: 'a\nb' }, `type 'a\nb'`],
  ['ui_set_value', { target: 'cell:B2', value: 12.5 }, 'set-value cell:B2 12.5'],
  ['ui_click', { target: 'e1', settleMs: 100 }, 'click e1 --settle-ms 100'],
  ['ui_snapshot', { window: 'Calculator' }, 'snapshot Calculator'],
])('%s %j becomes %s', (tool, args, typed) => {
  expect(formatCommand(tool, args)).toBe(typed);
});
