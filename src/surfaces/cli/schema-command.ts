import type { Command } from 'commander';
import { withGuide } from './command-guide.js';
import type { Context } from './context.js';

/** `deskproof schema TOOL`. Loaded on demand: it needs all tools, and loading them takes longer than most commands. */
export function schemaCommand(context: Context, make: (name: string) => Command): Command {
  const command = make('schema').description('Print the input and output of a tool as JSON Schema.').argument('<tool>');
  command.action(async (name: string) => (await import('./schema.js')).printSchema(context, name));
  return withGuide(command, {
    overview: { group: 'Serve', usage: 'schema TOOL' },
    examples: [['schema click', 'schema of ui_click']],
  });
}
