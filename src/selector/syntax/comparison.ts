import { ROLES, rolesNamed, roleWord } from '../../tree/index.js';
import type { Operator, Term } from '../ast.js';
import type { Cursor } from './cursor.js';
import { anyOf, likelyKeys, likelyRoles, quoted, shown } from './syntax-error.js';
import {
  isEmptyText,
  isStateKey,
  KEYS,
  keyNamed,
  statePredicate,
  type StateKey,
  type TextKey,
} from '../match/predicates.js';
import { matchesWildcard, hasWildcard } from '../match/text-match.js';
import { readRegex, readString, readText } from './text.js';
import { platformOf, type StepContext } from './step.js';

/** A word and an operator are always a comparison, whatever the word is. */
export const COMPARISON = /([\p{L}\p{N}_][\p{L}\p{N}_.-]*)\s*(!=|~=|\^=|\$=|\*=|=)/uy;
const OPERATOR_LIST = '= != ~= (contains) ^= $= *= (wildcards)';

/** `key op value`, starting at the key. */
export function readComparison(cursor: Cursor, found: RegExpExecArray, context: StepContext): Term {
  const [whole, word, written] = found as unknown as [string, string, Operator];
  if (word.toLowerCase() === 'nth') throw nthInside(cursor, whole);
  const key = keyNamed(word);
  if (!key) throw unknownKey(cursor, word);
  cursor.at += whole.length;
  refuseLongOperator(cursor, written);
  cursor.skipSpace();
  if (isStateKey(key)) return readState(cursor, key, written);
  const asked = context.source === 'ocr' && key === 'name' ? 'text' : key;
  return readValue(cursor, { key: asked, op: written, at: cursor.at, whole }, context);
}

/** A comparison whose value is being read. */
interface Half {
  key: TextKey;
  op: Operator;
  /** Start of the value. */
  at: number;
  /** Key and operator as they were written. */
  whole: string;
}

