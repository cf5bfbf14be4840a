import type { Command } from 'commander';

/** The groups of the overview, in order. */
const GROUPS = ['Look', 'Act', 'Check', 'Desks', 'Govern', 'Record', 'Serve'] as const;
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

/** Maximum width of a group's line. */
const WIDTH = 108;

/** The text of `deskproof --help`. Commands describe themselves, so only what exists is listed. */
export function overview(program: Command): string {
  const entries = program.commands.flatMap((command) => guideOf(command)?.overview ?? []);
  const groups = GROUPS.map((group) => ({
    group,
    words: entries.filter((entry) => entry.group === group).map(({ usage }) => usage),
  })).filter(({ words }) => words.length > 0);
  return [
    'Deskproof: see and operate desktop apps. Structure first, verified, governed.',
    '',
    '  deskproof demo                       watch it work on a private desktop',
    '  deskproof init                       connect Claude, VS Code, Cursor …',
    '  deskproof doctor                     what works here, what is missing',
    '',
    ...groups.flatMap(({ group, words }) => layoutGroup(group, words)),
    '',
    '  --desktop NAME   user (your screen) or the name of a private one      DESKPROOF_DESKTOP',
    '  --json           the same answer as JSON      Exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused by policy or person',
    "Examples:  deskproof snapshot Calculator      deskproof click 'button:Save' --window w3 --verify 'dialog:\"Save As\"'",
    'Help for a command: deskproof snapshot --help     Version: deskproof --version',
    '',
  ].join('\n');
}

function layoutGroup(group: string, words: readonly string[]): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length + 3 <= WIDTH) lines[lines.length - 1] = `${last} · ${word}`;
    else lines.push(word);
  }
  return lines.map((line, at) => `${(at === 0 ? group : '').padEnd(8)}${line}`);
}
