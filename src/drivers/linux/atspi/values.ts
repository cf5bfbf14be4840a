import { cleanName, type Node, type Role } from '../../../tree/index.js';
import { ACCESSIBLE, asAddress, readNumber, readString, SELECTION, VALUE } from './accessible.js';
import type { AppCalls } from './app-connection.js';
import {
  cleanTextPrefix,
  type FieldText,
  OBJECT_REPLACEMENT,
  readTextPrefix,
  readFieldText,
  readSpinText,
  readTextLength,
  inlineEmbeddedText,
} from './text.js';
import { isBrowser, type Toolkit } from './toolkit.js';

const RANGES: ReadonlySet<Role> = new Set(['slider', 'spinbutton', 'progressbar', 'meter', 'scrollbar']);
const SETTABLE: ReadonlySet<Role> = new Set(['slider', 'spinbutton', 'scrollbar']);
const TEXTS: ReadonlySet<Role> = new Set(['textbox', 'searchbox', 'terminal', 'paragraph']);

export type FieldValue = Pick<Node, 'value' | 'range' | 'cleaned'> & { filled?: boolean };

/** The value of an element. For a password only whether it is filled: its text is never requested. */
export async function readValue(
  calls: AppCalls,
  path: string,
  { role, states }: Pick<Node, 'role' | 'states'>,
  secret: boolean,
  detail: boolean,
): Promise<FieldValue> {
  if (secret) return { filled: ((await readTextLength(calls, path)) ?? 0) > 0 };
  if (RANGES.has(role)) return readRange(calls, path, role, states.editable === true);
  // A combo box that is itself a field has the typed text as its value, whatever its list has selected.
  const written = role === 'combobox' && states.editable === true && (await readFieldText(calls, path, detail));
  if (written) return { value: written.text, ...(written.dropped > 0 && { cleaned: written.dropped }) };
  if (role === 'combobox') {
    const value = await comboValue(calls, path);
    return value === undefined ? {} : { value };
  }
  if (!TEXTS.has(role) || (role === 'paragraph' && calls.app.toolkit.textInContainers)) return {};
  const field = await readEditableText(calls, path, detail);
  if (!field) return {};
  return { value: field.text, ...(field.dropped > 0 && { cleaned: field.dropped }) };
}

/**
 * An editable page may contain its first line directly and an element for each further line. The first line alone would
 * be mistaken for the whole text. If all lines are elements, they are reported as such and the page itself has no text.
 */
async function readEditableText(calls: AppCalls, path: string, detail: boolean): Promise<FieldText | undefined> {
  const own = await readTextPrefix(calls, path, detail);
  if (!own) return undefined;
  const mixed =
    own.total <= own.limit &&
    own.text.includes(OBJECT_REPLACEMENT) &&
    own.text.replaceAll(OBJECT_REPLACEMENT, '').trim() !== '';
  const whole = mixed && isBrowser(calls.app.toolkit) ? await inlineEmbeddedText(calls, path, own.text) : undefined;
  // A date in Gecko has its separators as text and its numbers as fields.
  if (mixed && whole === undefined && calls.app.toolkit.textInContainers) return undefined;
  return cleanTextPrefix(whole === undefined ? own : { ...own, text: whole, total: [...whole].length });
}

async function readRange(calls: AppCalls, path: string, role: Role, editable: boolean): Promise<FieldValue> {
  const settable = SETTABLE.has(role);
  const [value, min, max, text] = await Promise.all([
    readRangeNumber(calls, path, role === 'spinbutton' && editable),
    settable ? readNumber(calls, path, VALUE, 'MinimumValue') : undefined,
    settable ? readNumber(calls, path, VALUE, 'MaximumValue') : undefined,
    role === 'spinbutton' ? readSpinText(calls, path, editable) : undefined,
  ]);
  if (value === undefined && !text) return {};
  // Toolkits report equal limits when there are none.
  const tidy = (number: number): number => normaliseNumber(number, calls.app.toolkit);
  const range = min !== undefined && max !== undefined && min < max ? { min: tidy(min), max: tidy(max) } : undefined;
  const limits = range && { range };
  const isNumber = text !== undefined && text.text.trim() !== '' && Number(text.text) === value;
  if (text && !(isNumber && editable))
    return { value: text.text, ...limits, ...(text.dropped > 0 && { cleaned: text.dropped }) };
  return { value: value!, ...limits };
}

/** The name of the selected item. Some toolkits put a popup in between. */
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

/** This many digits distinguish all 32-bit floats. Fewer are enough for most. */
const MAX_FLOAT32_DIGITS = 9;
/** Longer than any number that users write. */
const MAX_NUMBER_LENGTH = 40;

/** Shows 0.30000000000000004 as 0.3. Limits like -1.7976931348623157e308 stay as they are. */
export function normaliseNumber(value: number, { numbersIn32Bits }: Toolkit): number {
  if (numbersIn32Bits && Math.fround(value) === value) return shortestDecimal(value);
  return Math.abs(value) < 1e15 ? Number(value.toPrecision(12)) : value;
}

/** Whether the number arrives in the app unchanged. */
export function isTransferredExactly(value: number, { numbersIn32Bits }: Toolkit): boolean {
  return !numbersIn32Bits || Math.fround(value) === value;
}

/**
 * The number in a range. If the toolkit transfers 32-bit floats, an editable field has all digits in its text. The text
 * is used if it gives the same 32-bit number.
 */
export async function readRangeNumber(calls: AppCalls, path: string, typedInto: boolean): Promise<number | undefined> {
  const { toolkit } = calls.app;
  const written = toolkit.numbersIn32Bits && typedInto;
  const [reported, field] = await Promise.all([
    readNumber(calls, path, VALUE, 'CurrentValue'),
    written ? readFieldText(calls, path, false) : undefined,
  ]);
  if (reported === undefined) return undefined;
  const exact = field && parseNumber(field.text);
  return exact !== undefined && Math.fround(exact) === reported ? exact : normaliseNumber(reported, toolkit);
}

/** Parses the text of a page, which may use a decimal comma. */
function parseNumber(text: string): number | undefined {
  const plain = text.trim().replace(',', '.');
  return plain !== '' && plain.length <= MAX_NUMBER_LENGTH ? Number(plain) : undefined;
}

/** 19.99 for 19.9899997711: the fewest digits that give the same 32-bit float. */
function shortestDecimal(value: number): number {
  for (let digits = 1; digits <= MAX_FLOAT32_DIGITS; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}
