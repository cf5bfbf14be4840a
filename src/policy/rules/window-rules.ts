import { memoize } from '../../shared/index.js';
import { any, type Match, not, type Tier } from '../decision.js';
import { BUILT_IN } from '../file/built-in.js';
import { compileSeen, foldText, type SeenGlob, seenText, type SeenText } from './glob.js';
import { projectsOf, type Files } from '../file/settings.js';

/** What is known of a window; undefined is not known yet, null is not there. */
export interface WindowFacts {
  title?: string | null;
  appName?: string | null;
  /** Real path of its program. */
  program?: string | null;
}

/** Why a window is invisible. */
export interface Hidden {
  match: 'yes' | 'maybe';
  pattern: string;
  tier: Tier;
}

interface Block {
  pattern: string;
  tier: Tier;
  glob: SeenGlob;
  /** What an app calls itself has no folders: of a pattern with some, the last part. */
  claimed?: SeenGlob;
  /** Of ours only the title tells. */
  titleOnly?: boolean;
}

const BLOCKED = BUILT_IN.blocked.map((one) => block(one, 'built-in'));
const OURS: Block = { ...block(BUILT_IN.ours, 'built-in'), titleOnly: true };

interface AllowList {
  tier: Tier;
  globs: readonly SeenGlob[];
}

export interface WindowRules {
  /** Undefined: it may be seen. */
  hidden: (window: WindowFacts) => Hidden | undefined;
  /** Whether a window of this title would be blocked by it; lists of allowed ones aside. */
  blocks: (title: string) => boolean;
}

/** Blocks of all files together; a window must fit every list of allowed ones that there is. */
export function compileWindows(files: Files): WindowRules {
  const { user, managed } = files;
  const projects = projectsOf(files);
  const unblocked = new Set((user?.windows?.unblock ?? []).map(foldText));
  const listed = [
    ...BLOCKED.filter(({ pattern }) => !unblocked.has(foldText(pattern))),
    ...(managed?.windows?.block ?? []).map((one) => block(one, 'managed')),
    ...(user?.windows?.block ?? []).map((one) => block(one, 'user')),
    ...projects.flatMap(({ windows }) => (windows?.block ?? []).map((one) => block(one, 'project'))),
  ];
  const blocks: Block[] = [OURS, ...listed];
  const ofProjects = projects.flatMap((file) => allowList(file, 'project'));
  const lists = [...allowList(managed, 'managed'), ...allowList(user, 'user'), ...ofProjects];
  return {
    blocks: memoize(
      (title) => title,
      (title) => blocks.some(({ glob }) => glob(seenText(title)) === 'yes'),
    ),
    // Every list of windows and every question ask it of the same few.
    hidden: memoize(keyOf, (window) => {
      const { title, appName, program } = seen(window);
      const found: (Hidden | undefined)[] = [
        ...blocks.map(({ pattern, tier, glob, claimed, titleOnly }) => {
          const texts = titleOnly ? [title] : [title, appName, program];
          const matches = texts.map((text) => fits(text, glob));
          // A program that nobody could check may be the one that it says it is.
          if (claimed && program === null) matches.push(fits(appName, claimed));
          return hiddenIf(any(matches), pattern, tier);
        }),
        ...lists.map(({ tier, globs }) => {
          const shown = any([title, appName, program].flatMap((text) => globs.map((glob) => fits(text, glob))));
          return hiddenIf(not(shown), 'windows.allow', tier);
        }),
      ];
      return found.find((one) => one?.match === 'yes') ?? found.find((one) => one !== undefined);
    }),
  };
}

/** JSON knows no undefined. */
const keyOf = ({ title, appName, program }: WindowFacts): string =>
  JSON.stringify([title, appName, program].map((text) => (text === undefined ? 0 : text)));

function block(pattern: string, tier: Tier): Block {
  const last = pattern.split('/').at(-1)!;
  return { pattern, tier, glob: compileSeen(pattern), ...(last !== pattern && { claimed: compileSeen(last) }) };
}

function allowList(file: Files['user'], tier: Tier): AllowList[] {
  const patterns = file?.windows?.allow;
  return patterns ? [{ tier, globs: patterns.map(compileSeen) }] : [];
}

function hiddenIf(match: Match, pattern: string, tier: Tier): Hidden | undefined {
  return match === 'no' ? undefined : { match, pattern, tier };
}

type Seen = SeenText | null | undefined;

function seen({ title, appName, program }: WindowFacts): Record<keyof WindowFacts, Seen> {
  const see = (text: string | null | undefined): Seen => (typeof text === 'string' ? seenText(text) : text);
  return { title: see(title), appName: see(appName), program: see(program) };
}

function fits(text: Seen, glob: SeenGlob): Match {
  if (text === undefined) return 'maybe';
  return text === null ? 'no' : glob(text);
}

/** A window among others, as far as it matters here. */
export interface ListedWindow {
  id: string;
  title: string;
  appName?: string;
  program?: string;
  pid?: number;
  /** Window that it belongs to. */
  of?: string;
  /** A dialog, a menu, a tooltip: not a window of its own. */
  belongs: boolean;
}

/**
 * The ids of those that may not be seen: a blocked window, what belongs to one, and dialogs and menus of the same
 * process, whose own titles say nothing.
 */
export function hiddenAmong(windows: readonly ListedWindow[], rules: WindowRules): Set<string> {
  const hidden = new Set<string | undefined>();
  const pids = new Set<number | undefined>();
  const hide = ({ id, pid }: ListedWindow): void => {
    hidden.add(id);
    if (pid !== undefined) pids.add(pid);
  };
  for (const window of windows) {
    const { title, appName = null, program = null } = window;
    if (rules.hidden({ title, appName, program })) hide(window);
  }
  for (let before = -1; before !== hidden.size;) {
    before = hidden.size;
    for (const window of windows) {
      const { pid, of, belongs } = window;
      if (hidden.has(of) || (belongs && pids.has(pid))) hide(window);
    }
  }
  return hidden as Set<string>;
}
