import { sure, type Match } from './answer.js';
import { BUILT_IN } from './built-in.js';
import type { App } from './facts.js';
import { foldText } from './fold-text.js';
import { compileGlob } from './glob.js';

/** A pattern with a slash is for the whole path, one without for the program's file name. */
export type ProgramGlob = (app: App) => boolean;

export function compileProgram(pattern: string): ProgramGlob {
  const glob = compileGlob(pattern);
  const whole = FOLDER_IN_PATTERN.test(pattern);
  const claimed = compileClaimed(pattern);
  return (app) => ('path' in app ? glob(foldText(whole ? app.path : fileName(app.path))) : claimed(app.claimed));
}

/** What an app calls itself has no folders: it is compared with the last part of the pattern too. */
export function compileClaimed(pattern: string): (claimed: string) => boolean {
  const [whole, last] = [compileGlob(pattern), compileGlob(pattern.split(FOLDER_IN_PATTERN).at(-1)!)];
  return (claimed) => {
    const folded = foldText(claimed);
    return folded !== '' && (whole(folded) || last(folded) || last(foldText(fileName(claimed))));
  };
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
}

export function compileApps({ finance, admin, terminal }: AppLists): AppClasses {
  const fitting = (patterns: readonly string[]): ProgramGlob => {
    const globs = patterns.map(compileProgram);
    return (app) => globs.some((glob) => glob(app));
  };
  const isTerminal = fitting([...BUILT_IN.terminals, ...terminal]);
  const isInterpreter = fitting(BUILT_IN.interpreters);
  const sensitive: [AppClass, ProgramGlob][] = [
    ['finance', fitting([...BUILT_IN.finance, ...finance])],
    ['admin', fitting([...BUILT_IN.admin, ...admin])],
  ];
  const runsAnything = (app: App): boolean => isTerminal(app) || isInterpreter(app);
  const known = (app: App | null | undefined, fits: ProgramGlob): Match =>
    app === undefined ? 'maybe' : sure(app !== null && fits(app));
  return {
    of: (app) => (runsAnything(app) ? 'terminal' : sensitive.find(([, fits]) => fits(app))?.[0]),
    isTerminal: (app) => known(app, isTerminal),
    runsAnything: (app) => known(app, runsAnything),
  };
}
