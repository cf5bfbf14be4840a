import type { Command, Option } from 'commander';

/** A possible next word, with its description. */
interface Completion {
  readonly word: string;
  readonly what: string;
}

interface Flag {
  readonly words: readonly string[];
  readonly what: string;
  /** The flag takes a value: one of these, or any if the list is empty. */
  readonly value?: readonly string[];
}

/** What can follow `deskproof`, `deskproof desktop`, `deskproof desktop start` … */
export interface CommandNode {
  readonly path: readonly string[];
  readonly commands: readonly Completion[];
  readonly flags: readonly Flag[];
}

const MAX_DESCRIPTION = 72;

/** Lists commands and flags from the program itself, so that no second list can become outdated. */
export function commandTree(program: Command, path: readonly string[] = []): CommandNode[] {
  const commands = program.commands.map((command) => ({
    word: command.name(),
    what: firstSentence(command.description()),
  }));
  const flags = program.createHelp().visibleOptions(program).map(flagOf);
  const choices = program.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const place = { path, commands: [...commands, ...choices.map((word) => ({ word, what: '' }))], flags };
  return [place, ...program.commands.flatMap((command) => commandTree(command, [...path, command.name()]))];
}

function flagOf(option: Option): Flag {
  const words = [option.short, option.long].filter((word) => word !== undefined);
  const takes = option.required || option.optional;
  return { words, what: firstSentence(option.description), ...(takes && { value: valuesOf(option) }) };
}

function valuesOf({ long, argChoices }: Option): readonly string[] {
  return long === '--desktop' ? ['user', 'virtual'] : (argChoices ?? []);
}

/** The first sentence in one line. The shell shows it beside the word. */
function firstSentence(text: string): string {
  const [first = ''] = text.replaceAll(/\s+/g, ' ').split(/(?<=[.;]) /);
  const plain = first.replace(/[.;]$/, '');
  return plain.length <= MAX_DESCRIPTION ? plain : `${plain.slice(0, MAX_DESCRIPTION - 1).trimEnd()}…`;
}

/** Quotes text as one shell word. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * The common part of the bash and zsh scripts: two lookup functions with `cases` and `values` as their case arms. Each
 * sets its variable, or fails if nothing matches. `clear` is the first statement of the first function.
 */
export function lookupFunctions(clear: string, cases: readonly string[], values: readonly string[]): string {
  return `_deskproof_words() {
  ${clear}
  case "$1" in
${cases.join('\n')}
    *) return 1 ;;
  esac
}
_deskproof_values() {
  case "$1" in
${values.join('\n')}
    *) return 1 ;;
  esac
}`;
}

/**
 * Walks from the first word to the one before the cursor. Afterwards `place` is the current command path, and `skip` is
 * set if a flag's value is expected.
 */
export function walkLoop(words: string, first: number, caret: string): string {
  return `  for ((at = ${first}; at < ${caret}; at++)); do
    word="\${${words}[at]}"
    if [[ -n $skip ]]; then skip=; continue; fi
    if _deskproof_values "\${place:+$place }$word"; then skip=yes; continue; fi
    if [[ $word != -* ]] && _deskproof_words "\${place:+$place }$word"; then place="\${place:+$place }$word"; fi
  done`;
}
