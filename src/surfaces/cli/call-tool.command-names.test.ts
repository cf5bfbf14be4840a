import { expect, it } from 'vitest';
import { TOOLS } from '../../tools/index.js';
import { toolNamesToCommands } from './call-tool.js';

const NAMES = new Set<string>(TOOLS.map(({ name }) => name));

it.each([
  ['look first: ui_snapshot, or ui_list_windows.', 'look first: snapshot, or list-windows.'],
  ['  … rows 25-200: ui_read e40 25-74', '  … rows 25-200: read e40 25-74'],
  ['e14 toolbar "Standard" (18 inside, ui_snapshot e14)', 'e14 toolbar "Standard" (18 inside, snapshot e14)'],
  ['e9 button "use \\"ui_click\\" now"', 'e9 button "use \\"ui_click\\" now"'],
  ['| ui_click is a tool', '| ui_click is a tool'],
  ['  e41 | 1001 | ui_click | Paid', '  e41 | 1001 | ui_click | Paid'],
  ['ui_nothing, gui_click, ui_click_xy', 'ui_nothing, gui_click, click-xy'],
])('%s', (text, spoken) => expect(toolNamesToCommands(text, NAMES)).toBe(spoken));
