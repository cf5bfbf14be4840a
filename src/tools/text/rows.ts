import {
  cellText,
  isInteractive,
  joinCells,
  renderElementLine,
  renderRowLine,
  renderStates,
  TEXT_ROLES,
  type Element,
  type TableInfo,
} from '../../tree/index.js';

/** One row, item or sheet row a line, as a snapshot prints them: `e91 | 1025 | Ada Lovelace | e92 button "Edit"`. */
export function rowLine(row: Element, table: TableInfo | undefined): string {
  const shown = withoutOffscreen(row);
  if (table?.sheet || shown.children.some((cell) => cell.cell?.address)) return sheetLine(shown);
  if (shown.role === 'row' || shown.children.some(({ role }) => role === 'cell')) return renderRowLine(shown);
  const own = shown.name ? cellText(shown.name) : '';
  const parts = partsOf(shown).filter((part) => part !== own);
  if (parts.length === 0) return renderElementLine({ ...shown, children: [] });
  const words = [own, ...parts, renderStates(shown)];
  return `${shown.ref} ${joinCells(words.filter((word) => word !== ''))}`;
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

/** The words and controls of an item, in order. */
function partsOf(item: Element): string[] {
  return item.children.flatMap((child) => {
    if (isInteractive(child)) return [renderElementLine({ ...child, children: [] }).replaceAll('|', '\\|')];
    if (TEXT_ROLES.has(child.role)) return child.name ? [cellText(child.name)] : [];
    return partsOf(child);
  });
}

function wordsOf(cell: Element): string {
  return cell.name || String(cell.value ?? '');
}
