import { z } from 'zod';
import { unknownTool } from '../../shared/index.js';
import { outputSchema, TOOLS } from '../../tools/index.js';
import type { Context } from './context.js';
import { commandName } from './tools/command-name.js';

/** Prints input and output of a tool as JSON Schema, for developers. Accepts both `click` and `ui_click`. */
export function printSchema(context: Context, name: string): void {
  const tool = TOOLS.find((one) => one.name === name || commandName(one.name) === name);
  if (!tool) throw unknownTool(name, TOOLS);
  const input = z.toJSONSchema(tool.input, { io: 'input', unrepresentable: 'any' });
  const shown = { name: tool.name, description: tool.description, input, output: outputSchema(tool) };
  context.terminal.out(`${JSON.stringify(shown, null, 2)}\n`);
}
