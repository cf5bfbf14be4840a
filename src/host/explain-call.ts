import { z } from 'zod';
import type { Verdict } from '../policy/index.js';
import { defineTool, foretell, perform, type Desktop, type ReadTool, type Tool } from '../runtime/index.js';
import { DesktopError, didYouMean } from '../shared/index.js';
import { TOOLS } from '../tools/index.js';

/** What a call would be answered with, and why. */
export interface Explained {
  verdict: Verdict;
  /** What a person has allowed already and covers it. */
  grant?: string;
  /** Policy files that are no longer what was read: no act passes until a person has looked. */
  changed: string[];
}

export interface CallToExplain {
  tool: string;
  args: Record<string, unknown>;
  /** The surface that would call. */
  caller: string;
}

/** To find the target is a look like any other: asked about, hidden windows left out, written down. */
export async function explainCall(desktop: Desktop, call: CallToExplain, signal: AbortSignal): Promise<Explained> {
  const tool = toolNamed(call.tool);
  const explains = explainTool(desktop, tool, call);
  // What would be typed is nobody's business here: only the target is written down.
  const { target, window } = call.args;
  const args = { tool: tool.name, ...(isText(target) && { target }), ...(isText(window) && { window }) };
  const { json } = await perform(desktop, [explains], { tool: explains.name, args, caller: 'cli', signal });
  return json as unknown as Explained;
}

const isText = (value: unknown): value is string => typeof value === 'string';

function explainTool(desktop: Desktop, tool: Tool, call: CallToExplain): ReadTool {
  return defineTool({
    name: 'policy_explain',
    class: 'read',
    description: 'What the policy would say to a call.',
    timeoutMs: 10_000,
    input: z.object({ tool: z.string(), target: z.string().optional(), window: z.string().optional() }),
    run: async ({ reader }): Promise<Explained> => {
      const { decided, grant } = await foretell(desktop, tool, call, reader);
      return {
        verdict: decided as Verdict,
        ...(grant !== undefined && { grant }),
        changed: desktop.governor.changedFiles,
      };
    },
    text: () => '',
  });
}

function toolNamed(name: string): Tool {
  const names = TOOLS.map((tool) => tool.name);
  const found = TOOLS.find((tool) => tool.name === name);
  if (!found) {
    const guess = didYouMean(name, names);
    throw new DesktopError('bad_arguments', `There is no tool ${JSON.stringify(name.slice(0, 40))}.`, {
      hint: guess ? `Did you mean ${guess}?` : `There are ${names.join(', ')}.`,
    });
  }
  if ('steps' in found) {
    throw new DesktopError('bad_arguments', 'A batch is nothing by itself: each of its steps is decided.', {
      hint: 'Ask for one of its steps.',
    });
  }
  return found;
}
