import { cleanName, type Node, type Role } from '../../../tree/index.js';
import type { AppCalls } from './app-link.js';
import { ACCESSIBLE, SELECTION, VALUE } from './interfaces.js';
import { readHeldNumber, tidyNumber } from './numbers.js';
import { asAddress, readNumber, readString } from './raw-element.js';
import { readSpinText } from './spin-text.js';
import { cleanBeginning, readBeginning, readFieldText, readTextLength, type FieldText } from './text.js';
import { OBJECT, textInParts } from './text-in-parts.js';

const RANGES: ReadonlySet<Role> = new Set(['slider', 'spinbutton', 'progressbar', 'meter', 'scrollbar']);
const SETTABLE: ReadonlySet<Role> = new Set(['slider', 'spinbutton', 'scrollbar']);
const TEXTS: ReadonlySet<Role> = new Set(['textbox', 'searchbox', 'terminal', 'paragraph']);

export type FieldValue = Pick<Node, 'value' | 'range' | 'cleaned'> & { filled?: boolean };

/** What the element holds. Of a password only whether there is one: its text is never asked for. */
export async function readValue(
  calls: AppCalls,
  path: string,
  { role, states }: Pick<Node, 'role' | 'states'>,
  secret: boolean,
  detail: boolean,
): Promise<FieldValue> {
  if (secret) return { filled: ((await readTextLength(calls, path)) ?? 0) > 0 };
  if (RANGES.has(role)) return readRange(calls, path, role, states.editable === true);
  // One that is a field itself holds what is written in it, whatever its list has selected.
  const written = role === 'combobox' && states.editable === true && (await readFieldText(calls, path, detail));
  if (written) return { value: written.text, ...(written.dropped > 0 && { cleaned: written.dropped }) };
  if (role === 'combobox') {
    const value = await comboValue(calls, path);
    return value === undefined ? {} : { value };
  }
  if (!TEXTS.has(role)) return {};
  const field = await readWritten(calls, path, detail);
  if (!field) return {};
  return { value: field.text, ...(field.dropped > 0 && { cleaned: field.dropped }) };
}

/**
 * A page that one writes in may have its first line in itself and an element for each that follows: that line alone
 * would be taken for all of it. Where all lines are elements they are told as such, and it holds nothing itself.
 */
async function readWritten(calls: AppCalls, path: string, detail: boolean): Promise<FieldText | undefined> {
  const own = await readBeginning(calls, path, detail);
  if (!own) return undefined;
  const mixed = own.total <= own.limit && own.text.includes(OBJECT) && own.text.replaceAll(OBJECT, '').trim() !== '';
  const whole = mixed && calls.app.toolkit.name === 'chromium' ? await textInParts(calls, path, own.text) : undefined;
  return cleanBeginning(whole === undefined ? own : { ...own, text: whole, total: [...whole].length });
}

async function readRange(calls: AppCalls, path: string, role: Role, editable: boolean): Promise<FieldValue> {
  const settable = SETTABLE.has(role);
  const [value, min, max, text] = await Promise.all([
    readHeldNumber(calls, path, role === 'spinbutton' && editable),
    settable ? readNumber(calls, path, VALUE, 'MinimumValue') : undefined,
    settable ? readNumber(calls, path, VALUE, 'MaximumValue') : undefined,
    role === 'spinbutton' ? readSpinText(calls, path, editable) : undefined,
  ]);
  if (value === undefined && !text) return {};
  // Equal limits are a toolkit's way to say that there are none.
  const tidy = (number: number): number => tidyNumber(number, calls.app.toolkit);
  const range = min !== undefined && max !== undefined && min < max ? { min: tidy(min), max: tidy(max) } : undefined;
  const limits = range && { range };
  if (text) return { value: text.text, ...limits, ...(text.dropped > 0 && { cleaned: text.dropped }) };
  return { value: value!, ...limits };
}

/** The selected item's name; through the popup that some toolkits put in between. */
async function comboValue(calls: AppCalls, path: string): Promise<string | undefined> {
  const direct = await selectedName(calls, path);
  if (direct !== undefined) return direct;
  const popup = asAddress((await calls.maybe(calls.call(path, ACCESSIBLE, 'GetChildAtIndex', 'i', [0])))?.[0]);
  return popup && (await selectedName(calls, popup[1]));
}

async function selectedName(calls: AppCalls, path: string): Promise<string | undefined> {
  const answer = await calls.maybe(calls.call(path, SELECTION, 'GetSelectedChild', 'i', [0]));
  const item = asAddress(answer?.[0]);
  if (!item || item[0] !== calls.app.busName) return undefined;
  return cleanName(await readString(calls, item[1], ACCESSIBLE, 'Name')).text.trim();
}
