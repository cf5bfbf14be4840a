/**
 * Text from the screen, cleaned once, where it enters: selectors, policy, ledger and models then all see the same.
 * Nothing here judges what the text says. What is dropped is what a person cannot see and a machine could be fooled by.
 */

/** In characters (code points), the mark of the cut included. */
export const TEXT_BOUNDS = { name: 200, title: 200, value: 500, describe: 2_000, quote: 120 } as const;

/**
 * Under this key stands a title as it is without the cut, cleaned: for rules, which must see a word at its end too, and
 * for nobody else. It is in no JSON.
 */
export const WHOLE = Symbol('whole title');

export interface Cleaned {
  text: string;
  /** Characters that were taken out; replaced ones and the tail of a cut are not counted. */
  dropped: number;
}

/** Names and titles: one line. */
export function cleanName(text: string, limit: number = TEXT_BOUNDS.name): Cleaned {
  return clean(text, ' ', ' ', limit);
}

/** Values keep their lines; they are quoted as JSON wherever they are shown. */
export function cleanValue(text: string, limit: number = TEXT_BOUNDS.value): Cleaned {
  return clean(text, '\n', '\t', limit);
}

/** Text that is read page by page: every line, no bound. */
export function cleanText(text: string): Cleaned {
  return clean(text, '\n', '\t', Infinity);
}

/** Cuts clean text to `limit` characters, the mark `…(+1234)` among them: so cutting twice changes nothing. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let points = 0;
  let end = 0;
  for (let at = 0; at < text.length; points++) {
    if (points === limit) end = at;
    at += isPair(text, at) ? 2 : 1;
  }
  return points <= limit ? text : withCutMark(text.slice(0, end), limit, points);
}

// Neither dropped nor replaced, one code unit each, and no neighbour of theirs matters: most names by far.
const PLAIN = /^[\x20-\x7e\xa0-\xac\xae-\u05ff\u3001-\ud7ff]*$/;

function clean(text: string, newline: string, tab: string, limit: number): Cleaned {
  if (PLAIN.test(text)) {
    return { text: text.length <= limit ? text : withCutMark(text.slice(0, limit), limit, text.length), dropped: 0 };
  }
  let out = '';
  let copied = 0; // where in `text` the part begins that stays as it is and is not in `out` yet
  let points = 0;
  let dropped = 0;
  let last = Fate.space;
  let head: string | undefined; // the first `limit` characters, when there are more: beyond them only the count matters
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    let fate = fateAt(text, at, code);
    let width = code >= 0xd800 && isPair(text, at) ? 2 : 1;
    let instead: string | undefined;
    let next: Next | undefined;
    if (fate === Fate.lone) {
      instead = '\ufffd';
      fate = Fate.visible;
    } else if (fate === Fate.newline) {
      if (code === 0x0d && text.charCodeAt(at + 1) === 0x0a) width = 2;
      if (code !== 0x0a || newline !== '\n') instead = newline;
      fate = Fate.space;
    } else if (fate === Fate.tab) {
      if (tab !== '\t') instead = tab;
      fate = Fate.space;
    } else if (fate === Fate.selector && last !== Fate.visible) fate = Fate.drop;
    else if (fate === Fate.joiner) {
      if (last === Fate.space) fate = Fate.drop;
      else {
        next = skipUnseen(text, at + 1);
        if (!next.visible) fate = Fate.drop;
      }
    }

    if (fate === Fate.drop) {
      instead = '';
      dropped++;
    } else {
      if (points++ === limit) head = out + text.slice(copied, at);
      last = fate;
    }
    if (instead !== undefined) {
      if (head === undefined) out += text.slice(copied, at) + instead;
      copied = at + width;
    }
    at += width;
    if (next !== undefined && next.skipped > 0) {
      // Between a joiner and the character it joins, or would have joined, nothing stays.
      if (head === undefined) out += text.slice(copied, at);
      dropped += next.skipped;
      at = copied = next.at;
    }
  }
  if (head !== undefined) return { text: withCutMark(head, limit, points), dropped };
  return { text: detached(out + text.slice(copied), text), dropped };
}

/** A slice of a string keeps the whole string in memory; a short name must not hold on to a megabyte. */
function detached(part: string, whole: string): string {
  return whole.length > 4_096 && part.length < whole.length / 4 ? Buffer.from(part).toString() : part;
}

