import type { RegexValue } from '../ast.js';
import type { Cursor } from './cursor.js';
import { quoted, shown } from './syntax-error.js';

const LONGEST_REGEX = 200;
const CURLY = /[\u2018-\u201f]/y;
const STRING = { '"': /"((?:[^"\\]|\\.)*)"/sy, "'": /'((?:[^'\\]|\\.)*)'/sy };
const REGEX =
  /\/((?:[^/\\[\n\r\u2028\u2029]|\\[^\n\r\u2028\u2029]|\[(?:[^\]\\\n\r\u2028\u2029]|\\[^\n\r\u2028\u2029])*\])*)\//y;
const FLAGS = /[\p{L}\p{N}_]*/uy;

/**
 * `"…"` or `'…'`; undefined if no string starts here. A backslash escapes the quote and itself; elsewhere it is an
 * ordinary character.
 */
export function readString(cursor: Cursor): string | undefined {
  refuseCurly(cursor);
  const quote = cursor.char;
  if (quote !== '"' && quote !== "'") return undefined;
  const found = cursor.take(STRING[quote]);
  if (!found) {
    throw cursor.fault({
      message: `the text is not closed: ${quote} is missing at its end`,
      hint:
        quote === '"'
          ? 'A quote in a text is written \\", a backslash before the last quote \\\\.'
          : `A text that starts with ' must be quoted: "'…".`,
      expected: [quote],
      found: 'the end',
    });
  }
  return found[1]!.replace(quote === '"' ? /\\(["\\])/g : /\\(['\\])/g, '$1');
}

function refuseCurly(cursor: Cursor): void {
  if (!cursor.peek(CURLY)) return;
  throw cursor.fault({
    message: 'curly quotes do not quote',
    hint: 'Use "straight" or \'single\' quotes.',
    expected: ['"', "'"],
  });
}

/** `/…/` or `/…/i`; undefined if no regex starts here. */
export function readRegex(cursor: Cursor): RegexValue | undefined {
  if (cursor.char !== '/') return undefined;
  const at = cursor.at;
  const quoteIt = 'To match a text that starts with /, quote it.';
  const found = cursor.take(REGEX);
  if (!found) {
    throw cursor.fault({
      message: 'the regex is not closed: / is missing at its end',
      hint: `${quoteIt} A / in a regex is written \\/.`,
      expected: ['/'],
      found: 'the end',
    });
  }
  const source = found[1]!;
  if (source === '') {
    throw cursor.fault({
      at,
      length: 2,
      message: 'empty regex',
      hint: `XPath is not supported: use >> and has(…). ${quoteIt}`,
    });
  }
  const flags = cursor.peek(FLAGS)![0];
  if (flags !== '' && flags !== 'i') {
    const message = `unknown regex flag ${quoted(shown(flags))}`;
    throw cursor.fault({ length: flags.length, message, hint: `Only i is known. ${quoteIt}`, expected: ['i'] });
  }
  if (source.length > LONGEST_REGEX) {
    const message = `the regex is longer than ${LONGEST_REGEX} characters`;
    throw cursor.fault({
      at,
      length: source.length + 2,
      message,
      hint: 'Shorten it, or combine terms with && and ||.',
    });
  }
  refuseInvalid(cursor, at, source);
  cursor.at += flags.length;
  return { source, ignoreCase: flags === 'i' };
}

function refuseInvalid(cursor: Cursor, at: number, source: string): void {
  try {
    new RegExp(source, 'u');
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.replace(/^Invalid regular expression: .*\/u?: /s, '') : '';
    throw cursor.fault({
      at,
      length: source.length + 2,
      message: `the regex is not valid: ${shown(why)}`,
      hint: 'It is JavaScript in Unicode mode: \\ escapes only ^ $ \\ . * + ? ( ) [ ] { } | /. A plain text needs no regex: quote it.',
    });
  }
}
