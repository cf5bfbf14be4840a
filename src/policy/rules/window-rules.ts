import { memoize } from '../../shared/index.js';
import { any, type Ternary, not, type Tier } from '../decision.js';
import { BUILT_IN } from '../file/built-in.js';
import { compileAppTextGlob, foldText, type AppTextGlob, appText, type AppText } from './glob.js';
import { projectsOf, type Files } from '../file/settings.js';

/** The facts of a window. `undefined`: not known yet. `null`: absent. */
export interface WindowFacts {
  title?: string | null;
  appName?: string | null;
  /** Real path of the program. */
  program?: string | null;
}

/** Why a window is hidden. */
interface Hidden {
  match: 'yes' | 'maybe';
  pattern: string;
  tier: Tier;
}

interface BlockPattern {
  pattern: string;
  tier: Tier;
  glob: AppTextGlob;
  /** A name that an app claims has no folders: compare it with the last part of a pattern that has some. */
  claimed?: AppTextGlob;
  /** Our own windows are recognised by title only. */
  titleOnly?: boolean;
}

const BLOCKED = BUILT_IN.blocked.map((one) => blockPattern(one, 'built-in'));
const OWN_WINDOWS: BlockPattern = { ...blockPattern(BUILT_IN.ours, 'built-in'), titleOnly: true };

interface AllowList {
  tier: Tier;
  globs: readonly AppTextGlob[];
}

export interface WindowRules {
  /** Undefined: the window is visible. */
  hidden: (window: WindowFacts) => Hidden | undefined;
  /** Whether a window with this title would be blocked; allow lists are not considered. */
  blocks: (title: string) => boolean;
  /** What hides windows, for the user. `windows.allow`: all windows that an allow list does not name. */
  patterns: readonly { pattern: string; tier: Tier }[];
}

/** Block lists of all files add up; a window must match every allow list that exists. */
export function compileWindows(files: Files): WindowRules {
  const { user, managed } = files;
  const projects = projectsOf(files);
  const unblocked = new Set((user?.windows?.unblock ?? []).map(foldText));
  const listed = [
    ...BLOCKED.filter(({ pattern }) => !unblocked.has(foldText(pattern))),
    ...(managed?.windows?.block ?? []).map((one) => blockPattern(one, 'managed')),
    ...(user?.windows?.block ?? []).map((one) => blockPattern(one, 'user')),
    ...projects.flatMap(({ windows }) => (windows?.block ?? []).map((one) => blockPattern(one, 'project'))),
  ];
  const blocks: BlockPattern[] = [OWN_WINDOWS, ...listed];
  const ofProjects = projects.flatMap((file) => allowList(file, 'project'));
  const lists = [...allowList(managed, 'managed'), ...allowList(user, 'user'), ...ofProjects];
  return {
    patterns: [
      ...blocks.map(({ pattern, tier }) => ({ pattern, tier })),
      ...lists.map(({ tier }) => ({ pattern: 'windows.allow', tier })),
    ],
    blocks: memoize(
      (title) => title,
      (title) => blocks.some(({ glob }) => glob(appText(title)) === 'yes'),
    ),
    // Every window list and every decision asks about the same few windows.
    hidden: memoize(keyOf, (window) => {
      const { title, appName, program } = textsOf(window);
      const found: (Hidden | undefined)[] = [
        ...blocks.map(({ pattern, tier, glob, claimed, titleOnly }) => {
          const texts = titleOnly ? [title] : [title, appName, program];
          const matches = texts.map((text) => matchText(text, glob));
          // A program that could not be verified may be the one that it claims to be.
          if (claimed && program === null) matches.push(matchText(appName, claimed));
          return hiddenIf(any(matches), pattern, tier);
        }),
        ...lists.map(({ tier, globs }) => {
          const shown = any([title, appName, program].flatMap((text) => globs.map((glob) => matchText(text, glob))));
          return hiddenIf(not(shown), 'windows.allow', tier);
        }),
      ];
      return found.find((one) => one?.match === 'yes') ?? found.find((one) => one !== undefined);
    }),
  };
}

/** JSON has no undefined. */
const keyOf = ({ title, appName, program }: WindowFacts): string =>
  JSON.stringify([title, appName, program].map((text) => (text === undefined ? 0 : text)));

function blockPattern(pattern: string, tier: Tier): BlockPattern {
  const last = pattern.split('/').at(-1)!;
  return {
    pattern,
    tier,
    glob: compileAppTextGlob(pattern),
    ...(last !== pattern && { claimed: compileAppTextGlob(last) }),
  };
}

function allowList(file: Files['user'], tier: Tier): AllowList[] {
  const patterns = file?.windows?.allow;
  return patterns ? [{ tier, globs: patterns.map(compileAppTextGlob) }] : [];
}

function hiddenIf(match: Ternary, pattern: string, tier: Tier): Hidden | undefined {
  return match === 'no' ? undefined : { match, pattern, tier };
}

type OptionalText = AppText | null | undefined;

function textsOf({ title, appName, program }: WindowFacts): Record<keyof WindowFacts, OptionalText> {
  const see = (text: string | null | undefined): OptionalText => (typeof text === 'string' ? appText(text) : text);
  return { title: see(title), appName: see(appName), program: see(program) };
}

function matchText(text: OptionalText, glob: AppTextGlob): Ternary {
  if (text === undefined) return 'maybe';
  return text === null ? 'no' : glob(text);
}

/** A window in a list, with the fields that matter here. */
export interface ListedWindow {
  id: string;
  title: string;
  appName?: string;
  program?: string;
  pid?: number;
  /** Id of the window that owns it. */
  of?: string;
  /** A dialog, menu or tooltip: not a top-level window. */
  belongs: boolean;
}

/**
 * The ids of hidden windows: blocked windows, windows that they own, and dialogs and menus of the same process, since
 * their own titles reveal nothing.
 */
export function hiddenWindowIds(windows: readonly ListedWindow[], rules: WindowRules): Set<string> {
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
