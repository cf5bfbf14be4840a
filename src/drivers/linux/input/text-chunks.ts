import { DesktopError } from '../../../shared/index.js';
import { ENTER, keysymOfCharacter, TAB } from './keysyms.js';

/** One key to press. It stands for one character, or for two in a Windows line ending. */
export interface TextKey {
  keysym: number;
  /** How many code points of the text this key stands for. */
  length: number;
}

const SPACES: ReadonlySet<number> = new Set([0x20, 0xa0]);
const MOVES_ON: ReadonlySet<number> = new Set([ENTER, TAB]);

export const MAX_CHUNK = 32;

/** The keysym of every character. Rejects text that cannot be typed before any key is pressed. */
export function textToKeys(text: string): TextKey[] {
  return Array.from(text.matchAll(/\r\n|[^]/gu), ([character]) => {
    if (character === '\r\n') return { keysym: ENTER, length: 2 };
    if (character === '\n' || character === '\r') return { keysym: ENTER, length: 1 };
    if (character === '\t') return { keysym: TAB, length: 1 };
    const code = character.codePointAt(0)!;
    if (/[\p{Cc}\p{Cs}]/u.test(character)) throw untypable(code);
    return { keysym: keysymOfCharacter(code), length: 1 };
  });
}

/** From this delay on, the caller checks before every key: the check takes less time than the delay. */
const CHECK_EVERY_KEY_MS = 20;
const MAX_CHECK_INTERVAL_MS = 250;

/** How many keys to send between two checks. */
export function chunkSizeFor(delayMs: number): number {
  if (delayMs >= CHECK_EVERY_KEY_MS) return 1;
  return Math.min(MAX_CHUNK, Math.floor(MAX_CHECK_INTERVAL_MS / Math.max(delayMs, 1)));
}

/** A key that activates a control that has the focus begins a chunk; so does the key after Enter or Tab. */
export function splitBeforeActing(keys: readonly TextKey[], most = MAX_CHUNK): TextKey[][] {
  const parts: TextKey[][] = [];
  for (const key of keys) {
    const last = parts.at(-1);
    const acts = SPACES.has(key.keysym) || MOVES_ON.has(key.keysym) || MOVES_ON.has(last?.at(-1)?.keysym ?? 0);
    if (last && !acts) last.push(key);
    else parts.push([key]);
  }
  return parts.flatMap((part) => splitIntoChunks(part, most));
}

/**
 * Splits into chunks of at most `most` keys. A letter and its combining marks stay together where possible, in chunks
 * of up to 32.
 */
export function splitIntoChunks(keys: readonly TextKey[], most = MAX_CHUNK): TextKey[][] {
  const chunks: TextKey[][] = [];
  for (let at = 0; at < keys.length;) {
    const last = Math.min(at + MAX_CHUNK, keys.length);
    let end = Math.min(at + most, last);
    const apart = (): boolean => end >= keys.length || !joinsPrevious(keys[end]!, keys[end - 1]!);
    while (end > at + 1 && !apart()) end--;
    while (end < last && !apart()) end++;
    chunks.push(keys.slice(at, end));
    at = end;
  }
  return chunks;
}

/** Combining marks, joiners and skin tones, and the character after a joiner. */
function joinsPrevious({ keysym }: TextKey, last: TextKey): boolean {
  const code = keysym - 0x01000000;
  if (code < 0x300) return false;
  return last.keysym === 0x0100200d || /[\p{M}\u200d\p{EMod}]/u.test(String.fromCodePoint(code));
}

function untypable(code: number): DesktopError {
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return new DesktopError('bad_arguments', `The text contains ${name}, which no keyboard can type.`, {
    hint: 'Remove it. To press keys such as Backspace and Escape, use ui_key instead of typing them.',
  });
}
