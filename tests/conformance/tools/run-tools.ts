import { runSuite } from '../suite.js';
import { TOOLKITS, type Toolkit } from './acted-on.js';
import { OWN_CASES, TOOL_CASES } from './cases.js';
import { TOOL_SKIPS } from './skips.js';
import { ToolStage } from './tool-stage.js';

/** Every act tool on one toolkit, checked by the diary of its app. */
export function runTools(toolkit: Toolkit): void {
  const cases = [...TOOL_CASES, ...(OWN_CASES[toolkit] ?? [])];
  runSuite(`tools, ${TOOLKITS[toolkit]}`, cases, TOOL_SKIPS, () => ToolStage.open(toolkit));
}
