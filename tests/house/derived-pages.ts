import { ENVIRONMENT } from '../../src/config.js';
import { FIELD_TIERS, policyJsonSchema } from '../../src/policy/file/schema.js';
import { fieldHelp } from '../../src/surfaces/cli/tools/tool-command.js';
import { flagName } from '../../src/surfaces/cli/tools/command-name.js';
import { toolUsage } from '../../src/surfaces/cli/tools/tool-command.js';
import { TOOL_MANIFEST } from '../../src/surfaces/cli/tools/tool-manifest.js';
import { INSTRUCTIONS } from '../../src/surfaces/mcp/server.js';
import { TOOLS, type Tool } from '../../src/tools/index.js';
import { z } from 'zod';

interface Schema {
  type?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
}

const CLASSES: Record<string, string> = {
  read: 'reads; changes nothing',
  capture: 'takes a picture; changes nothing',
};

/** docs/tools.md: every tool with its arguments, as models and programs give them, and as they are typed. */
export function toolsPage(): string {
  return [
    '# Tools',
    '',
    'Each tool is a call of the MCP server, a command, and a method of the library: one schema, one answer. This page is made from the schemas. How targets are named: [selectors](selectors.md); conditions: [conditions](conditions.md); what an act confirms: [acting](acting.md); what may be done: [policy](policy.md).',
    '',
    'The instructions that every model gets first:',
    '',
    '```text',
    INSTRUCTIONS,
    '```',
    '',
    ...TOOLS.flatMap(toolLines),
  ].join('\n');
}

function toolLines(tool: Tool): string[] {
  const face = TOOL_MANIFEST.find(({ name }) => name === tool.name)!;
  const schema = z.toJSONSchema(tool.input, { io: 'input', unrepresentable: 'any' }) as Schema;
  const letters = face.cli.shortFlags ?? {};
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const letter = letters[name] ? `\`-${letters[name]}\`, ` : '';
    const must = schema.required?.includes(name) ? ', required' : '';
    return row(
      `\`${name}\``,
      `${letter}\`--${flagName(name)}\``,
      `${kindOf(field)}${must}`,
      aboutOf({ ...field, description: fieldHelp(face.cli, { name, ...field }) }),
    );
  });
  return [
    `## ${tool.name}`,
    '',
    escaped(tool.description),
    '',
    `Typed: \`${toolUsage(face)}\` · ${CLASSES[tool.class] ?? 'acts'}${tool.repeatable ? '; may be repeated' : ''}`,
    '',
    ...(rows.length > 0 ? [row('argument', 'flag', 'is', 'for'), '|---|---|---|---|', ...rows, ''] : []),
  ];
}

/** docs/config.md: what can be set, and where. */
export function configPage(): string {
  const variables = Object.entries(ENVIRONMENT).map(([name, { what }]) => row(`\`${name}\``, what));
  const fields = Object.entries((policyJsonSchema() as Schema).properties ?? {}).flatMap(([name, field]) =>
    fieldLines(name, field),
  );
  return [
    '# What can be set',
    '',
    'This page is generated from the source code. The [policy](policy.md) is the only settings file. Everything else is an argument of a call ([tools](tools.md)).',
    '',
    '## Environment',
    '',
    row('variable', 'is'),
    '|---|---|',
    ...variables,
    row('`NO_COLOR`, `FORCE_COLOR`', 'no colour on terminals, or colour everywhere'),
    row(
      '`XDG_CONFIG_HOME`, `XDG_STATE_HOME`, `XDG_DATA_HOME`, `XDG_RUNTIME_DIR`',
      'where the files below are, instead of their usual places',
    ),
    '',
    '## Files',
    '',
    row('file', 'holds'),
    '|---|---|',
    row('`~/.config/deskproof/policy.yaml`', 'your policy'),
    row('`.deskproof/policy.yaml`', "a project's policy, which can only tighten yours"),
    row('`/etc/deskproof/policy.yaml`', 'the policy of the administrator of the machine'),
    row('`~/.local/share/deskproof/audit/DESKTOP`', 'the log of a desktop'),
    row('`~/.local/state/deskproof`', 'keys and heads of logs; whether a desktop is stopped'),
    row(
      '`$XDG_RUNTIME_DIR/deskproof`',
      'sockets and locks of what runs now; how far the refs of your own desktop have come',
    ),
    '',
    '## Policy',
    '',
    'A project may set those that are marked, and only to make things stricter.',
    '',
    row('field', 'is', 'for', 'project'),
    '|---|---|---|---|',
    ...fields,
    '',
  ].join('\n');
}

function fieldLines(name: string, field: Schema): string[] {
  const top = name.split('.')[0]!;
  const tiers: Readonly<Record<string, readonly string[]>> = FIELD_TIERS;
  const project = (tiers[name] ?? tiers[top])?.includes('project') ? 'yes' : '';
  const inner = Object.entries(field.properties ?? {}).flatMap(([key, one]) => fieldLines(`${name}.${key}`, one));
  return [row(`\`${name}\``, kindOf(field), aboutOf(field), project), ...inner];
}

function kindOf(field: Schema): string {
  if (field.const !== undefined) return `\`${JSON.stringify(field.const)}\``;
  if (field.enum) return field.enum.map((one) => `\`${String(one)}\``).join(', ');
  if (field.anyOf) return [...new Set(field.anyOf.map(kindOf))].join(' or ');
  switch (field.type) {
    case 'integer':
    case 'number':
      return `${field.type === 'integer' ? 'whole number' : 'number'}${rangeOf(field)}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return `list of ${field.items ? kindOf(field.items) : 'anything'}`;
    case 'string':
      return 'text';
    case 'object':
      return 'object';
    default:
      return 'anything';
  }
}

function rangeOf({ minimum, maximum }: Schema): string {
  const bounded = (limit: number | undefined): limit is number => limit !== undefined && Math.abs(limit) < 2 ** 53 - 1;
  if (bounded(minimum) && bounded(maximum)) return `, ${minimum} to ${maximum}`;
  if (bounded(minimum)) return `, ${minimum} or more`;
  return bounded(maximum) ? `, at most ${maximum}` : '';
}

function aboutOf({ description = '', default: preset }: Schema): string {
  const usual = preset === undefined ? '' : `default \`${JSON.stringify(preset)}\``;
  return [escaped(description), usual].filter(Boolean).join('; ');
}

const row = (...cells: string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

/** What would be marks of the page in what are plain words. */
function escaped(text: string): string {
  return text.replaceAll(/[<*_]/g, '\\$&');
}
