const ADDRESS = /^(?:(.+)!)?(?:([A-Z]{1,3}[1-9]\d{0,6})|(R[1-9]\d{0,9}C[1-9]\d{0,9}))$/is;

/** `B7`, `Sheet1!B7` or `R3C2` as it is printed; undefined for anything else. */
export function readCellAddress(text: string): string | undefined {
  const found = ADDRESS.exec(text);
  if (!found) return undefined;
  const [, sheet, letters, numbers] = found;
  const cell = (letters ?? numbers)!.toUpperCase();
  return sheet === undefined ? cell : `${sheet}!${cell}`;
}

export interface CellPlace {
  sheet?: string;
  /** `B7`; absent for a place by numbers. */
  address?: string;
  /** Both counted from 1. */
  row: number;
  column: number;
}

/** Where the cell is. B7 is row 7, column 2. */
export function cellPlace(written: string): CellPlace {
  const cut = written.lastIndexOf('!');
  const cell = written.slice(cut + 1);
  const sheet = cut > 0 ? { sheet: written.slice(0, cut) } : {};
  const numbers = /^R(\d+)C(\d+)$/.exec(cell);
  if (numbers) return { ...sheet, row: Number(numbers[1]), column: Number(numbers[2]) };
  const [, letters, row] = /^([A-Z]+)(\d+)$/.exec(cell)!;
  let column = 0;
  for (const letter of letters!) column = column * 26 + letter.charCodeAt(0) - 64;
  return { ...sheet, address: cell, row: Number(row), column };
}
