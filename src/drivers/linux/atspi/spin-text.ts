import type { AppCalls } from './app-link.js';
import { VALUE } from './interfaces.js';
import { readNumber } from './raw-element.js';
import { readFieldText, readTextLength, type FieldText } from './text.js';

/**
 * What stands in a spin button whose number means nothing; undefined where the number holds. Qt's fields for dates and
 * times have no number: they tell 0 without limits, and keep a number that is written apart from the date. Chromium
 * tells 0 of an empty field, and takes no number until there is one; what a page draws itself has no text at all.
 */
export async function readSpinText(calls: AppCalls, path: string, editable: boolean): Promise<FieldText | undefined> {
  const { name } = calls.app.toolkit;
  if (name === 'chromium' && editable)
    return (await readTextLength(calls, path)) === 0 ? { text: '', dropped: 0 } : undefined;
  if (name !== 'qt') return undefined;
  const [min, max] = await Promise.all([
    readNumber(calls, path, VALUE, 'MinimumValue'),
    readNumber(calls, path, VALUE, 'MaximumValue'),
  ]);
  return min !== undefined && max !== undefined && min < max ? undefined : readFieldText(calls, path, false);
}