interface Next {
  at: number;
  skipped: number;
  visible: boolean;
}

/** The next character that stays in its own right, and how many before it do not. */
function skipUnseen(text: string, from: number): Next {
  let at = from;
  let skipped = 0;
  for (; at < text.length; skipped++) {
    const fate = fateAt(text, at, text.charCodeAt(at));
    if (fate !== Fate.drop && fate !== Fate.joiner && fate !== Fate.selector)
      return { at, skipped, visible: fate === Fate.visible || fate === Fate.lone };
    at += isPair(text, at) ? 2 : 1;
  }
  return { at, skipped, visible: false };
}

const enum Fate {
  drop,
  visible,
  space,
  newline,
  tab,
  joiner,
  selector,
  surrogate,
  lone,
}

function fateAt(text: string, at: number, code: number): Fate {
  const fate = fateOf(code);
  if (fate !== Fate.surrogate) return fate;
  if (!isPair(text, at)) return Fate.lone;
  return isHiddenAstral(text.codePointAt(at)!) ? Fate.drop : Fate.visible;
}

function fateOf(code: number): Fate {
  if (code < 0xa0) {
    if (code > 0x20 && code < 0x7f) return Fate.visible;
    if (code === 0x20) return Fate.space;
    if (code === 0x09) return Fate.tab;
    return (code >= 0x0a && code <= 0x0d) || code === 0x85 ? Fate.newline : Fate.drop;
  }
  if (code === 0xa0) return Fate.space;
  if (code === 0xad || code === 0x061c) return Fate.drop; // soft hyphen, Arabic letter mark
  if (code < 0x1680) return Fate.visible;
  if (code === 0x1680 || code === 0x3000) return Fate.space;
  if (code >= 0x2000 && code <= 0x206f) return fateOfGeneralPunctuation(code);
  if (code >= 0xd800 && code <= 0xdfff) return Fate.surrogate;
  if (code === 0xfe0e || code === 0xfe0f) return Fate.selector; // text or emoji look of the character before
  return code === 0xfeff || code === 0xfffc ? Fate.drop : Fate.visible; // byte order mark, object replacement
}

function fateOfGeneralPunctuation(code: number): Fate {
  if (code <= 0x200a || code === 0x202f || code === 0x205f) return Fate.space;
  if (code === 0x200c || code === 0x200d) return Fate.joiner; // ZWNJ, ZWJ
  if (code === 0x2028 || code === 0x2029) return Fate.newline;
  if (code <= 0x200f || (code >= 0x202a && code <= 0x202e)) return Fate.drop; // zero width space, marks, embeddings
  if (code >= 0x2060 && code <= 0x2069 && code !== 0x2065) return Fate.drop; // word joiner, invisible signs, isolates
  return Fate.visible;
}

/** Tags and the supplementary variation selectors: whole hidden messages have been written in them. */
function isHiddenAstral(point: number): boolean {
  return (point >= 0xe0000 && point <= 0xe007f) || (point >= 0xe0100 && point <= 0xe01ef);
}

function isPair(text: string, at: number): boolean {
  const high = text.charCodeAt(at);
  if (high < 0xd800 || high > 0xdbff) return false;
  const low = text.charCodeAt(at + 1);
  return low >= 0xdc00 && low <= 0xdfff;
}

/** `head` is the first `limit` of `total` characters; the mark takes the place of its last few. */
function withCutMark(head: string, limit: number, total: number): string {
  let digits = 1;
  while (String(total - keptBeside(limit, digits)).length > digits) digits++;
  let kept = keptBeside(limit, digits);
  let points = [...head].slice(0, kept);
  while (/[\u200c\u200d]$/.test(points.at(-1) ?? '')) points = points.slice(0, --kept);
  return `${points.join('')}…(+${total - kept})`;
}

function keptBeside(limit: number, digits: number): number {
  return Math.max(0, limit - digits - '…(+)'.length);
}
