import { type Command, Option } from 'commander';
import { DesktopError } from '../../../shared/index.js';
import { fieldWords } from './field-help.js';
import { flagName, type Field } from './fields.js';
import type { Flags } from '../context.js';
import { fillFromFile } from './json-file.js';
import { commandName, SHAPES, type Shape } from './shapes.js';

/** What the command line needs to know of a tool. */
export interface ToolManifestEntry {
  readonly name: string;
  readonly description: string;
  readonly fields: readonly Field[];
}

export type Arguments = Record<string, unknown>;

/** A word, all the words that were left, or none. */
type Given = string | string[] | undefined;

const FILE_WORDS = 'a file with JSON, or - for standard input';

/** A subcommand made from a tool's schema. `run` gets the arguments as the tool wants them. */
export function toolCommand(
  make: (name: string) => Command,
  tool: ToolManifestEntry,
  run: (args: Arguments, flags: Flags & Arguments) => Promise<void>,
): Command {
  const shape: Shape = SHAPES[tool.name] ?? { group: 'Look' };
  const { fields } = tool;
  const command = make(commandName(tool.name)).description(tool.description);
  const positionals = shape.positionals ?? [];
  for (const name of positionals) {
    const field = fields.find((one) => one.name === name);
    const word = shape.fromFile === name ? 'file' : flagName(name);
    const all = shape.rest && name === positionals.at(-1) ? '...' : '';
    // Never required here: the same thing may come as a flag, and the schema has the last word.
    if (field) command.argument(`[${word}${all}]`, shape.fromFile === name ? FILE_WORDS : fieldWords(tool.name, field));
  }
  for (const field of fields) command.addOption(optionFor(tool, field, shape));
  if (shape.at) command.option('--at <x,y>', 'a point of the screen instead of a target');
  command.action(async (...actionArgs: unknown[]) => {
    const values = actionArgs.slice(0, positionals.length) as Given[];
    const flags = command.optsWithGlobals<Flags & Arguments>();
    const skips = shape.instead !== undefined && flags[shape.instead] !== undefined;
    const args = collect(fields, skips ? positionals.slice(1) : positionals, values, flags, shape);
    if (shape.fromFile !== undefined) await fillFromFile(args, shape.fromFile);
    await run(args, flags);
  });
  return command;
}

function optionFor(tool: ToolManifestEntry, field: Field, shape: Shape): Option {
  const letter = shape.letters?.[field.name];
  const long = `--${flagName(field.name)}`;
  const value = field.kind === 'switch' ? '' : ` <${valueWord(field)}>`;
  const option = new Option(`${letter ? `-${letter}, ` : ''}${long}${value}`, describeField(tool, field));
  if (field.choices) option.choices(field.choices);
  return option;
}

function valueWord(field: Field): string {
  const words = { text: 'text', integer: 'n', number: 'n', list: 'a,b,…', json: 'json', switch: '' };
  return words[field.kind];
}

function describeField({ name: tool }: ToolManifestEntry, field: Field): string {
  const preset = field.preset === undefined || field.kind === 'switch' ? '' : `default ${JSON.stringify(field.preset)}`;
  return [fieldWords(tool, field), preset].filter(Boolean).join('; ');
}

function collect(
  fields: readonly Field[],
  positionals: readonly string[],
  values: readonly Given[],
  flags: Arguments,
  shape: Shape,
): Arguments {
  const args: Arguments = {};
  for (const field of fields) {
    const at = positionals.indexOf(field.name);
    const byPosition = at === -1 || isEmptyList(values[at]) ? undefined : values[at];
    const byFlag = flags[field.name];
    if (byPosition !== undefined && byFlag !== undefined) {
      throw new DesktopError(
        'bad_arguments',
        `The ${field.name} is given twice, by position and by --${flagName(field.name)}.`,
        {
          hint: 'Give it once.',
        },
      );
    }
    const given = byPosition ?? byFlag;
    if (given !== undefined) args[field.name] = field.name === shape.fromFile ? given : valueOf(field, given);
  }
  if (shape.at && typeof flags.at === 'string') Object.assign(args, pointOf(flags.at));
  return args;
}

function isEmptyList(given: Given): boolean {
  return Array.isArray(given) && given.length === 0;
}

function valueOf(field: Field, given: unknown): unknown {
  if (typeof given !== 'string') return given;
  const wrong = (what: string): never => {
    throw new DesktopError('bad_arguments', `--${flagName(field.name)} takes ${what}, not ${JSON.stringify(given)}.`);
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
    throw new DesktopError('bad_arguments', `The ${field.name} begins with { and is not JSON.`, {
      hint: `In a shell, put it in single quotes: '{"window":"Calculator"}'`,
    });
  }
}

function pointOf(text: string): { x: number; y: number } {
  const match = /^\s*(-?\d+)\s*,\s*(-?\d+)\s*$/.exec(text);
  if (!match)
    throw new DesktopError('bad_arguments', '--at takes a point of the screen.', { hint: 'For example: --at 400,300' });
  return { x: Number(match[1]), y: Number(match[2]) };
}

/** `read TARGET [RANGE]`, for the overview. */
export function usageOf(tool: ToolManifestEntry): string {
  const shape = SHAPES[tool.name];
  if (shape?.usage) return shape.usage;
  const words = (shape?.positionals ?? []).map((name) => {
    const word = flagName(name).toUpperCase();
    return tool.fields.find((field) => field.name === name)?.required ? word : `[${word}]`;
  });
  return [commandName(tool.name), ...words].join(' ');
}
