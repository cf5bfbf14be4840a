import { ACTIONS_OF } from './cases/actions.js';
import { AROUND } from './cases/around.js';
import { CLICKS } from './cases/clicks.js';
import { DIALOGS } from './cases/dialogs.js';
import { HANDS } from './cases/hands.js';
import { VALUES } from './cases/values.js';
import { WRITING } from './cases/writing.js';
import type { Toolkit } from './acted-on.js';
import { BLOCKS, DATES } from './cases/in-parts.js';
import type { ToolCase } from './row.js';

/** Every tool that changes something, as a caller uses it. */
export const TOOL_CASES: ToolCase[] = [
  ...CLICKS,
  ...WRITING,
  ...VALUES,
  ...ACTIONS_OF,
  ...HANDS,
  ...DIALOGS,
  ...AROUND,
];

/** What there is in one toolkit only. */
export const OWN_CASES: Partial<Record<Toolkit, ToolCase[]>> = { qt: DATES, chromium: BLOCKS };
