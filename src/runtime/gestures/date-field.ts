import { DesktopError } from '../../shared/index.js';
import { type Element, quote, roleInText, TEXT_FIELD_ROLES } from '../../tree/index.js';
import type { Actor } from '../act/actor.js';
import type { Chord } from '../../drivers/contract/index.js';
import type { Reader } from '../act/reader.js';
import type { Target } from '../locate/target.js';
import { typeText } from './type-text.js';

const RUN = /[\p{L}\p{N}]+/gu;
/** A day that the old month does not have is taken once the month is there. */
const PASSES = 2;

export interface Section {
  nth: number;
  text: string;
}

/** Where a date or a time differs from the wanted one, part by part; undefined when it is not of the same form. */
export function sectionsOf(now: string, wanted: string): Section[] | undefined {
  if (now.replace(RUN, '0') !== wanted.replace(RUN, '0')) return undefined;
  const before = now.match(RUN) ?? [];
  const parts = (wanted.match(RUN) ?? []).map((text, nth) => ({ nth, text }));
  return parts.length < 2 ? undefined : parts.filter(({ nth, text }) => text !== before[nth]);
}

/**
 * In fields for dates each part is typed for itself: with all of it selected Qt drops the first one, and a separator
 * behind a part that is full passes over the next. False when the text is not of the form that the field has: then
 * nothing was done.
 */
export async function typeSections(actor: Actor, target: Target, text: string): Promise<boolean> {
  const { element, window } = target;
  if (element.role !== 'spinbutton' || typeof element.value !== 'string') return false;
  let sections = sectionsOf(element.value, text);
  if (!sections) return false;
  for (let pass = 0; pass < PASSES && sections && sections.length > 0; pass++) {
    for (const { nth, text: part } of sections) {
      await actor.pressIn(window, target, keysTo(nth));
      await typeText(actor, target, part);
    }
    sections = sectionsOf((await actor.reader.wholeText(target)) ?? text, text);
  }
  return true;
}

/** From the first part, which is selected by coming back to it. */
function keysTo(nth: number): Chord[] {
  const right: Chord = { key: 'Right', modifiers: ['ctrl'] };
  const first: Chord[] = [{ key: 'Home', modifiers: [] }, right, { key: 'Left', modifiers: ['ctrl'] }];
  return [...first, ...Array.from({ length: nth }, () => right)];
}

/** Deep enough for the parts of a date, which stand in a group of their own. */
const DEPTH = 4;

/**
 * The field of a page for a date or a time, and each of its parts, do not say that they can be edited: they take digits
 * as keys, and nothing else.
 */
export async function refuseParts(reader: Reader, target: Target): Promise<void> {
  const whole = wholeOf(target);
  if (!whole) return;
  const { element } = await reader.target(whole.ref, undefined, { depth: DEPTH });
  const first = firstPart(element);
  if (!first) return;
  const name = element.name ? ` ${quote(element.name)}` : '';
  const part = `${first.ref} spinbutton${first.name ? ` ${quote(first.name)}` : ''}`;
  const message = `${element.ref} ${roleInText(element.role)}${name} is written part by part, with keys.`;
  throw new DesktopError('pattern_unsupported', message, {
    retry: 'no',
    hint: `ui_type all digits into its first part, ${part}, in the order of the parts, without separators.`,
  });
}

function wholeOf({ element, path }: Target): Element | undefined {
  if (element.states.editable) return undefined;
  if (TEXT_FIELD_ROLES.has(element.role)) return element;
  if (element.role !== 'spinbutton') return undefined;
  return path.findLast(({ role, states }) => TEXT_FIELD_ROLES.has(role) && !states.editable);
}

function firstPart({ children }: Element): Element | undefined {
  for (const child of children) {
    const found = child.role === 'spinbutton' ? child : firstPart(child);
    if (found) return found;
  }
  return undefined;
}
