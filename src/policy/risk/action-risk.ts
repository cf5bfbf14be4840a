import { type CallFacts, pressesKeys } from '../facts.js';
import { chordText, parseChord } from '../rules/argument-match.js';
import { foldText } from '../rules/glob.js';
import type { Points } from './risk.js';

/** Base risk points of each action. */
export const ACTION_POINTS = {
  ...{ focus: 0, hover: 0, scroll: 0, scroll_into_view: 0, expand: 0, collapse: 0, 'window change': 0 },
  // The user's clipboard may contain anything, so reading it counts as much as writing into a field.
  ...{ type: 2, set_value: 2, key: 2, clipboard: 2 },
  ...{ click: 3, invoke: 3, select: 3, toggle: 3, check: 3, uncheck: 3, context_menu: 3, increment: 3, decrement: 3 },
  ...{ drag: 3, enter: 3, chord: 3, 'window close': 3, launch: 3 },
  ...{ click_xy: 5 },
} as const;

export type ActionName = keyof typeof ACTION_POINTS;

/** For actions that are not in the table, such as an app's own. */
const UNLISTED = { act: 3, raw: 5 };

export function actionPoints(facts: CallFacts): Points[] {
  if (facts.class !== 'act' && facts.class !== 'raw') return [{ points: 0, why: 'reading changes nothing' }];
  const unlisted = UNLISTED[facts.class];
  const possible = withKeys(facts);
  // A tool that declares no action is as risky as an unlisted one.
  return (possible.length > 0 ? possible : [facts.tool]).map((action) => ({
    points: pointsOf(action) ?? unlisted,
    why: pointsOf(action) === undefined ? `${facts.tool}, which has no points of its own` : action,
  }));
}

/** Keys add their own risk to an action; while they are not known, it may be a chord. */
function withKeys(facts: CallFacts): readonly string[] {
  const { actions, keys } = facts;
  if (!pressesKeys(facts)) return actions;
  if (!keys) return [...actions, 'key', 'chord'];
  return actions.map((action) => [action, ...keys.map(keyAction)].reduce(riskier));
}

const pointsOf = (action: string): number | undefined =>
  Object.hasOwn(ACTION_POINTS, action) ? ACTION_POINTS[action as ActionName] : undefined;

/** The first one, unless the second has more points. */
const riskier = (most: string, action: string): string =>
  (pointsOf(action) ?? 0) > (pointsOf(most) ?? 0) ? action : most;

function keyAction(key: string): ActionName {
  const chord = parseChord(key);
  if (chord.held !== '') return 'chord';
  return chordText(chord) === 'enter' ? 'enter' : 'key';
}

/** Words consist of letters, digits and combining marks; everything else separates them. */
const WORD_SEPARATORS = /[^\p{L}\p{N}\p{M}]+/gu;

function spaced(text: string): string {
  return ` ${foldText(text).replace(WORD_SEPARATORS, ' ').trim()} `;
}

interface DestructiveWord {
  word: string;
  spaced: string;
}

export function destructiveWord(word: string): DestructiveWord {
  return { word, spaced: spaced(word) };
}

/**
 * Returns the first of these words that occurs in a text as a whole word; an entry may consist of two words (`log
 * out`). The text is also searched backwards, because a direction mark may have displayed it reversed, and the mark
 * itself has been removed before the text gets here.
 */
export function wordFinder(words: readonly DestructiveWord[]): (text: string) => string | undefined {
  const known = words.filter((one) => one.spaced.trim() !== '');
  return (text) => {
    const read = spaced(text);
    const back = [...read].reverse().join('');
    return known.find((one) => read.includes(one.spaced) || back.includes(one.spaced))?.word;
  };
}
