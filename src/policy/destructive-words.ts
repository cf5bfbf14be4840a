import { foldText } from './fold-text.js';

/** Letters, digits and marks make words; everything else parts them. */
const GAPS = /[^\p{L}\p{N}\p{M}]+/gu;

function spaced(text: string): string {
  return ` ${foldText(text).replace(GAPS, ' ').trim()} `;
}

export interface DestructiveWord {
  word: string;
  spaced: string;
}

export function destructiveWord(word: string): DestructiveWord {
  return { word, spaced: spaced(word) };
}

/**
 * The first of these words that stands in a text as a whole word; a word may be two (`log out`). A text that a
 * direction mark had shown backwards is read backwards too: the mark itself is gone by the time it comes here.
 */
export function wordFinder(words: readonly DestructiveWord[]): (text: string) => string | undefined {
  const known = words.filter((one) => one.spaced.trim() !== '');
  return (text) => {
    const read = spaced(text);
    const back = [...read].reverse().join('');
    return known.find((one) => read.includes(one.spaced) || back.includes(one.spaced))?.word;
  };
}
