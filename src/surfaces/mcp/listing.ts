import { z } from 'zod';
import type { Tool } from '../../tools/index.js';

type Schema = Record<string, unknown>;

export interface ListedTool {
  name: string;
  description: string;
  inputSchema: { type: 'object'; properties: Record<string, Schema>; required?: string[] };
  annotations?: Record<string, boolean>;
}

/** What a model needs to fill in a field; limits and the like are told when they are broken, and cost tokens here. */
const KEPT = ['type', 'items', 'enum', 'default', 'description'] as const;

/**
 * A tool as it is listed to models. Written by hand because the usual converters say everything a validator could use:
 * several times as many tokens, in every conversation.
 */
export function listed(tool: Tool): ListedTool {
  const { name, description, input, quiet = [] } = tool;
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  const shown = Object.entries(properties).filter(([field]) => !quiet.includes(field));
  return {
    name,
    description,
    inputSchema: {
      type: 'object',
      properties: briefly(Object.fromEntries(shown)),
      ...(required.length > 0 && { required }),
    },
    ...annotated(tool),
  };
}

function brief(schema: Schema): Schema {
  const { properties, required } = schema as { properties?: Record<string, Schema>; required?: string[] };
  const choices = schema.anyOf as Schema[] | undefined;
  const kinds = choices && [...new Set(choices.map(({ type }) => type))];
  const short: Schema = kinds && kinds.length > 1 ? { anyOf: kinds.map((type) => ({ type })) } : {};
  for (const key of KEPT) {
    if (schema[key] !== undefined) short[key] = key === 'items' ? brief(schema.items as Schema) : schema[key];
  }
  if (properties) short.properties = briefly(properties);
  if (properties && required) short.required = required;
  return short;
}

const briefly = (fields: Record<string, Schema>): Record<string, Schema> =>
  Object.fromEntries(Object.entries(fields).map(([field, schema]) => [field, brief(schema)]));

/** Only what differs from what a client assumes. */
function annotated(tool: Tool): Pick<ListedTool, 'annotations'> {
  if (tool.class === 'read' || tool.class === 'capture') return { annotations: { readOnlyHint: true } };
  const annotations = {
    ...(tool.repeatable && { idempotentHint: true }),
    ...(tool.harmless && { destructiveHint: false }),
  };
  return Object.keys(annotations).length > 0 ? { annotations } : {};
}
