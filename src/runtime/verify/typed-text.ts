import { cleanText } from '../../shared/index.js';
import { type Change, type Element, TEXT_ROLES } from '../../tree/index.js';
import type { ActionReport } from '../act/action.js';
import type { Target } from '../locate/target.js';

/**
 * Whether all changes can come from the text typed before Enter: the text is in its field, the window title marks
 * unsaved changes, a button became enabled. The effect of Enter may come later: GTK shows the button that it presses
 * as held down for a quarter of a second.
 */
export function explainedByTyping(changes: readonly Change[], target: Target, linesTyped: number): boolean {
  const inside = new Set<string>([target.element.ref]);
  return changes.every((change) => {
    const { kind, ref, element, before } = change;
    const within = inside.has(ref) || (change.in !== undefined && inside.has(change.in));
    if (within) inside.add(ref);
    if (kind === 'new') return within && TEXT_ROLES.has(element.role);
    if (kind === 'gone') return within;
    if (within) return !before || linesOf(element) - linesOf(before) <= linesTyped;
    return ref === target.window.ref || (before !== undefined && sameButEnabled(before, element));
  });
}

const linesOf = ({ value }: Element): number => (typeof value === 'string' ? value.split('\n').length : 1);

function sameButEnabled(before: Element, now: Element): boolean {
  const rest = ({ name, value, role, states }: Element): string => {
    const { enabled: _enabled, focused: _focused, ...others } = states;
    return JSON.stringify([role, name, value, others]);
  };
  return rest(before) === rest(now);
}

/** The content and the caret of a field before typing. */
export interface TextBefore {
  text: string;
  /** The caret, or the bounds of the selection, in the app's own units. */
  start: number;
  end: number;
}

/**
 * Whether the field can have taken the whole part. That the field contains it is not enough: some of it may have been
 * there before, and a full field drops the rest.
 */
export function acceptedFully(part: string, { text, start, end }: TextBefore, now: string): boolean {
  if (!now.includes(part)) return false;
  const before = [...text];
  const size = [...part].length;
  // Apps may add to typed text. Of the old text, only the selection is removed.
  if ([...now].length >= before.length - (end - start) + size) return true;
  // Overwrite mode: the text after the caret was replaced.
  if (now === [...before.slice(0, start), part, ...before.slice(start + size)].join('')) return true;
  // Everything was replaced, as with placeholder text.
  return now === part && !part.includes(text) && !text.includes(part);
}

export type Expected = NonNullable<ActionReport['expected']>;

/** Compares actual and expected text. `alike`: equal apart from characters that a read does not return. */
export function compareText(expected: Expected, there: string | number): 'same' | 'alike' | 'different' {
  if (fits(expected, there)) return 'same';
  return isSimilar(expected, there) ? 'alike' : 'different';
}

function fits(expected: Expected, there: string | number): boolean {
  if ('part' in expected) return isIn(lines(expected.part), expected, lines(String(there)));
  return typeof expected.value === 'number' && there !== ''
    ? Number(there) === expected.value
    : there === expected.value;
}

/** Reads do not return invisible characters (direction marks, soft hyphens). */
function isSimilar(expected: Expected, there: string | number): boolean {
  const wanted = 'part' in expected ? expected.part : expected.value;
  if (typeof wanted !== 'string') return false;
  const seen = lines(cleanText(wanted).text);
  if (seen === lines(wanted)) return false;
  const now = lines(String(there));
  return 'part' in expected ? isIn(seen, expected, now) : now === seen;
}

function isIn(part: string, { held }: Extract<Expected, { part: string }>, now: string): boolean {
  return held ? acceptedFully(part, { ...held, text: lines(held.text) }, now) : now.includes(part);
}

const lines = (text: string): string => text.replace(/\r\n?/g, '\n');
