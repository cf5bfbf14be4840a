import { runSuite } from '../suite.js';
import { TOOLKITS, type Toolkit } from './acted-on.js';
import { TOOL_CASES } from './cases.js';
import type { ToolCase } from './row.js';
import { TOOL_SKIPS } from './skips.js';
import { ToolStage } from './tool-stage.js';

/** Every act tool on one toolkit, proved by what its app wrote down. */
export function runTools(toolkit: Toolkit): void {
  const name = `tools, ${TOOLKITS[toolkit]}`;
  const gaps = new Set(TOOL_SKIPS.filter(({ driver }) => driver === name).map((skip) => skip.case));
  const cases = TOOL_CASES.map((one) => (gaps.has(one.name) ? hurried(one) : one));
  runSuite(name, cases, TOOL_SKIPS, () => ToolStage.open(toolkit));
}

/** What is not expected to work is tried, but not waited for. */
function hurried(one: ToolCase): ToolCase {
  return {
    ...one,
    async run(stage) {
      stage.hurried = true;
      try {
        await one.run(stage);
      } finally {
        stage.hurried = false;
      }
    },
  };
}
