import { TOOLS, type Tool } from '../../tools/index.js';
import { listed, type ListedTool } from './listing.js';

/** What a server needs of a tool; the work is done by the host. */
export interface ToolFace extends Pick<Tool, 'name' | 'class'> {
  /** Of a batch: there are some. */
  steps?: true;
  listing: ListedTool;
}

/** The build writes it down, so that a client has its list without the tools being loaded. */
export const TOOL_FACES: readonly ToolFace[] = TOOLS.map((tool) => ({
  name: tool.name,
  class: tool.class,
  ...('steps' in tool && { steps: true as const }),
  listing: listed(tool),
}));
