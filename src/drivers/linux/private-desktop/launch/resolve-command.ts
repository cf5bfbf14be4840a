import { closeSync, openSync, readSync } from 'node:fs';
import type { Start } from '../../../contract/index.js';
import { findProgram } from './find-program.js';
import { hasOnlyHarmless, isToldByVariables, isToldToRun, leadsElsewhere } from './argument-risk.js';
import type { InstalledApps } from './installed-apps.js';

/** As much of a first line as the system reads. */
const FIRST_LINE = 256;
/** A script may be run by a script, and the system follows that no further. */
const DEEPEST = 5;
/** Enough for whatever is plain to see; who hides a name finds a way. */
const MOST_WORDS = 500;
const LONGEST_WORD = 4_000;

interface Around {
  path: string;
  cwd: string;
  apps: Pick<InstalledApps, 'has'>;
  /** Names of variables that it gets otherwise than other programs there. */
  changed?: readonly string[];
}

/** What a command would start, told by its files and words. Nothing is run for it. */
export function startOf(
  command: string,
  args: readonly string[],
  { path, cwd, apps, changed = [] }: Around,
): Start | undefined {
  const find = (word: string): string | undefined => findProgram(word, path, cwd)?.realPath;
  const found = findProgram(command, path, cwd);
  if (found === undefined) return undefined;
  const { realPath: program } = found;
  const app = apps.has(program);
  // Words that an app gets are files and pages, but for options; any other program may take them all for programs.
  const told = app ? toldByOptions(args) : [{ text: '', words: wordsIn(args) }];
  const named = told?.flatMap(({ words }) => words).flatMap((word) => find(word) ?? []) ?? [];
  // What an app does with the words that it is started with nobody reads: it may be named, and no more.
  const alone = ({ text, words }: Told): boolean => words.every((word) => text === word || find(word) === undefined);
  // An app that is told to run or load something else, or to open elsewhere, is no more than that, and neither is one
  // that is told too much to be read.
  const installed =
    app &&
    !isToldToRun(args, (arg) => wordsIn([arg])) &&
    !leadsElsewhere(args) &&
    !isToldByVariables(changed) &&
    (!headOf(program).startsWith('#!') || hasOnlyHarmless(program, args)) &&
    told !== undefined &&
    told.every(alone) &&
    named.every((one) => apps.has(one));
  const runs = new Set([...named, ...[program, ...named].flatMap((one) => interpretersOf(one, find))]);
  runs.delete(program);
  return { program, path: found.path, runs: [...runs], installed };
}

/** What runs a script, and what runs that. */
function interpretersOf(script: string, find: (word: string) => string | undefined): string[] {
  const found: string[] = [];
  for (let file: string | undefined = script; file !== undefined && found.length < DEEPEST;) {
    const words = firstLine(file);
    const programs = words.flatMap((word) => find(word) ?? []);
    found.push(...programs);
    // `env perl`: the last one is what reads the script.
    file = programs.at(-1);
  }
  return found;
}

/** The words of a `#!` line that name programs: the interpreter, and what `env` is to find. */
function firstLine(file: string): string[] {
  const head = headOf(file);
  if (!head.startsWith('#!')) return [];
  const [interpreter, ...rest] = head.slice(2).split('\n', 1)[0]!.split(/\s+/).filter(Boolean);
  if (interpreter === undefined) return [];
  if (!/(^|\/)env$/.test(interpreter)) return [interpreter];
  const first = rest.map((word) => word.replace(/^-S|^--split-string=/, '')).find((word) => /^[^-=][^=]*$/.test(word));
  return first === undefined ? [interpreter] : [interpreter, first];
}

function headOf(file: string): string {
  let open: number;
  try {
    open = openSync(file, 'r');
  } catch {
    return ''; // May be run and not read: then it is no script.
  }
  try {
    const head = Buffer.alloc(FIRST_LINE);
    return head.toString('latin1', 0, readSync(open, head));
  } finally {
    closeSync(open);
  }
}

/** By what they are called, options with a command in them: `--renderer-cmd-prefix=gdb`, `--exec bash`. */
const COMMANDS = /cmd|command|exec|launcher|prefix|program|shell|script|wrapper|^-[cex]$/i;

/** What one option says, and what in it may name a program. */
interface Told {
  text: string;
  words: string[];
}

/** What options may name as programs: any path, and where the option is for commands any word. Undefined: too much. */
function toldByOptions(args: readonly string[]): Told[] | undefined {
  const told: Told[] = [];
  let [before, count] = ['', 0];
  for (const arg of args) {
    const [, option = '', value = ''] = /^(--?[^=\s]+)(?:=([^]*))?$/.exec(arg) ?? [];
    const all = COMMANDS.test(option || before);
    const text = option === '' && all ? arg : value;
    before = value === '' ? option : '';
    const words = wordsIn([text]).filter((word) => all || word.includes('/'));
    told.push({ text: text.trim(), words });
    count += words.length;
    if (text.length > LONGEST_WORD || count >= MOST_WORDS) return undefined;
  }
  return told;
}

function wordsIn(args: readonly string[]): string[] {
  const words = new Set<string>();
  for (const arg of args) {
    for (const word of arg.slice(0, LONGEST_WORD).split(/[\s"'`;|&(){}[\]<>=,$]+/)) {
      if (words.size >= MOST_WORDS) return [...words];
      if (word !== '' && !word.startsWith('-') && !word.includes('\0')) words.add(word);
    }
  }
  return [...words];
}
