import type { Arguments } from './tool-command.js';
import { commandName, SHAPES } from './shapes.js';
import { flagName } from './fields.js';

/** A tool call as a person would type it: `click 'button:Save' --verify '{"window":"Save As"}'`. */
export function spokenCall(tool: string, args: Arguments): string {
  const positionals = (SHAPES[tool]?.positionals ?? []).filter((name) => name in args);
  const rest = Object.entries(args).filter(([name]) => !positionals.includes(name));
  return [
    commandName(tool),
    ...positionals.map((name) => word(args[name])),
    ...rest.flatMap(([name, value]) => [`--${flagName(name)}`, ...(value === true ? [] : [word(value)])]),
  ].join(' ');
}

function word(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[\w./:=+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
