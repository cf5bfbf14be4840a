import type { Element } from '../element.js';

/** 1 is A, 27 is AA. */
export function columnLetters(column: number): string {
  let letters = '';
  for (let left = column; left > 0; left = Math.floor((left - 1) / 26)) {
    letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters;
  }
  return letters;
}

export interface SheetCell {
  cell: Element;
  row: number;
  column: number;
}

/** The cells that were read, whether they came in rows or not. */
export function sheetCells(element: Element): SheetCell[] {
  return element.children.flatMap((child) => {
    if (child.cell) return [{ cell: child, row: child.cell.row, column: child.cell.column }];
    return sheetCells(child);
  });
}
