import { expect, test } from 'vitest';
import { chooseTools } from './server.js';
import { TOOL_FACES } from './tool-manifest.js';

test('all of them, or those that were named, in our order', () => {
  expect(chooseTools(undefined)).toBe(TOOL_FACES);
  expect(chooseTools(' ui_click, ui_snapshot,ui_click').map(({ name }) => name)).toEqual(['ui_snapshot', 'ui_click']);
});

test.each([
  ['ui_snapshot,ui_clik', 'There is no tool "ui_clik".', 'Did you mean ui_click?'],
  ['xyzzy', 'There is no tool "xyzzy".', expect.stringMatching(/^There are ui_list_windows, /) as string],
  [' , ', '--tools names no tool.', expect.stringMatching(/^There are /) as string],
])('%j is refused', (names, message, hint) => {
  expect(() => chooseTools(names)).toThrow(expect.objectContaining({ code: 'bad_arguments', message, hint }));
});
