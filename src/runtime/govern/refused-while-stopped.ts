import { DesktopError } from '../../shared/index.js';
import { checkArguments } from '../check-arguments.js';
import type { Desktop } from '../desktop.js';
import type { Tool } from '../tool.js';
import type { Asked } from './asked.js';
import { noted } from './recorded.js';

/** After a stop: whoever goes on calling is refused, and that they did stands in the log. */
export async function refuseWhileStopped(
  { latch, governor, driver }: Desktop,
  tools: readonly Tool[],
  call: { tool: string; args?: unknown; caller: string },
): Promise<void> {
  const refusal = latch.refusalOf(call.tool);
  if (!refusal) return;
  const tool = tools.find(({ name }) => name === call.tool);
  if (tool) {
    const asked: Asked = { tool: tool.name, class: tool.class, caller: call.caller, args: understood(tool, call.args) };
    await noted(governor, asked, driver.describe().name, { error: refusal });
  }
  throw refusal;
}

/** Only what is known to be this or that can be written without what must not be. A batch holds texts of all kinds. */
function understood(tool: Tool, given: unknown): Asked['args'] {
  if ('steps' in tool) return {};
  try {
    return checkArguments(tool.name, tool.input, given);
  } catch (error) {
    if (error instanceof DesktopError) return {}; // That it was refused counts more than how it was written.
    throw error;
  }
}
