import { ternary, type Ternary } from '../decision.js';
import { BUILT_IN } from '../file/built-in.js';
import type { App, Facts } from '../facts.js';
import { compileGlob, foldText } from '../rules/glob.js';

/** The names of a program, folded once for all patterns. */
interface ProgramNames {
  whole: string;
  file: string;
  claimed: boolean;
}

/** A pattern with a path separator matches the whole path; one without matches the program's file name. */
type ProgramGlob = (names: ProgramNames) => boolean;

export function namesOf(app: App): ProgramNames {
  const whole = 'path' in app ? app.path : app.claimed;
  return { whole: foldText(whole), file: foldText(fileName(whole)), claimed: !('path' in app) };
}

export function compileProgram(pattern: string): ProgramGlob {
  const glob = compileGlob(pattern);
  const claimed = compileClaimed(pattern);
  if (!PATH_SEPARATOR.test(pattern)) return (names) => (names.claimed ? claimed(names) : glob(names.file));
  return (names) => (names.claimed ? claimed(names) : glob(names.whole));
}

/** A name that an app claims has no folders, so it is also compared with the last part of the pattern. */
export function compileClaimed(pattern: string): ProgramGlob {
  const [whole, last] = [compileGlob(pattern), compileGlob(pattern.split(PATH_SEPARATOR).at(-1)!)];
  return (names) => names.whole !== '' && (whole(names.whole) || last(names.whole) || last(names.file));
}

/** In a pattern, a backslash is written as two. */
const PATH_SEPARATOR = /\/|\\\\/;
const WINDOWS_PATH = /^(?:[a-z]:|\\)\\/i;

function fileName(path: string): string {
  return path.split(WINDOWS_PATH.test(path) ? /[\\/]/ : '/').at(-1)!;
}

export type AppClass = 'finance' | 'admin' | 'terminal';

interface AppLists {
  finance: readonly string[];
  admin: readonly string[];
  /** In addition to the built-in terminals and interpreters. */
  terminal: readonly string[];
}

export interface AppClasses {
  /** The class with the most points; undefined for none. */
  of: (app: App) => AppClass | undefined;
  /** Its windows take typed commands. */
  isTerminal: (app: App | null | undefined) => Ternary;
  /** It shows web pages, ours among them. */
  isBrowser: (app: App) => boolean;
  /** It executes what its arguments contain: a terminal, a shell, an interpreter. */
  runsAnything: (app: App | null | undefined) => Ternary;
  /** Launching it may run anything: it executes what its arguments contain, or it is not known to be harmless. */
  startsAnything: (facts: Pick<Facts, 'app' | 'runs' | 'installed'>) => Ternary;
}

/** Compiled once: every policy uses them. */
const BUILT_IN_GLOBS = {
  terminals: BUILT_IN.terminals.map(compileProgram),
  interpreters: BUILT_IN.interpreters.map(compileProgram),
  browsers: BUILT_IN.browsers.map(compileProgram),
  starters: BUILT_IN.starters.map(compileProgram),
  finance: BUILT_IN.finance.map(compileProgram),
  admin: BUILT_IN.admin.map(compileProgram),
};

interface Classification {
  kind: AppClass | undefined;
  terminal: boolean;
}

export function compileApps({ finance, admin, terminal }: AppLists): AppClasses {
  const terminals = [...BUILT_IN_GLOBS.terminals, ...terminal.map(compileProgram)];
  const sensitive: [AppClass, ProgramGlob[]][] = [
    ['finance', [...BUILT_IN_GLOBS.finance, ...finance.map(compileProgram)]],
    ['admin', [...BUILT_IN_GLOBS.admin, ...admin.map(compileProgram)]],
  ];
  const classify = (app: App): Classification => {
    const names = namesOf(app);
    const fits = (globs: readonly ProgramGlob[]): boolean => globs.some((glob) => glob(names));
    if (fits(terminals)) return { kind: 'terminal', terminal: true };
    const kind = fits(BUILT_IN_GLOBS.interpreters) ? 'terminal' : sensitive.find(([, globs]) => fits(globs))?.[0];
    return { kind, terminal: false };
  };
  // One decision asks several times about the same app.
  const known = new WeakMap<App, Classification>();
  const classOf = (app: App): Classification => {
    const found = known.get(app) ?? classify(app);
    known.set(app, found);
    return found;
  };
  const whether = (app: App | null | undefined, test: (classOf: Classification) => boolean): Ternary =>
    app === undefined ? 'maybe' : ternary(app !== null && test(classOf(app)));
  const starts = (app: App): boolean => {
    const names = namesOf(app);
    return classOf(app).kind === 'terminal' || BUILT_IN_GLOBS.starters.some((glob) => glob(names));
  };
  return {
    startsAnything: ({ app, runs, installed }) => {
      if (app === undefined || app === null) return app === null ? 'no' : 'maybe';
      if (installed === false || starts(app)) return 'yes';
      if (installed) return 'no';
      return runs?.some((path) => starts({ path })) ? 'yes' : 'maybe';
    },
    isBrowser: (app) => {
      const names = namesOf(app);
      return BUILT_IN_GLOBS.browsers.some((glob) => glob(names));
    },
    of: (app) => classOf(app).kind,
    isTerminal: (app) => whether(app, (one) => one.terminal),
    runsAnything: (app) => whether(app, ({ kind }) => kind === 'terminal'),
  };
}
