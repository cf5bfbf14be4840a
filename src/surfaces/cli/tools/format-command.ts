import type { Arguments } from './tool-command.js';
import { commandName, flagName } from './command-name.js';
import { TOOL_MANIFEST } from './tool-manifest.js';

/** Formats a tool call as a command line: `click 'button:Save' --verify '{"window":"Save As"}'`. */
export function formatCommand(tool: string, args: Arguments): string {
  const shape = TOOL_MANIFEST.find(({ name }) => name === tool)?.cli;
  const positionals = (shape?.positionals ?? []).filter((name) => name in args);
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
