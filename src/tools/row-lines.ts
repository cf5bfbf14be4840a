import {
  cellText,
  isInteractive,
  joinCells,
  renderElementLine,
  TEXT_ROLES,
  type Element,
  type TableInfo,
} from '../tree/index.js';

/** One row, item or sheet row a line, as a look prints them: `e91 | 1025 | Ada Lovelace | e92 button "Edit"`. */
export function rowLine(row: Element, table: TableInfo | undefined): string {
  const shown = withoutOffscreen(row);
  if (table?.sheet || shown.children.some((cell) => cell.cell?.address)) return sheetLine(shown);
  const parts = partsOf(shown);
  const own = shown.name && shown.role !== 'row' ? cellText(shown.name) : '';
  const rest = parts.filter((part) => part !== own || part === '');
  if (shown.role !== 'row' && rest.length === 0) return renderElementLine({ ...shown, children: [] });
  return `${shown.ref} ${joinCells(shown.role === 'row' || own === '' ? parts : [own, ...rest])}`;
}

/** That a row far down is not on the screen goes without saying: it was asked for. */
function withoutOffscreen(element: Element): Element {
  const { offscreen: _offscreen, ...states } = element.states;
  return { ...element, states, children: element.children.map(withoutOffscreen) };
}

/** Of a sheet's row: something is in one of its cells. */
export function hasWords(row: Element): boolean {
  return row.children.some((cell) => wordsOf(cell) !== '');
}

/** `2 | A: 12.5 | B: 100` */
function sheetLine(row: Element): string {
  const cells = row.children
    .filter((cell) => wordsOf(cell) !== '')
    .map((cell) => {
      const column = cell.cell?.address?.replace(/\d+$/, '') ?? String(cell.cell?.column ?? '');
      return `${column}: ${cellText(wordsOf(cell))}`;
    });
  return `${row.children[0]?.cell?.row ?? row.ref} ${joinCells(cells)}`;
}

/** The cells of a row, or the words and controls of an item, in order. */
function partsOf(row: Element): string[] {
  return row.children.flatMap((child) => {
    if (child.role === 'cell' || child.role === 'rowheader') return [cellParts(child)];
    if (isInteractive(child)) return [renderElementLine({ ...child, children: [] }).replaceAll('|', '\\|')];
    if (TEXT_ROLES.has(child.role)) return child.name ? [cellText(child.name)] : [];
    return partsOf(child);
  });
}

function cellParts(cell: Element): string {
  const controls = partsOf(cell).filter((part) => part !== '');
  const words = cellText(wordsOf(cell));
  const named = controls.some((control) => control === words || control.includes(JSON.stringify(wordsOf(cell))));
  return [...(named ? [] : [words]), ...controls].join(' ').trim();
}

function wordsOf(cell: Element): string {
  return cell.name || String(cell.value ?? '');
}
