import { z } from 'zod';
import type { Tool } from '../../tools/index.js';

type Schema = Record<string, unknown>;

export interface ListedTool {
  name: string;
  description: string;
  inputSchema: { type: 'object'; properties: Record<string, Schema>; required?: string[] };
  annotations?: Record<string, boolean>;
}

/** What a model needs to fill in a field. Limits cost tokens here, and errors report them when they are exceeded. */
const KEPT_KEYWORDS = ['type', 'items', 'enum', 'default', 'description'] as const;

/**
 * The listing of a tool for models. Written by hand because generic converters emit everything that a validator could
 * use: several times the tokens, in every conversation.
 */
export function toolListing(tool: Tool): ListedTool {
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
      properties: shortenAll(Object.fromEntries(shown)),
      ...(required.length > 0 && { required }),
    },
    ...annotationsOf(tool),
  };
}

function shorten(schema: Schema): Schema {
  const { properties, required } = schema as { properties?: Record<string, Schema>; required?: string[] };
  const choices = schema.anyOf as Schema[] | undefined;
  const kinds = choices && [...new Set(choices.map(({ type }) => type))];
  const short: Schema = kinds && kinds.length > 1 ? { anyOf: kinds.map((type) => ({ type })) } : {};
  for (const key of KEPT_KEYWORDS) {
    if (schema[key] !== undefined) short[key] = key === 'items' ? shorten(schema.items as Schema) : schema[key];
  }
  if (properties) short.properties = shortenAll(properties);
  if (properties && required) short.required = required;
  return short;
}

const shortenAll = (fields: Record<string, Schema>): Record<string, Schema> =>
  Object.fromEntries(Object.entries(fields).map(([field, schema]) => [field, shorten(schema)]));

/** Only annotations that differ from the protocol's defaults. */
function annotationsOf(tool: Tool): Pick<ListedTool, 'annotations'> {
  if (tool.class === 'read' || tool.class === 'capture') return { annotations: { readOnlyHint: true } };
  const annotations = {
    ...(tool.repeatable && { idempotentHint: true }),
    ...(tool.harmless && { destructiveHint: false }),
  };
  return Object.keys(annotations).length > 0 ? { annotations } : {};
}
