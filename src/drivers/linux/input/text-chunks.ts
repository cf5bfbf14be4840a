import { DesktopError } from '../../../shared/index.js';
import { ENTER, keysymOfCharacter, TAB } from './keysyms.js';

/** One key to strike for one or, for a line end of Windows, two characters. */
export interface Letter {
  keysym: number;
  /** Code points of the text that it stands for. */
  length: number;
}

export const MAX_CHUNK = 32;

/** Every character as the symbol that stands for it; what cannot be typed is refused before anything is. */
export function lettersOf(text: string): Letter[] {
  return Array.from(text.matchAll(/\r\n|[^]/gu), ([character]) => {
    if (character === '\r\n') return { keysym: ENTER, length: 2 };
    if (character === '\n' || character === '\r') return { keysym: ENTER, length: 1 };
    if (character === '\t') return { keysym: TAB, length: 1 };
    const code = character.codePointAt(0)!;
    if (/[\p{Cc}\p{Cs}]/u.test(character)) throw untypable(code);
    return { keysym: keysymOfCharacter(code), length: 1 };
  });
}

/** From here on one looks before each letter where it goes: it costs less than the pause. */
const SLOW_MS = 20;
const MOST_BETWEEN_MS = 250;

/** Letters between two looks. */
export function chunkFor(delayMs: number): number {
  if (delayMs >= SLOW_MS) return 1;
  return Math.min(MAX_CHUNK, Math.floor(MOST_BETWEEN_MS / Math.max(delayMs, 1)));
}

/** Parts of at most so many; a letter and the marks on it stay together where they can, in up to 32. */
export function chunksOf(letters: readonly Letter[], most = MAX_CHUNK): Letter[][] {
  const chunks: Letter[][] = [];
  for (let at = 0; at < letters.length;) {
    const last = Math.min(at + MAX_CHUNK, letters.length);
    let end = Math.min(at + most, last);
    const apart = (): boolean => end >= letters.length || !belongsToLast(letters[end]!, letters[end - 1]!);
    while (end > at + 1 && !apart()) end--;
    while (end < last && !apart()) end++;
    chunks.push(letters.slice(at, end));
    at = end;
  }
  return chunks;
}

/** Marks, joiners, skin tones; and what follows a joiner. */
function belongsToLast({ keysym }: Letter, last: Letter): boolean {
  const code = keysym - 0x01000000;
  if (code < 0x300) return false;
  return last.keysym === 0x0100200d || /[\p{M}\u200d\p{EMod}]/u.test(String.fromCodePoint(code));
}

function untypable(code: number): DesktopError {
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return new DesktopError('bad_arguments', `The text has ${name} in it, which no keyboard can type.`, {
    hint: 'Leave it out. Keys such as Backspace and Escape are pressed, not typed.',
  });
}
