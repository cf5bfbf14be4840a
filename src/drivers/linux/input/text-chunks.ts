import { DesktopError } from '../../../shared/index.js';
import { ENTER, keysymOfCharacter, TAB } from './keysyms.js';

/** One key to strike for one or, for a line end of Windows, two characters. */
export interface Letter {
  keysym: number;
  /** Code points of the text that it stands for. */
  length: number;
}

const MAX_CHUNK = 32;

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

/** Parts of at most 32; a letter and the marks on it stay together where they can. */
export function chunksOf(letters: readonly Letter[]): Letter[][] {
  const chunks: Letter[][] = [];
  for (let at = 0; at < letters.length;) {
    let end = Math.min(at + MAX_CHUNK, letters.length);
    while (end < letters.length && end > at + 1 && belongsToLast(letters[end]!, letters[end - 1]!)) end--;
    if (end === at + 1) end = Math.min(at + MAX_CHUNK, letters.length);
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
