/**
 * Text from the screen is cleaned once, where it enters, so that selectors, policy, ledger and models see the same
 * text. This does not evaluate the content. It drops characters that users cannot see and that could fool a program.
 */

/** In characters (code points), including the cut mark. */
export const TEXT_BOUNDS = { name: 200, title: 200, value: 500, describe: 2_000, quote: 120 } as const;

interface Cleaned {
  text: string;
  /** Number of characters removed. Replaced characters and the cut tail do not count. */
  dropped: number;
}

/** Cleans names and titles: one line. */
export function cleanName(text: string, limit: number = TEXT_BOUNDS.name): Cleaned {
  return clean(text, ' ', ' ', limit);
}

/** Cleans values. They keep their lines, because every output quotes them as JSON. */
export function cleanValue(text: string, limit: number = TEXT_BOUNDS.value): Cleaned {
  return clean(text, '\n', '\t', limit);
}

/** Cleans text that is read page by page: all lines, no limit. */
export function cleanText(text: string): Cleaned {
  return clean(text, '\n', '\t', Infinity);
}

/** The mark at the end of a text that was cut, with the number of characters that are missing; `?` if that is secret. */
export const CUT_MARK = /…\(\+(\d+|\?)\)$/u;

export function cutMark(missing: number): string {
  return `…(+${Number.isFinite(missing) ? missing : '?'})`;
}

/** Cuts clean text to `limit` characters including the mark `…(+1234)`, so that cutting twice changes nothing. */
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

// Characters that are neither dropped nor replaced, one code unit each, and independent of their neighbours: by far
// most names.
const PLAIN = /^[\x20-\x7e\xa0-\xac\xae-\u05ff\u3001-\ud7ff]*$/;

function clean(text: string, newline: string, tab: string, limit: number): Cleaned {
  if (PLAIN.test(text)) {
    return { text: text.length <= limit ? text : withCutMark(text.slice(0, limit), limit, text.length), dropped: 0 };
  }
  let out = '';
  let copied = 0; // start of the part of `text` that stays unchanged and is not yet in `out`
  let points = 0;
  let dropped = 0;
  let last = CharKind.space;
  let head: string | undefined; // the first `limit` characters once there are more; beyond them only the count matters
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    let kind = kindAt(text, at, code);
    let width = code >= 0xd800 && isPair(text, at) ? 2 : 1;
    let instead: string | undefined;
    let next: NextKept | undefined;
    if (kind === CharKind.lone) {
      instead = '\ufffd';
      kind = CharKind.visible;
    } else if (kind === CharKind.newline) {
      if (code === 0x0d && text.charCodeAt(at + 1) === 0x0a) width = 2;
      if (code !== 0x0a || newline !== '\n') instead = newline;
      kind = CharKind.space;
    } else if (kind === CharKind.tab) {
      if (tab !== '\t') instead = tab;
      kind = CharKind.space;
    } else if (kind === CharKind.selector && last !== CharKind.visible) kind = CharKind.drop;
    else if (kind === CharKind.joiner) {
      if (last === CharKind.space) kind = CharKind.drop;
      else {
        next = skipHidden(text, at + 1);
        if (!next.visible) kind = CharKind.drop;
      }
    }

    if (kind === CharKind.drop) {
      instead = '';
      dropped++;
    } else {
      if (points++ === limit) head = out + text.slice(copied, at);
      last = kind;
    }
    if (instead !== undefined) {
      if (head === undefined) out += text.slice(copied, at) + instead;
      copied = at + width;
    }
    at += width;
    if (next !== undefined && next.skipped > 0) {
      // Hidden characters between a joiner and the next visible character are dropped.
      if (head === undefined) out += text.slice(copied, at);
      dropped += next.skipped;
      at = copied = next.at;
    }
  }
  if (head !== undefined) return { text: withCutMark(head, limit, points), dropped };
  return { text: detach(out + text.slice(copied), text), dropped };
}

