import type { Facts } from '../facts.js';
import { chordText, parseChord } from '../rules/argument-match.js';
import { foldText } from '../rules/glob.js';
import type { Points } from './risk.js';

/** Base risk points of each action. */
export const ACTION_POINTS: Readonly<Record<string, number>> = {
  ...{ focus: 0, hover: 0, scroll: 0, scroll_into_view: 0, expand: 0, collapse: 0, 'window change': 0 },
  // The user's clipboard may contain anything, so reading it counts as much as writing into a field.
  ...{ type: 2, set_value: 2, key: 2, clipboard: 2 },
  ...{ click: 3, invoke: 3, select: 3, toggle: 3, check: 3, uncheck: 3, context_menu: 3, increment: 3, decrement: 3 },
  ...{ drag: 3, enter: 3, chord: 3, 'window close': 3, launch: 3 },
  ...{ click_xy: 5 },
};
/** For actions that are not in the table. */
const UNLISTED = { act: 3, raw: 5 };

type ActionsOf = (facts: Facts) => string[];

const always =
  (action: string): ActionsOf =>
  () => [action];

/** The actions of a tool, or all its possible actions while the arguments are not known. */
const ACTIONS_OF_TOOL: Readonly<Record<string, ActionsOf>> = {
  ui_click: always('click'),
  ui_set_value: always('set_value'),
  ui_scroll: always('scroll'),
  ui_drag: always('drag'),
  ui_launch: always('launch'),
  ui_clipboard: always('clipboard'),
  ui_click_xy: always('click_xy'),
  ui_type: ({ keys }) => (keys ? [riskiest(['type', ...keys.map(keyAction)])] : ['type', 'enter']),
  ui_key: ({ keys }) => (keys ? [riskiest(keys.map(keyAction))] : ['key', 'chord']),
  ui_act: ({ args }) => (args ? [String(args.action)] : ['focus', 'invoke']),
  ui_window: ({ args }) =>
    args ? [args.action === 'close' ? 'window close' : 'window change'] : ['window change', 'window close'],
};

/** True if the tool always acts. Other tools may be reads. */
export const isAct = (tool: string): boolean => Object.hasOwn(ACTIONS_OF_TOOL, tool);

export function actionPoints(facts: Facts): Points[] {
  if (facts.class !== 'act' && facts.class !== 'raw') return [{ points: 0, why: 'reading changes nothing' }];
  const unlisted = UNLISTED[facts.class];
  const doing = Object.hasOwn(ACTIONS_OF_TOOL, facts.tool) ? ACTIONS_OF_TOOL[facts.tool]!(facts) : [facts.tool];
  return doing.map((action) => ({
    points: Object.hasOwn(ACTION_POINTS, action) ? ACTION_POINTS[action]! : unlisted,
    why: Object.hasOwn(ACTION_POINTS, action) ? action : `${facts.tool}, which has no points of its own`,
  }));
}

function keyAction(key: string): string {
  const chord = parseChord(key);
  if (chord.held !== '') return 'chord';
  return chordText(chord) === 'enter' ? 'enter' : 'key';
}

function riskiest(actions: readonly string[]): string {
  return actions.reduce(
    (most, action) => (ACTION_POINTS[action]! > ACTION_POINTS[most]! ? action : most),
    actions[0] ?? 'key',
  );
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
