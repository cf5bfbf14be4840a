import { cleanText } from '../../shared/index.js';
import { type Change, type Element, TEXT_ROLES } from '../../tree/index.js';
import type { ActionReport } from '../act/action.js';
import type { Target } from '../locate/target.js';

/**
 * Whether this can all come from the text that was typed before Enter: it stands in its field, the window's title says
 * that something is not saved, a button can be used now. What Enter does may come later: GTK holds the button that it
 * presses down for a quarter of a second.
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

/** What a field held before something was typed into it, and where its caret stood. */
export interface TextBefore {
  text: string;
  /** From the caret, or around what was selected. Counted as its app counts. */
  start: number;
  end: number;
}

/**
 * Whether all of the part can have come into the field. That it is in there does not say so: some of it may have been
 * there before, and a field that is full drops the rest.
 */
export function acceptedFully(part: string, { text, start, end }: TextBefore, now: string): boolean {
  if (!now.includes(part)) return false;
  const before = [...text];
  const size = [...part].length;
  // Apps may add to what is typed; of what was there only the selection goes.
  if ([...now].length >= before.length - (end - start) + size) return true;
  // Written over what stood behind the caret.
  if (now === [...before.slice(0, start), part, ...before.slice(start + size)].join('')) return true;
  // In place of all, as of words that only say what belongs there.
  return now === part && !part.includes(text) && !text.includes(part);
}

export type Expected = NonNullable<ActionReport['expected']>;

/** What stands there, against what should: `alike` is the same as far as it can be told. */
export function compareText(expected: Expected, there: string | number): 'same' | 'alike' | 'otherwise' {
  if (fits(expected, there)) return 'same';
  return looksLike(expected, there) ? 'alike' : 'otherwise';
}

function fits(expected: Expected, there: string | number): boolean {
  if ('part' in expected) return isIn(lines(expected.part), expected, lines(String(there)));
  return typeof expected.value === 'number' && there !== ''
    ? Number(there) === expected.value
    : there === expected.value;
}

/** What nobody sees (direction marks, soft hyphens) is taken out of what is read. */
function looksLike(expected: Expected, there: string | number): boolean {
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
