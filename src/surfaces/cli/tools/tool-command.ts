import { Option, type Command } from 'commander';
import { DesktopError } from '../../../shared/index.js';
import type { CommandShape } from '../../../tools/index.js';
import { commandName, flagName } from './command-name.js';
import type { Field } from './fields.js';
import type { Flags } from '../context.js';
import { open } from 'node:fs/promises';

/** What the command line needs to know about a tool. */
export interface ToolManifestEntry {
  readonly name: string;
  readonly description: string;
  readonly fields: readonly Field[];
  readonly cli: CommandShape;
}

export type Arguments = Record<string, unknown>;

/** One word, all remaining words, or none. */
type PositionalValue = string | string[] | undefined;

const FILE_HELP = 'JSON file, or - for standard input';

/** Creates a command from a tool's schema. `run` receives the arguments of the tool. */
export function toolCommand(
  make: (name: string) => Command,
  tool: ToolManifestEntry,
  run: (args: Arguments, flags: Flags & Arguments) => Promise<void>,
): Command {
  const { fields, cli: shape } = tool;
  const command = make(commandName(tool.name)).description(tool.description);
  const positionals = shape.positionals ?? [];
  for (const name of positionals) {
    const field = fields.find((one) => one.name === name);
    const word = shape.fromFile === name ? 'file' : flagName(name);
    const all = shape.takesRest && name === positionals.at(-1) ? '...' : '';
    // Never required here: the value may also be given as a flag, and the schema makes the final check.
    if (field) command.argument(`[${word}${all}]`, shape.fromFile === name ? FILE_HELP : fieldHelp(shape, field));
  }
  for (const field of fields) command.addOption(createOption(tool, field, shape));
  if (shape.acceptsPoint) command.option('--at <x,y>', 'screen point instead of a target');
  command.action(async (...actionArgs: unknown[]) => {
    const values = actionArgs.slice(0, positionals.length) as PositionalValue[];
    const flags = command.optsWithGlobals<Flags & Arguments>();
    const skips = shape.replacedBy !== undefined && flags[shape.replacedBy] !== undefined;
    const args = collectArguments(fields, skips ? positionals.slice(1) : positionals, values, flags, shape);
    if (shape.fromFile !== undefined) await readFieldFromFile(args, shape.fromFile);
    await run(args, flags);
  });
  return command;
}

function createOption(tool: ToolManifestEntry, field: Field, shape: CommandShape): Option {
  const letter = shape.shortFlags?.[field.name];
  const long = `--${flagName(field.name)}`;
  const value = field.kind === 'switch' ? '' : ` <${valuePlaceholder(field)}>`;
  const option = new Option(`${letter ? `-${letter}, ` : ''}${long}${value}`, describeField(tool, field));
  if (field.choices) option.choices(field.choices);
  return option;
}

function valuePlaceholder(field: Field): string {
  const words = { text: 'text', integer: 'n', number: 'n', list: 'a,b,…', json: 'json', switch: '' };
  return words[field.kind];
}

function describeField({ cli }: ToolManifestEntry, field: Field): string {
  const preset = field.preset === undefined || field.kind === 'switch' ? '' : `default ${JSON.stringify(field.preset)}`;
  return [fieldHelp(cli, field), preset].filter(Boolean).join('; ');
}

function collectArguments(
  fields: readonly Field[],
  positionals: readonly string[],
  values: readonly PositionalValue[],
  flags: Arguments,
  shape: CommandShape,
): Arguments {
  const args: Arguments = {};
  for (const field of fields) {
    const at = positionals.indexOf(field.name);
    const byPosition = at === -1 || isEmptyList(values[at]) ? undefined : values[at];
    const byFlag = flags[field.name];
    if (byPosition !== undefined && byFlag !== undefined) {
      throw new DesktopError(
        'bad_arguments',
        `${field.name} is given twice: by position and with --${flagName(field.name)}.`,
        {
          hint: 'Use one of the two.',
        },
      );
    }
    const given = byPosition ?? byFlag;
    if (given !== undefined) args[field.name] = field.name === shape.fromFile ? given : parseValue(field, given);
  }
  if (shape.acceptsPoint && typeof flags.at === 'string') Object.assign(args, parsePoint(flags.at));
  return args;
}

function isEmptyList(given: PositionalValue): boolean {
  return Array.isArray(given) && given.length === 0;
}

function parseValue(field: Field, given: unknown): unknown {
  if (typeof given !== 'string') return given;
  const wrong = (what: string): never => {
    throw new DesktopError('bad_arguments', `--${flagName(field.name)} must be ${what}, not ${JSON.stringify(given)}.`);
  };
  switch (field.kind) {
    case 'integer':
      return /^-?\d+$/.test(given) ? Number(given) : wrong('a whole number');
    case 'number':
      return given.trim() !== '' && Number.isFinite(Number(given)) ? Number(given) : wrong('a number');
    case 'list':
      return given.split(',').map((part) => part.trim());
    case 'json':
      return given.trimStart().startsWith('{') ? parseJson(field, given) : given;
    default:
      return given;
  }
}

