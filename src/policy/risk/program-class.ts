import { sure, type Match } from '../decision.js';
import { BUILT_IN } from '../file/built-in.js';
import type { App, Facts } from '../facts.js';
import { compileGlob, foldText } from '../rules/glob.js';

/** A program's names, folded once for all the patterns that it meets. */
interface ProgramNames {
  whole: string;
  file: string;
  claimed: boolean;
}

/** A pattern with a slash is for the whole path, one without for the program's file name. */
type ProgramGlob = (names: ProgramNames) => boolean;

export function namesOf(app: App): ProgramNames {
  const whole = 'path' in app ? app.path : app.claimed;
  return { whole: foldText(whole), file: foldText(fileName(whole)), claimed: !('path' in app) };
}

export function compileProgram(pattern: string): ProgramGlob {
  const glob = compileGlob(pattern);
  const claimed = compileClaimed(pattern);
  if (!FOLDER_IN_PATTERN.test(pattern)) return (names) => (names.claimed ? claimed(names) : glob(names.file));
  return (names) => (names.claimed ? claimed(names) : glob(names.whole));
}

/** What an app calls itself has no folders: it is compared with the last part of the pattern too. */
export function compileClaimed(pattern: string): ProgramGlob {
  const [whole, last] = [compileGlob(pattern), compileGlob(pattern.split(FOLDER_IN_PATTERN).at(-1)!)];
  return (names) => names.whole !== '' && (whole(names.whole) || last(names.whole) || last(names.file));
}

/** In a pattern a backslash is written as two. */
const FOLDER_IN_PATTERN = /\/|\\\\/;
const OF_WINDOWS = /^(?:[a-z]:|\\)\\/i;

function fileName(path: string): string {
  return path.split(OF_WINDOWS.test(path) ? /[\\/]/ : '/').at(-1)!;
}

export type AppClass = 'finance' | 'admin' | 'terminal';

export interface AppLists {
  finance: readonly string[];
  admin: readonly string[];
  /** Besides the built-in terminals and interpreters. */
  terminal: readonly string[];
}

export interface AppClasses {
  /** The class that weighs most; undefined for none. */
  of: (app: App) => AppClass | undefined;
  /** A window of it is one in which commands are typed. */
  isTerminal: (app: App | null | undefined) => Match;
  /** It does what its arguments say: a terminal, a shell, an interpreter. */
  runsAnything: (app: App | null | undefined) => Match;
  /** To start it may be to start anything: it does what its arguments say, or nobody knows that it does not. */
  startsAnything: (facts: Pick<Facts, 'app' | 'runs' | 'installed'>) => Match;
}

/** Compiled once: every policy has them. */
const OURS = {
  terminals: BUILT_IN.terminals.map(compileProgram),
  interpreters: BUILT_IN.interpreters.map(compileProgram),
  starters: BUILT_IN.starters.map(compileProgram),
  finance: BUILT_IN.finance.map(compileProgram),
  admin: BUILT_IN.admin.map(compileProgram),
};

interface Sorted {
  kind: AppClass | undefined;
  terminal: boolean;
}

export function compileApps({ finance, admin, terminal }: AppLists): AppClasses {
  const terminals = [...OURS.terminals, ...terminal.map(compileProgram)];
  const sensitive: [AppClass, ProgramGlob[]][] = [
    ['finance', [...OURS.finance, ...finance.map(compileProgram)]],
    ['admin', [...OURS.admin, ...admin.map(compileProgram)]],
  ];
  const sort = (app: App): Sorted => {
    const names = namesOf(app);
    const fits = (globs: readonly ProgramGlob[]): boolean => globs.some((glob) => glob(names));
    if (fits(terminals)) return { kind: 'terminal', terminal: true };
    const kind = fits(OURS.interpreters) ? 'terminal' : sensitive.find(([, globs]) => fits(globs))?.[0];
    return { kind, terminal: false };
  };
  // One decision asks several times about the same app.
  const known = new WeakMap<App, Sorted>();
  const sorted = (app: App): Sorted => {
    const found = known.get(app) ?? sort(app);
    known.set(app, found);
    return found;
  };
  const told = (app: App | null | undefined, test: (sorted: Sorted) => boolean): Match =>
    app === undefined ? 'maybe' : sure(app !== null && test(sorted(app)));
  const starts = (app: App): boolean => {
    const names = namesOf(app);
    return sorted(app).kind === 'terminal' || OURS.starters.some((glob) => glob(names));
  };
  return {
    startsAnything: ({ app, runs, installed }) => {
      if (app === undefined || app === null) return app === null ? 'no' : 'maybe';
      if (installed === false || starts(app)) return 'yes';
      if (installed) return 'no';
      return runs?.some((path) => starts({ path })) ? 'yes' : 'maybe';
    },
    of: (app) => sorted(app).kind,
    isTerminal: (app) => told(app, (one) => one.terminal),
    runsAnything: (app) => told(app, ({ kind }) => kind === 'terminal'),
  };
}
