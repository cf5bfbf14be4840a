import type { Command, Option } from 'commander';

/** A word that may stand next, and what it is for. */
export interface Word {
  readonly word: string;
  readonly what: string;
}

export interface Flag {
  readonly words: readonly string[];
  readonly what: string;
  /** It is followed by a value: one of these, or anything. */
  readonly value?: readonly string[];
}

/** What may follow `deskproof`, `deskproof desktop`, `deskproof desktop start` … */
export interface Place {
  readonly path: readonly string[];
  readonly commands: readonly Word[];
  readonly flags: readonly Flag[];
}

const WHAT_MAX = 72;

/** Every command and flag as the program itself knows them: there is no second list that could be out of date. */
export function commandWords(program: Command, path: readonly string[] = []): Place[] {
  const commands = program.commands.map((command) => ({ word: command.name(), what: short(command.description()) }));
  const flags = program.createHelp().visibleOptions(program).map(flagOf);
  const choices = program.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const place = { path, commands: [...commands, ...choices.map((word) => ({ word, what: '' }))], flags };
  return [place, ...program.commands.flatMap((command) => commandWords(command, [...path, command.name()]))];
}

function flagOf(option: Option): Flag {
  const words = [option.short, option.long].filter((word) => word !== undefined);
  const takes = option.required || option.optional;
  return { words, what: short(option.description), ...(takes && { value: valuesOf(option) }) };
}

function valuesOf({ long, argChoices }: Option): readonly string[] {
  return long === '--desktop' ? ['user', 'virtual'] : (argChoices ?? []);
}

/** The first sentence, in one line: a shell shows it beside the word. */
function short(text: string): string {
  const [first = ''] = text.replaceAll(/\s+/g, ' ').split(/(?<=[.;]) /);
  const plain = first.replace(/[.;]$/, '');
  return plain.length <= WHAT_MAX ? plain : `${plain.slice(0, WHAT_MAX - 1).trimEnd()}…`;
}

/** Text as one word of a shell, whatever is in it. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * What bash and zsh have in common. Two functions that look a place up, `cases` and `values` being the arms: each sets
 * its variable, or fails where there is nothing. `clear` is how the first begins.
 */
export function lookups(clear: string, cases: readonly string[], values: readonly string[]): string {
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

/** From the first word to the one before the caret: `place` is where one is then; `skip` is set when a value is due. */
export function walk(words: string, first: number, caret: string): string {
  return `  for ((at = ${first}; at < ${caret}; at++)); do
    word="\${${words}[at]}"
    if [[ -n $skip ]]; then skip=; continue; fi
    if _deskproof_values "\${place:+$place }$word"; then skip=yes; continue; fi
    if [[ $word != -* ]] && _deskproof_words "\${place:+$place }$word"; then place="\${place:+$place }$word"; fi
  done`;
}
