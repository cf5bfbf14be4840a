import { effectsOf, TOOLS, type Tool } from '../../tools/index.js';
import { toolListing, type ListedTool } from './listing.js';

/** What the server needs to know about a tool. The host does the work. */
export interface ToolManifestEntry extends Pick<Tool, 'name' | 'class'> {
  /** What it may do, for the policy: a tool that is always denied is not listed. */
  effects: ReturnType<typeof effectsOf>;
  /** Present for a batch tool, which has steps. */
  steps?: true;
  listing: ListedTool;
}

/** The build replaces this table by its value, so that listing tools does not load them. */
export const TOOL_MANIFEST: readonly ToolManifestEntry[] = TOOLS.map((tool) => ({
  name: tool.name,
  class: tool.class,
  effects: effectsOf(tool.traits),
  ...('steps' in tool && { steps: true as const }),
  listing: toolListing(tool),
}));
