import type { Facts } from '../facts.js';
import { chordText, parseChord } from '../rules/argument-match.js';
import { foldText } from '../rules/glob.js';
import type { Points } from './risk.js';

/** What an act can do by itself, in points. */
const ACTIONS: Readonly<Record<string, number>> = {
  ...{ focus: 0, hover: 0, scroll: 0, scroll_into_view: 0, expand: 0, collapse: 0, 'window change': 0 },
  // The clipboard of a person may hold anything: to read it is no less than to write somewhere.
  ...{ type: 2, set_value: 2, key: 2, clipboard: 2 },
  ...{ click: 3, invoke: 3, select: 3, toggle: 3, check: 3, uncheck: 3, context_menu: 3, increment: 3, decrement: 3 },
  ...{ drag: 3, enter: 3, chord: 3, 'window close': 3, launch: 3 },
  ...{ click_xy: 5 },
};
/** Whatever comes later and is not in the table. */
const UNLISTED = { act: 3, raw: 5 };

type Doing = (facts: Facts) => string[];

const always =
  (action: string): Doing =>
  () => [action];

/** What a tool does, or all that it may do as long as its arguments are not known. */
const BY_TOOL: Readonly<Record<string, Doing>> = {
  ui_click: always('click'),
  ui_set_value: always('set_value'),
  ui_scroll: always('scroll'),
  ui_drag: always('drag'),
  ui_launch: always('launch'),
  ui_clipboard: always('clipboard'),
  ui_click_xy: always('click_xy'),
  ui_type: ({ keys }) => (keys ? [heaviest(['type', ...keys.map(pressing)])] : ['type', 'enter']),
  ui_key: ({ keys }) => (keys ? [heaviest(keys.map(pressing))] : ['key', 'chord']),
  ui_act: ({ args }) => (args ? [String(args.action)] : ['focus', 'invoke']),
  ui_window: ({ args }) =>
    args ? [args.action === 'close' ? 'window close' : 'window change'] : ['window change', 'window close'],
};

/** Certainly an act; others may be looks. */
export const isAct = (tool: string): boolean => Object.hasOwn(BY_TOOL, tool);

export function actionPoints(facts: Facts): Points[] {
  if (facts.class !== 'act' && facts.class !== 'raw') return [{ points: 0, why: 'looking changes nothing' }];
  const unlisted = UNLISTED[facts.class];
  const doing = Object.hasOwn(BY_TOOL, facts.tool) ? BY_TOOL[facts.tool]!(facts) : [facts.tool];
  return doing.map((action) => ({
    points: Object.hasOwn(ACTIONS, action) ? ACTIONS[action]! : unlisted,
    why: Object.hasOwn(ACTIONS, action) ? action : `${facts.tool}, which has no points of its own`,
  }));
}

function pressing(key: string): string {
  const chord = parseChord(key);
  if (chord.held !== '') return 'chord';
  return chordText(chord) === 'enter' ? 'enter' : 'key';
}

function heaviest(actions: readonly string[]): string {
  return actions.reduce((most, action) => (ACTIONS[action]! > ACTIONS[most]! ? action : most), actions[0] ?? 'key');
}

export const ACTION_POINTS = ACTIONS;

/** Letters, digits and marks make words; everything else parts them. */
const GAPS = /[^\p{L}\p{N}\p{M}]+/gu;

function spaced(text: string): string {
  return ` ${foldText(text).replace(GAPS, ' ').trim()} `;
}

export interface DestructiveWord {
  word: string;
  spaced: string;
}

export function destructiveWord(word: string): DestructiveWord {
  return { word, spaced: spaced(word) };
}

/**
 * The first of these words that stands in a text as a whole word; a word may be two (`log out`). A text that a
 * direction mark had shown backwards is read backwards too: the mark itself is gone by the time it comes here.
 */
export function wordFinder(words: readonly DestructiveWord[]): (text: string) => string | undefined {
  const known = words.filter((one) => one.spaced.trim() !== '');
  return (text) => {
    const read = spaced(text);
    const back = [...read].reverse().join('');
    return known.find((one) => read.includes(one.spaced) || back.includes(one.spaced))?.word;
  };
}