/** A slice keeps the whole string in memory; a short name must not hold on to a megabyte. */
function detach(part: string, whole: string): string {
  return whole.length > 4_096 && part.length < whole.length / 4 ? Buffer.from(part).toString() : part;
}

interface NextKept {
  at: number;
  skipped: number;
  visible: boolean;
}

/** The next character that is kept regardless of its neighbours, and the number of characters skipped before it. */
function skipHidden(text: string, from: number): NextKept {
  let at = from;
  let skipped = 0;
  for (; at < text.length; skipped++) {
    const kind = kindAt(text, at, text.charCodeAt(at));
    if (kind !== CharKind.drop && kind !== CharKind.joiner && kind !== CharKind.selector)
      return { at, skipped, visible: kind === CharKind.visible || kind === CharKind.lone };
    at += isPair(text, at) ? 2 : 1;
  }
  return { at, skipped, visible: false };
}

const enum CharKind {
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

function kindAt(text: string, at: number, code: number): CharKind {
  const kind = kindOf(code);
  if (kind !== CharKind.surrogate) return kind;
  if (!isPair(text, at)) return CharKind.lone;
  return isHiddenAstral(text.codePointAt(at)!) ? CharKind.drop : CharKind.visible;
}

function kindOf(code: number): CharKind {
  if (code < 0xa0) {
    if (code > 0x20 && code < 0x7f) return CharKind.visible;
    if (code === 0x20) return CharKind.space;
    if (code === 0x09) return CharKind.tab;
    return (code >= 0x0a && code <= 0x0d) || code === 0x85 ? CharKind.newline : CharKind.drop;
  }
  if (code === 0xa0) return CharKind.space;
  if (code === 0xad || code === 0x061c) return CharKind.drop; // soft hyphen, Arabic letter mark
  if (code < 0x1680) return CharKind.visible;
  if (code === 0x1680 || code === 0x3000) return CharKind.space;
  if (code >= 0x2000 && code <= 0x206f) return kindOfGeneralPunctuation(code);
  if (code >= 0xd800 && code <= 0xdfff) return CharKind.surrogate;
  if (code === 0xfe0e || code === 0xfe0f) return CharKind.selector; // text or emoji presentation of the character before
  return code === 0xfeff || code === 0xfffc ? CharKind.drop : CharKind.visible; // byte order mark, object replacement
}

function kindOfGeneralPunctuation(code: number): CharKind {
  if (code <= 0x200a || code === 0x202f || code === 0x205f) return CharKind.space;
  if (code === 0x200c || code === 0x200d) return CharKind.joiner; // ZWNJ, ZWJ
  if (code === 0x2028 || code === 0x2029) return CharKind.newline;
  if (code <= 0x200f || (code >= 0x202a && code <= 0x202e)) return CharKind.drop; // zero width space, marks, embeddings
  if (code >= 0x2060 && code <= 0x2069 && code !== 0x2065) return CharKind.drop; // word joiner, invisible signs, isolates
  return CharKind.visible;
}

/** Tags and supplementary variation selectors: whole hidden messages have been written with them. */
function isHiddenAstral(point: number): boolean {
  return (point >= 0xe0000 && point <= 0xe007f) || (point >= 0xe0100 && point <= 0xe01ef);
}

function isPair(text: string, at: number): boolean {
  const high = text.charCodeAt(at);
  if (high < 0xd800 || high > 0xdbff) return false;
  const low = text.charCodeAt(at + 1);
  return low >= 0xdc00 && low <= 0xdfff;
}

/** `head` is the first `limit` of `total` characters; the mark replaces its last few. */
function withCutMark(head: string, limit: number, total: number): string {
  let digits = 1;
  while (String(total - keptCharacters(limit, digits)).length > digits) digits++;
  let kept = keptCharacters(limit, digits);
  let points = [...head].slice(0, kept);
  while (/[\u200c\u200d]$/.test(points.at(-1) ?? '')) points = points.slice(0, --kept);
  return points.join('') + cutMark(total - kept);
}

function keptCharacters(limit: number, digits: number): number {
  return Math.max(0, limit - digits - '…(+)'.length);
}
