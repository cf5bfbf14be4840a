import { z } from 'zod';
import { type Tool, TOOLS } from '../../../tools/index.js';
import type { ToolManifestEntry } from './tool-command.js';

/** One argument of a tool, as the command line accepts it. */
export interface Field {
  /** camelCase, as in the schema. */
  name: string;
  kind: 'text' | 'integer' | 'number' | 'switch' | 'list' | 'json';
  required: boolean;
  choices?: string[];
  preset?: unknown;
  description?: string;
}

interface JsonSchema {
  type?: string;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  default?: unknown;
  description?: string;
}

/** The arguments of a tool, in schema order. */
export function fieldsOf(input: z.ZodType): Field[] {
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    kind: kindOf(property),
    required: schema.required?.includes(name) ?? false,
    choices: property.enum?.map(String),
    preset: property.default,
    description: property.description,
  }));
}

function kindOf(schema: JsonSchema): Field['kind'] {
  const types = schema.anyOf?.map((one) => one.type) ?? [schema.type];
  if (types.includes('object')) return 'json';
  if (types.includes('boolean')) return 'switch';
  if (types.includes('array')) return 'list';
  if (types.includes('string')) return 'text';
  if (types.includes('integer')) return 'integer';
  return types.includes('number') ? 'number' : 'text';
}

/** The manifest entry of a tool; none for a tool that the command line does not offer. */
export function manifestEntry({ name, description, input, cli }: Tool): ToolManifestEntry[] {
  return cli === 'none' ? [] : [{ name, description, fields: fieldsOf(input), cli }];
}

/** The arguments of a tool, or undefined if there is no such tool. Load it on demand, because it needs all tools. */
export function toolFields(tool: string): Field[] | undefined {
  const found = TOOLS.find(({ name }) => name === tool);
  return found && fieldsOf(found.input);
}
