import { DesktopError } from '../../shared/index.js';
import { describeElement, type Element, TEXT_FIELD_ROLES } from '../../tree/index.js';
import type { Actor } from '../act/actor.js';
import type { Chord } from '../../drivers/contract/index.js';
import type { Reader } from '../act/reader.js';
import type { Target } from '../locate/target.js';
import { typeText } from './type-text.js';

const WORD_OR_NUMBER = /[\p{L}\p{N}]+/gu;
/** Qt accepts a day that the old month does not have only after the month was changed, so a second pass is needed. */
const PASSES = 2;

interface Section {
  nth: number;
  text: string;
}

/** The parts of a date or time that differ from the wanted one; undefined if the two do not have the same format. */
export function changedSections(now: string, wanted: string): Section[] | undefined {
  if (now.replace(WORD_OR_NUMBER, '0') !== wanted.replace(WORD_OR_NUMBER, '0')) return undefined;
  const before = now.match(WORD_OR_NUMBER) ?? [];
  const parts = (wanted.match(WORD_OR_NUMBER) ?? []).map((text, nth) => ({ nth, text }));
  return parts.length < 2 ? undefined : parts.filter(({ nth, text }) => text !== before[nth]);
}

/**
 * In date fields each part is typed separately: with the whole text selected Qt drops the first part, and a separator
 * after a full part skips the next one. False if the text does not have the field's format; then nothing was done.
 */
export async function typeSections(actor: Actor, target: Target, text: string): Promise<boolean> {
  const { element, window } = target;
  if (element.role !== 'spinbutton' || typeof element.value !== 'string') return false;
  let sections = changedSections(element.value, text);
  if (!sections) return false;
  for (let pass = 0; pass < PASSES && sections && sections.length > 0; pass++) {
    for (const { nth, text: part } of sections) {
      await actor.pressIn(window, target, keysToSection(nth));
      await typeText(actor, target, part);
    }
    sections = changedSections((await actor.reader.wholeText(target)) ?? text, text);
  }
  return true;
}

/** Starts at the first part. Leaving it and coming back selects it. */
function keysToSection(nth: number): Chord[] {
  const right: Chord = { key: 'Right', modifiers: ['ctrl'] };
  const first: Chord[] = [{ key: 'Home', modifiers: [] }, right, { key: 'Left', modifiers: ['ctrl'] }];
  return [...first, ...Array.from({ length: nth }, () => right)];
}

/** Deep enough for the parts of a date, which are in a group of their own. */
const PARTS_DEPTH = 4;

/**
 * A web page's date or time field and its parts do not expose themselves as editable. The parts accept only digits,
 * sent as keys.
 */
export async function refuseParts(reader: Reader, target: Target): Promise<void> {
  const whole = wholeField(target);
  if (!whole) return;
  const { element } = await reader.target(whole.ref, undefined, { depth: PARTS_DEPTH });
  const first = firstPart(element);
  if (!first) return;
  const part = describeElement({ ...first, role: 'spinbutton' });
  const message = `${describeElement(element)} can only be written part by part, with keys.`;
  throw new DesktopError('pattern_unsupported', message, {
    retry: 'no',
    hint: `Use ui_type to type all digits into its first part, ${part}, in the order of the parts, without separators.`,
  });
}

function wholeField({ element, path }: Target): Element | undefined {
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
