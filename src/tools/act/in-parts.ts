import type { Reader, Target } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { quote, roleInText, TEXT_FIELD_ROLES, type Element } from '../../tree/index.js';

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
