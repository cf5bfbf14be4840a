import { parseRef, rolesNamed, type Role } from '../../tree/index.js';
import { combine, type RegexValue, type Term } from '../ast.js';
import { readCellAddress, readId, readText, restOfText, readRegex, readString } from './text.js';
import type { Cursor } from './cursor.js';
import { anyOf, likelyPrefixesAndRoles, foundAt, quoted, shown } from './syntax-error.js';
import { isEmptyText, keyNamed } from '../match/predicates.js';
import { COMPARISON, readComparison, refusePlainPattern, textTerm, wordOf } from './comparison.js';
import { platformOf, type StepContext } from './step.js';
import { isPrefix, twoMeanings } from './ambiguity.js';

const REF = /@(e?|w)([1-9]\d{0,14})(?![\p{L}\p{N}_])/uy;
const NUMBER = /\d{1,9}(?![\p{L}\p{N}_])/uy;
/** Words before a colon: a role (it may contain spaces) or a mistake. */
const HEAD = /((?:(?!&&|\?\?)[^"=<>|[\]:*()])+):/y;
const QUOTE_COLON = 'To match a text with a colon, quote it.';

/** One term without operators around it. */
export function readAtom(cursor: Cursor, context: StepContext): Term {
  const term = readAnyAtom(cursor, context);
  if (context.source === 'ocr') refuseUnderOcr(cursor, term, context);
  return term;
}

function readAnyAtom(cursor: Cursor, context: StepContext): Term {
  const at = cursor.at;
  const regex = readRegex(cursor);
  if (regex) return nameTerm(regex, context);
  const string = readString(cursor);
  if (string !== undefined) return wholeString(cursor, at, string, context);
  if (cursor.char === '#' || cursor.char === '.') return idTerm(cursor, context);
  if (cursor.char === '~') return patternTerm(cursor, context);
  if (cursor.char === '@') return refTerm(cursor);
  const comparison = cursor.peek(COMPARISON);
  if (comparison) return readComparison(cursor, comparison, context);
  const head = cursor.peek(HEAD);
  return (head && readAfterColon(cursor, head[1]!.trimEnd(), head[0].length, context)) ?? plainText(cursor, context);
}

function nameTerm(value: string | RegexValue, { source }: StepContext): Term {
  if (source === 'sap' && typeof value === 'string') return textTerm('sapId', '=', value);
  return { kind: 'text', key: source === 'ocr' ? 'text' : 'name', op: '=', value };
}

function wholeString(cursor: Cursor, at: number, text: string, context: StepContext): Term {
  const term = nameTerm(text, context);
  if (term.kind === 'text' && !isEmptyText(term.key, text)) return term;
  throw cursor.fault({
    at,
    length: cursor.at - at,
    message: 'an empty text as a target',
    hint: 'Elements without a name: name="" together with a role.',
    found: foundAt(cursor.input, at),
  });
}

function idTerm(cursor: Cursor, { source }: StepContext): Term {
  const start = cursor.at;
  const mark = cursor.char;
  cursor.at++;
  const string = readString(cursor);
  const id = string ?? readId(cursor);
  const name = mark === '#' ? 'id' : 'class name';
  const onlyDots = mark === '.' && string === undefined && /^\.*$/.test(id);
  if (id === '' || onlyDots) {
    throw cursor.fault({
      at: start,
      length: Math.max(1, cursor.at - start),
      message: `expected ${mark === '#' ? 'an id' : 'a class name'} after ${mark}`,
      hint: `To match the text itself, quote it: ${quoted(mark + id)}.`,
      expected: [name],
    });
  }
  if (mark === '.') return textTerm('className', '=', id);
  return textTerm(source === 'sap' ? 'sapId' : 'automationId', '=', id);
}

function patternTerm(cursor: Cursor, { source }: StepContext): Term {
  cursor.at++;
  cursor.skipSpace();
  const at = cursor.at;
  const key = source === 'ocr' ? 'text' : 'name';
  const pattern = readString(cursor) ?? readText(cursor, { key, pattern: true });
  refusePlainPattern(cursor, at, key, pattern);
  return { kind: 'text', key, op: '*=', value: pattern };
}

function refTerm(cursor: Cursor): Term {
  const at = cursor.at;
  const found = cursor.take(REF);
  if (found) return { kind: 'ref', ref: `${found[1] || 'e'}${found[2]}` };
  throw badRef(cursor, at, restOfText(cursor.input, at).length);
}

function badRef(cursor: Cursor, at: number, length: number): Error {
  return cursor.fault({
    at,
    length,
    message: 'a ref is @e followed by a number',
    hint: 'To match a text that starts with @, quote it.',
    expected: ['@e12'],
  });
}

/** `role:name`, `region:12`, `cell:B7`. Undefined if the colon only ends a text. */
function readAfterColon(cursor: Cursor, word: string, length: number, context: StepContext): Term | undefined {
  const start = cursor.at;
  const colon = start + length - 1;
  const roles = rolesNamed(word, platformOf(context.source));
  if (isPrefix(word)) throw prefixInside(cursor, word);
  cursor.at += length;
  const after = cursor.at;
  cursor.skipSpace();
  const nothing = cursor.atStop();
  if (word.toLowerCase() === 'region') return regionTerm(cursor);
  if (nothing && roles.length === 0) {
    cursor.at = start;
    return undefined;
  }
  if (nothing) throw missingName(cursor, after, word, wordOf(context, roles));
  if (roles.length > 0) return namedRole(cursor, word, roles.sort(), context);
  cursor.at = start;
  throw keyNamed(word) ? keyWithColon(cursor, word, colon) : unknownHead(cursor, word, context);
}

function regionTerm(cursor: Cursor): Term {
  const number = cursor.take(NUMBER);
  if (number) return { kind: 'region', number: Number(number[0]) };
  const rest = restOfText(cursor.input, cursor.at).replace(/^"(.*)"$/s, '$1');
  throw cursor.fault({
    length: rest.length,
    message: 'region: takes the number that the overlay shows',
    hint: `For the role write role=region${rest === '' ? '' : ` && name=${quoted(shown(rest))}`}.`,
    expected: ['a number'],
  });
}

function namedRole(cursor: Cursor, word: string, roles: Role[], context: StepContext): Term {
  const role: Term = { kind: 'role', op: '=', roles };
  const name = readRegex(cursor) ?? readString(cursor);
  if (name !== undefined) return combine('and', [role, { kind: 'text', key: 'name', op: '=', value: name }]);
  if (cursor.peek(COMPARISON)) {
    throw cursor.fault({
      message: `a name is expected after ${shown(word)}:, found a term`,
      hint: `Write role=${wordOf(context, roles)} && name=…; a name that contains = must be quoted.`,
      expected: ['a name'],
    });
  }
  const text = readText(cursor, { key: 'name' });
  const address = roles.includes('cell') ? readCellAddress(text) : undefined;
  if (address !== undefined) return { kind: 'cell', address };
  return combine('and', [role, { kind: 'text', key: 'name', op: '=', value: text }]);
}

function missingName(cursor: Cursor, at: number, word: string, role: string): Error {
  return cursor.fault({
    at,
    message: `expected a name after ${shown(word)}:`,
    hint: `Any ${role}: role=${role}. The text itself: ${quoted(`${shown(word)}:`)}.`,
    expected: ['a name'],
  });
}

function keyWithColon(cursor: Cursor, word: string, colon: number): Error {
  const key = keyNamed(word)!;
  const value = restOfText(cursor.input, colon + 1);
  return cursor.fault({
    at: colon,
    message: `${quoted(word)} is a key, and keys take an operator, not ":"`,
    hint: `Write ${key}=${shown(value)}. To match the text itself, quote it.`,
    expected: ['=', '!=', '~=', '^=', '$=', '*='],
  });
}

function unknownHead(cursor: Cursor, word: string, { source }: StepContext): Error {
  const didYouMean = likelyPrefixesAndRoles(word, platformOf(source));
  return cursor.fault({
    length: word.length + 1,
    message: `${quoted(`${shown(word)}:`)} is neither a role nor a prefix`,
    hint: didYouMean.length > 0 ? `Did you mean ${anyOf(didYouMean)}? ${QUOTE_COLON}` : QUOTE_COLON,
    expected: ['a role', 'a prefix'],
    didYouMean,
  });
}

function prefixInside(cursor: Cursor, word: string): Error {
  return cursor.fault({
    length: word.length + 1,
    message: `the prefix ${word.toLowerCase()}: stands only at the start of a step`,
    hint: 'A prefix holds for the whole step: uia:role=button && name="Save".',
  });
}

/** A plain text. A text that could also be a word of the grammar is refused with both spellings. */
function plainText(cursor: Cursor, context: StepContext): Term {
  const at = cursor.at;
  const text = readText(cursor, { key: 'name' });
  if (isEmptyText('name', text)) throw nothingHere(cursor, at);
  const ref = parseRef(text);
  if (ref !== undefined) return { kind: 'ref', ref };
  if (/^e\d+$/.test(text)) throw badRef(cursor, at, text.length);
  const double = twoMeanings(text, context);
  if (!double) return nameOfText(text, context);
  throw cursor.fault({ at, length: text.length, didYouMean: [double.other, quoted(text)], ...double });
}

/** Under `sap:` only a quoted text is an id. */
function nameOfText(text: string, { source }: StepContext): Term {
  return { kind: 'text', key: source === 'ocr' ? 'text' : 'name', op: '=', value: text };
}

export function nothingHere(cursor: Cursor, at = cursor.at): Error {
  return cursor.fault({
    at,
    message: `expected a selector, found ${foundAt(cursor.input, at)}`,
    hint: 'To match a text that contains an operator, quote it.',
    expected: ['a selector'],
  });
}

/** Images contain only text. */
function refuseUnderOcr(cursor: Cursor, term: Term, { prefixAt }: StepContext): void {
  if (term.kind === 'text' && term.key === 'text') return;
  const asked = term.kind === 'and' ? term.terms[0]! : term;
  const what = asked.kind === 'text' || asked.kind === 'state' ? asked.key : asked.kind;
  throw underOcr(cursor, prefixAt, what);
}

export function underOcr(cursor: Cursor, prefixAt: number, what: string): Error {
  return cursor.fault({
    at: prefixAt,
    length: 'ocr:'.length,
    message: `ocr: knows only text, not ${what}`,
    hint: 'Write ocr:"the words on the screen", or leave the prefix out.',
    expected: ['text'],
  });
}
