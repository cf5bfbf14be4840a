import { closeSync, openSync, readSync } from 'node:fs';
import type { ResolvedCommand } from '../../../contract/index.js';
import { findProgram } from './find-program.js';
import { hasRiskyVariables, isHarmless, runsOtherCode, leavesDesktop } from './argument-risk.js';
import type { InstalledApps } from './installed-apps.js';

/** As much of the first line as the kernel reads. */
const SHEBANG_BYTES = 256;
/** The interpreter of a script may be a script itself. The kernel follows such a chain five times. */
const MAX_INTERPRETERS = 20;
/** Enough to find every plainly visible name. A deliberately hidden name cannot be found this way anyway. */
const MAX_WORDS = 500;
const MAX_WORD_LENGTH = 4_000;

interface ResolveContext {
  path: string;
  cwd: string;
  apps: Pick<InstalledApps, 'has' | 'opensWeb'>;
  /** Names of variables whose value differs from that of other programs on the desktop. */
  changed?: readonly string[];
}

/** Determines what a command would start, from its files and arguments. Runs nothing. */
export function resolveCommand(
  command: string,
  args: readonly string[],
  { path, cwd, apps, changed = [] }: ResolveContext,
): ResolvedCommand | undefined {
  const find = (word: string): string | undefined => findProgram(word, path, cwd)?.realPath;
  const found = findProgram(command, path, cwd);
  if (found === undefined) return undefined;
  const { realPath: program } = found;
  const isApp = apps.has(program);
  // Arguments of an app are files and pages, except for options. Any other program may run any of its arguments.
  const options = isApp ? optionValues(args) : [{ text: '', words: wordsIn(args) }];
  const namedPrograms = options?.flatMap(({ words }) => words).flatMap((word) => find(word) ?? []) ?? [];
  // An option may name another app, but not pass arguments to it: those would not be inspected.
  const passesNoArguments = ({ text, words }: OptionValue): boolean =>
    words.every((word) => text === word || find(word) === undefined);
  // An app counts as installed only with arguments that are known to be harmless. The other tests stay: a harmless
  // option of one app may have such a name in another.
  const installed =
    isApp &&
    !runsOtherCode(args, (arg) => wordsIn([arg])) &&
    !leavesDesktop(args) &&
    !hasRiskyVariables(changed) &&
    isHarmless(args, { program: found, cwd, opensWeb: apps.opensWeb(program) }) &&
    options !== undefined &&
    options.every(passesNoArguments) &&
    namedPrograms.every((one) => apps.has(one));
  const runs = new Set([
    ...namedPrograms,
    ...[program, ...namedPrograms].flatMap((script) => interpretersOf(script, find)),
  ]);
  runs.delete(program);
  return { program, path: found.path, runs: [...runs], installed };
}

/** The interpreter of a script, the programs that its first line names, and the interpreters of those. */
function interpretersOf(script: string, find: (word: string) => string | undefined): string[] {
  const found = new Set<string>();
  // What is added meanwhile is visited as well.
  const files = new Set([script]);
  for (const file of files) {
    if (found.size >= MAX_INTERPRETERS) break;
    for (const program of shebangWords(file).flatMap((word) => find(word) ?? [])) {
      found.add(program);
      files.add(program);
    }
  }
  return [...found];
}

/** The words of a `#!` line that may name programs. Not only `env` starts its argument: `setsid` and `nice` do too. */
function shebangWords(file: string): string[] {
  const head = readHead(file);
  if (!head.startsWith('#!')) return [];
  const [interpreter = '', ...rest] = head.slice(2).split('\n', 1)[0]!.trim().split(/\s+/);
  return [interpreter, ...wordsIn(rest.map((word) => word.replace(/^-S/, '')))];
}

function readHead(file: string): string {
  let open: number;
  try {
    open = openSync(file, 'r');
  } catch {
    return ''; // Executable but not readable, so it is not a script.
  }
  try {
    const head = Buffer.alloc(SHEBANG_BYTES);
    return head.toString('latin1', 0, readSync(open, head));
  } finally {
    closeSync(open);
  }
}

/** Options that contain a command, recognised by name: `--renderer-cmd-prefix=gdb`, `--exec bash`. */
const COMMAND_OPTION = /cmd|command|exec|launcher|prefix|program|shell|script|wrapper|^-[cex]$/i;

/** The value of one option, and the words in it that may name a program. */
interface OptionValue {
  text: string;
  words: string[];
}

/**
 * Words in options that may name a program: any path, and any word if the option is for commands. Returns undefined if
 * there are too many to inspect.
 */
function optionValues(args: readonly string[]): OptionValue[] | undefined {
  const options: OptionValue[] = [];
  let [previousOption, count] = ['', 0];
  for (const arg of args) {
    const [, option = '', value = ''] = /^(--?[^=\s]+)(?:=([^]*))?$/.exec(arg) ?? [];
    const takesCommand = COMMAND_OPTION.test(option || previousOption);
    const text = option === '' && takesCommand ? arg : value;
    previousOption = value === '' ? option : '';
    const words = wordsIn([text]).filter((word) => takesCommand || word.includes('/'));
    options.push({ text: text.trim(), words });
    count += words.length;
    if (text.length > MAX_WORD_LENGTH || count >= MAX_WORDS) return undefined;
  }
  return options;
}

function wordsIn(args: readonly string[]): string[] {
  const words = new Set<string>();
  for (const arg of args) {
    for (const word of arg.slice(0, MAX_WORD_LENGTH).split(/[\s"'`;|&(){}[\]<>=,$]+/)) {
      if (words.size >= MAX_WORDS) return [...words];
      if (!word.startsWith('-')) words.add(word);
    }
  }
  return [...words];
}