function parseJson(field: Field, given: string): unknown {
  try {
    return JSON.parse(given) as unknown;
  } catch {
    throw new DesktopError('bad_arguments', `${field.name} starts with { but is not valid JSON.`, {
      hint: `In a shell, use single quotes: '{"window":"Calculator"}'`,
    });
  }
}

function parsePoint(text: string): { x: number; y: number } {
  const match = /^\s*(-?\d+)\s*,\s*(-?\d+)\s*$/.exec(text);
  if (!match)
    throw new DesktopError('bad_arguments', '--at must be a screen point.', { hint: 'For example: --at 400,300' });
  return { x: Number(match[1]), y: Number(match[2]) };
}

/** Usage for the overview: `read TARGET [RANGE]`. */
export function toolUsage(tool: ToolManifestEntry): string {
  const { usage, positionals } = tool.cli;
  if (usage) return usage;
  const words = (positionals ?? []).map((name) => {
    const word = flagName(name).toUpperCase();
    return tool.fields.find((field) => field.name === name)?.required ? word : `[${word}]`;
  });
  return [commandName(tool.name), ...words].join(' ');
}

/**
 * Help for arguments that several tools share and that have no description in their schema. A schema description costs
 * tokens in every conversation with a model; these texts do not. A tool can replace them (`cli.help`).
 */
const COMMON_HELP: Readonly<Record<string, string>> = {
  target: 'ref, selector or focused',
  window: 'window ref or title',
  verify: 'condition that must hold afterwards, as for wait',
  timeoutMs: 'time limit in milliseconds',
  settleMs: 'how long to watch for changes afterwards, in milliseconds',
  maxTokens: 'maximum length of the answer in tokens',
  limit: 'maximum number of results',
  method: 'accessibility action (pattern), mouse and keyboard (input), or whichever works (auto)',
  button: 'mouse button',
  count: 'number of clicks; 2 is a double click',
  modifiers: 'keys to hold down: ctrl, shift, alt, meta',
  x: 'horizontal position in pixels',
  y: 'vertical position in pixels',
  steps: 'list of calls as JSON',
};

export function fieldHelp(
  { help = {} }: Pick<CommandShape, 'help'>,
  { name, description }: { name: string; description?: string },
): string {
  return description ?? help[name] ?? COMMON_HELP[name] ?? '';
}

/** More than any list of steps needs. A larger file is the wrong file. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Replaces a file name by the file's content: the field itself, or an object with the field and others. */
async function readFieldFromFile(args: Arguments, field: string): Promise<void> {
  const name = args[field];
  if (typeof name !== 'string') return;
  const value = parse(await readText(name), name, field);
  delete args[field];
  Object.assign(args, Array.isArray(value) ? { [field]: value } : value);
}

async function readText(name: string): Promise<string> {
  const from = name === '-' ? undefined : await openFile(name);
  try {
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of from?.createReadStream() ?? process.stdin) {
      parts.push(part as Buffer);
      size += (part as Buffer).length;
      if (size > MAX_BYTES) throw new DesktopError('bad_arguments', `${describeSource(name)} is larger than 4 MB.`);
    }
    return Buffer.concat(parts).toString('utf8');
  } catch (error) {
    throw error instanceof DesktopError ? error : unreadable(name, error);
  } finally {
    await from?.close();
  }
}

async function openFile(name: string): Promise<Awaited<ReturnType<typeof open>>> {
  try {
    return await open(name, 'r');
  } catch (error) {
    throw unreadable(name, error);
  }
}

function unreadable(name: string, cause: unknown): DesktopError {
  const code = (cause as NodeJS.ErrnoException).code ?? '';
  const why = { ENOENT: 'it does not exist', EISDIR: 'it is a directory', EACCES: 'permission denied' }[code];
  return new DesktopError('bad_arguments', `${describeSource(name)} cannot be read: ${why ?? code}.`, {
    hint: 'Give a file with JSON, or - for standard input.',
    cause,
  });
}

function parse(text: string, name: string, field: string): object {
  const hint = `Expected a list such as [{"tool":"ui_click","target":"button:Save"}], or {"${field}":[…]}.`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new DesktopError('bad_arguments', `${describeSource(name)} is not valid JSON.`, { hint, cause });
  }
  if (typeof value === 'object' && value !== null) return value;
  throw new DesktopError('bad_arguments', `${describeSource(name)} does not contain a list of ${field}.`, { hint });
}

function describeSource(name: string): string {
  return name === '-' ? 'Standard input' : `The file ${JSON.stringify(name.slice(0, 200))}`;
}