/** SAP ids are often written with a leading `#`; it is not part of the id. */
export function textTerm(key: TextKey, op: Operator, value: string): Term {
  const whole = op === '=' || op === '!=';
  return { kind: 'text', key, op, value: key === 'sapId' && whole ? value.replace(/^#+/, '') : value };
}

function readValue(cursor: Cursor, half: Half, context: StepContext): Term {
  const { key, op, at } = half;
  const regex = readRegex(cursor);
  if (regex) {
    if (op === '=' || op === '!=' || op === '~=')
      return { kind: 'text', key, op: op === '!=' ? op : '=', value: regex };
    throw cursor.fault({
      at,
      length: cursor.at - at,
      message: `a regex does not go with ${op}`,
      hint: `Write ${key}=/…/ or ${key}!=/…/; for the start use ^ in the regex, for the end $.`,
      expected: ['=', '!=', '~='],
    });
  }
  const string = readString(cursor);
  const value = string ?? readText(cursor, { key, pattern: op === '*=' });
  if (string === undefined && value === '') {
    const message = `expected a value after ${shown(half.whole)}`;
    throw cursor.fault({ message, hint: `Write ${key}${op}"…".`, expected: ['a text', 'a string', 'a regex'] });
  }
  if (isEmptyText(key, value)) refuseEmpty(cursor, half);
  if (op === '*=') refusePlainPattern(cursor, at, key, value);
  return key === 'role' ? roleTerm(cursor, half, value, context) : textTerm(key, op, value);
}

function refuseEmpty(cursor: Cursor, { key, op, at }: Half): void {
  const whole = op === '=' || op === '!=';
  if (whole && key !== 'text') return;
  throw cursor.fault({
    at,
    length: cursor.at - at,
    message: whole ? 'an empty text would fit nearly everything' : `an empty text after ${op} would fit everything`,
    hint: 'Elements without a name: name="". Elements that have one: name!="".',
  });
}

export function refusePlainPattern(cursor: Cursor, at: number, key: string, pattern: string): void {
  if (hasWildcard(pattern)) return;
  const text = quoted(shown(pattern.replace(/\\\*/g, '*')));
  throw cursor.fault({
    at,
    length: Math.max(1, cursor.at - at),
    message: 'no * in the pattern',
    hint: `For "contains" write ${key}~=${text}, for the whole text ${key}=${text}.`,
    expected: ['*'],
  });
}

function readState(cursor: Cursor, key: StateKey, op: Operator): Term {
  const at = cursor.at;
  const words = statePredicate(key).values.map(String);
  const value = readRegex(cursor) ?? readString(cursor) ?? readText(cursor, { key });
  const meant =
    typeof value === 'string' ? statePredicate(key).values.find((v) => String(v) === value.toLowerCase()) : undefined;
  if (meant === undefined) {
    throw cursor.fault({
      at,
      length: Math.max(1, cursor.at - at),
      message: `${key} is ${anyOf(words)}`,
      hint: `Write ${key}=${words[0]}. A state that an element does not have is neither.`,
      expected: words,
      didYouMean: words,
    });
  }
  if (op !== '=' && op !== '!=') {
    throw cursor.fault({
      at,
      message: `${key} takes = or !=, not ${op}`,
      hint: `Write ${key}=${meant}.`,
      expected: ['=', '!='],
    });
  }
  return { kind: 'state', key, op, value: meant };
}

const PARTS = {
  '~=': { word: 'contains', fits: (role: string, part: string) => role.includes(part) },
  '^=': { word: 'starts with', fits: (role: string, part: string) => role.startsWith(part) },
  '$=': { word: 'ends with', fits: (role: string, part: string) => role.endsWith(part) },
  '*=': { word: 'fits', fits: matchesWildcard },
};

function roleTerm(cursor: Cursor, { op, at }: Half, value: string, context: StepContext): Term {
  const length = Math.max(1, cursor.at - at);
  const platform = platformOf(context.source);
  if (op !== '=' && op !== '!=') {
    const part = PARTS[op];
    if (ROLES.some((role) => part.fits(role, value.toLowerCase()))) return { kind: 'text', key: 'role', op, value };
    const message = `no role ${part.word} ${quoted(shown(value))}`;
    throw cursor.fault({ at, length, message, hint: 'Write the role itself: role=button.', expected: ['a role'] });
  }
  const roles = rolesNamed(value, platform);
  if (roles.length > 0) return { kind: 'role', op, roles: roles.sort() };
  const didYouMean = likelyRoles(value, platform);
  throw cursor.fault({
    at,
    length,
    message: `unknown role ${quoted(shown(value))}`,
    hint:
      didYouMean.length > 0
        ? `Did you mean ${anyOf(didYouMean)}?`
        : 'Roles are words such as button, textbox, checkbox, menuitem, tab, row, cell, dialog.',
    expected: ['a role'],
    didYouMean,
  });
}

/** Our word for roles, as suggested and printed. */
export function wordOf(context: Pick<StepContext, 'source'>, roles: Parameters<typeof roleWord>[0]): string {
  return roleWord(roles, platformOf(context.source)) ?? roles[0]!;
}

function unknownKey(cursor: Cursor, word: string): Error {
  const didYouMean = likelyKeys(word);
  const message = `unknown key ${quoted(shown(word))}`;
  const fault = { length: word.length, message, expected: ['a key'], didYouMean };
  const plain = word.toLowerCase();
  if (plain === 'ref') return cursor.fault({ ...fault, hint: 'A ref is written @e12.', didYouMean: ['@e12'] });
  const opposite = plain === 'disabled' || plain === 'hidden' ? ` Write ${didYouMean[0]}=false.` : '';
  const offer = didYouMean.length > 0 ? `Did you mean ${anyOf(didYouMean)}?${opposite}` : `Keys: ${KEYS.join(', ')}.`;
  return cursor.fault({ ...fault, hint: `${offer} To match the text itself, quote it.` });
}

function nthInside(cursor: Cursor, written: string): Error {
  return cursor.fault({
    length: written.length,
    message: 'nth is a step of its own',
    hint: 'Write … >> nth=0.',
    expected: ['>>'],
  });
}

const LONGER = /[=~]+/y;

/** `==` and `=~` are operators in other languages; here each is a mistake with one possible meaning. */
function refuseLongOperator(cursor: Cursor, op: Operator): void {
  const more = cursor.input.charAt(cursor.at);
  if (more !== '=' && !(more === '~' && op === '=')) return;
  const at = cursor.at - op.length;
  const whole = op + cursor.peek(LONGER)![0];
  const meant = whole.includes('~') ? 'Contains is ~=.' : op === '!=' ? 'Not equal is !=.' : 'Equals is =.';
  throw cursor.fault({
    at,
    length: whole.length,
    message: `"${whole}" is not an operator`,
    hint: `Operators: ${OPERATOR_LIST}. ${meant}`,
    expected: ['=', '!=', '~=', '^=', '$=', '*='],
    found: `"${whole}"`,
  });
}
