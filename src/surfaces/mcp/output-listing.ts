import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { outputSchema } from '../../tools/index.js';
import type { ListedTool } from './listing.js';

/** Adds output schemas, for programs only: they would double what a model reads. */
export function withOutputSchemas(tools: readonly ListedTool[]): Tool[] {
  return tools.map((tool) => ({ ...tool, outputSchema: outputSchema(tool.name) }));
}
