/** Letters of a spreadsheet column, counted from 1: 1 is A, 27 is AA. Empty for numbers below 1. */
export function columnLetters(column: number): string {
  let letters = '';
  for (let left = column; left > 0; left = Math.floor((left - 1) / 26)) {
    letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters;
  }
  return letters;
}

/** Number of a spreadsheet column, counted from 1: A is 1, AA (or aa) is 27. */
export function columnNumber(letters: string): number {
  return [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

/** B7 is row 7, column 2, both counted from 1. */
export function cellAddress(row: number, column: number): string {
  return `${columnLetters(column)}${row}`;
}

/** Row and column of an address such as B7, b7 or $B$7; undefined for other text. */
export function parseCellAddress(text: string): { row: number; column: number } | undefined {
  const match = /^\$?([A-Za-z]{1,3})\$?([1-9][0-9]{0,6})$/.exec(text.trim());
  return match ? { row: Number(match[2]), column: columnNumber(match[1]!) } : undefined;
}
