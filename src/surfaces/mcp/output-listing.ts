import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { outputSchema, TOOLS } from '../../tools/index.js';
import type { ListedTool } from './listing.js';

/** Adds output schemas, for programs only: they would double what a model reads. */
export function withOutputSchemas(tools: readonly ListedTool[]): Tool[] {
  return tools.map((tool) => ({ ...tool, ...outputOf(tool.name) }));
}

function outputOf(name: string): Pick<Tool, 'outputSchema'> {
  const tool = TOOLS.find((one) => one.name === name);
  return tool ? { outputSchema: outputSchema(tool) } : {};
}
