import type { Command } from 'commander';

/** The groups of the overview, in order. */
export const GROUPS = ['Look', 'Act', 'Check', 'Desks', 'Govern', 'Record', 'Serve'] as const;
type Group = (typeof GROUPS)[number];

/** A command line and its description. */
export type Example = readonly [line: string, what: string];

/** What a command says about itself, beyond commander's description. A command with subcommands needs no examples. */
interface CommandGuide {
  /** Its place in the overview; absent for subcommands, and for commands that the overview shows at its top. */
  overview?: { group: Group; usage: string };
  examples: readonly Example[];
}

const GUIDES = new WeakMap<Command, CommandGuide>();

export function withGuide(command: Command, guide: CommandGuide): Command {
  GUIDES.set(command, guide);
  return command;
}

export const guideOf = (command: Command): CommandGuide | undefined => GUIDES.get(command);

/** Adds the examples to the help of each command, after everything else in it. */
export function showExamples(command: Command): void {
  const examples = guideOf(command)?.examples ?? [];
  const width = Math.max(0, ...examples.map(([line]) => line.length));
  const lines = examples.map(([line, what]) => `  deskproof ${line.padEnd(width)}   ${what}`);
  if (lines.length > 0) command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
  for (const inner of command.commands) showExamples(inner);
}
