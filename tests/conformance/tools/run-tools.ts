import { runSuite } from '../suite.js';
import { TOOLKITS, type Toolkit } from './acted-on.js';
import { TOOL_CASES } from './cases.js';
import { TOOL_SKIPS } from './skips.js';
import { ToolStage } from './tool-stage.js';

/** Every act tool on one toolkit, proved by what its app wrote down. */
export function runTools(toolkit: Toolkit): void {
  runSuite(`tools, ${TOOLKITS[toolkit]}`, TOOL_CASES, TOOL_SKIPS, () => ToolStage.open(toolkit));
}
