import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { outputSchema } from '../../tools/index.js';
import type { ListedTool } from './listing.js';

/** With what is answered, for programs only: it would double what a model reads. */
export function withOutputs(tools: readonly ListedTool[]): Tool[] {
  return tools.map((tool) => ({ ...tool, outputSchema: outputSchema(tool.name) }));
}
