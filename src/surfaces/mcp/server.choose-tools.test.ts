import { expect, test } from 'vitest';
import { chooseTools } from './server.js';
import { TOOL_MANIFEST } from './tool-manifest.js';

test('returns all tools, or the named ones in listing order', () => {
  expect(chooseTools(undefined)).toBe(TOOL_MANIFEST);
  expect(chooseTools(' ui_click, ui_snapshot,ui_click').map(({ name }) => name)).toEqual(['ui_snapshot', 'ui_click']);
});

test.each([
  ['ui_snapshot,ui_clik', 'There is no tool "ui_clik".', 'Did you mean ui_click?'],
  ['xyzzy', 'There is no tool "xyzzy".', expect.stringMatching(/^Available tools: ui_list_windows, /) as string],
  [' , ', '--tools does not name a tool.', expect.stringMatching(/^Available tools: /) as string],
])('refuses %j', (names, message, hint) => {
  expect(() => chooseTools(names)).toThrow(expect.objectContaining({ code: 'bad_arguments', message, hint }));
});
