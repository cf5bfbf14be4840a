import { DesktopError } from '../../../shared/index.js';
import { cleanName, type Node, type Span } from '../../../tree/index.js';
import type { RangeAnswer, RangeRequest } from '../../contract/index.js';
import type { AppCalls } from '../atspi/app-connection.js';
import { readRows } from '../atspi/cells.js';
import { ACCESSIBLE, readChildAt, readChildCount, readExtents, readRole, readString } from '../atspi/accessible.js';
import { childPlace } from '../atspi/bounds.js';
import { ROWS_AS_CHILDREN } from '../atspi/children.js';
import { readGrid, readHeaders, tableInfo } from '../atspi/table.js';
import { normalise } from '../atspi/normalise.js';
import { Walk } from '../atspi/walk.js';
import { locate, parseId } from './element.js';
import type { ReadContext } from './window.js';
import { withAppErrors } from './window-tree.js';

/** One answer contains at most this many rows and cells. Callers page through the rest. */
const MAX_ROWS = 500;
const MAX_CELLS = 20_000;
/** The cells of a sheet are read one by one, and most of them are empty. */
const MAX_SHEET_CELLS = 4_000;
const MAX_NODES = 20_000;

export async function readRange(context: ReadContext, id: string, range: RangeRequest): Promise<RangeAnswer> {
  const { address } = parseId(id);
  const link = await context.apps.connectByBusName(address[0], context.deadline);
  return withAppErrors(link, async () => {
    const calls = link.until(context.deadline);
    const { parent } = await locate(context, calls, address);
    const walk = new Walk(calls, { full: true, maxNodes: MAX_NODES });
    const grid = ROWS_AS_CHILDREN.has(calls.app.toolkit.name) ? undefined : await readGrid(calls, address[1]);
    if (!grid) {
      if ('cells' in range)
        throw new DesktopError('not_supported', 'This element has no cell addresses.', {
          hint: 'Ask for rows instead, for example rows 1-50.',
        });
      return readChildRange(walk, address, range.rows, parent);
    }
    if ('cells' in range) await assertShownSheet(calls, address[1], range.cells.sheet);
    const columns: Span =
      'cells' in range ? clampSpan(range.cells.columns, grid.columns) : [1, Math.min(grid.columns, 200)];
    const width = columns[1] - columns[0] + 1;
    const maxCells = grid.sheet ? MAX_SHEET_CELLS : MAX_CELLS;
    if (width > maxCells) throw tooManyColumns(width, maxCells);
    const asked = 'cells' in range ? range.cells.rows : range.rows;
    const span = clampSpan(
      [asked[0], Math.min(asked[1], asked[0] + Math.min(MAX_ROWS, Math.floor(maxCells / width)) - 1)],
      grid.rows,
    );
    const [roleNumber, extents] = await Promise.all([readRole(calls, address[1]), readExtents(calls, address[1])]);
    const place = childPlace(calls.app.toolkit, parent.place, roleNumber, extents);
    const [rows, headers] = await Promise.all([
      readRows(walk, address, grid, span, columns, place, 'cells' in range ? range.cells : {}),
      readHeaders(calls, grid, columns),
    ]);
    return { rows, span, total: grid.rows, table: tableInfo(grid, undefined, headers) };
  });
}

function tooManyColumns(width: number, maxCells: number): DesktopError {
  return new DesktopError('bad_arguments', `${width} columns are too many for one answer.`, {
    hint: `Ask for at most ${maxCells} columns.`,
  });
}

/** `Budget!B7`: only the visible sheet can be read. LibreOffice names it "Sheet Budget". */
async function assertShownSheet(calls: AppCalls, path: string, sheet: string | undefined): Promise<void> {
  if (sheet === undefined) return;
  const name = cleanName(await readString(calls, path, ACCESSIBLE, 'Name'))
    .text.trim()
    .toLowerCase();
  const target = sheet.trim().toLowerCase();
  if (name === target || name === `sheet ${target}`) return;
  throw new DesktopError('element_not_found', 'The range is in another sheet, which is not shown.', {
    hint: 'Select the tab of that sheet first, or leave out the sheet name.',
    retry: 'no',
  });
}

function clampSpan([first, last]: Span, total: number): Span {
  if (total === 0) return [1, 0];
  if (first > total || last < first) {
    throw new DesktopError('bad_arguments', `There is no ${first}-${last}: the element has ${total}.`, {
      hint: `Ask for 1-${total}.`,
    });
  }
  return [Math.max(1, first), Math.min(last, total)];
}

/** Items of a list or rows of a web table: children by number. The header row of a web table is not counted. */
async function readChildRange(
  walk: Walk,
  address: readonly [string, string],
  asked: Span,
  parent: Parameters<typeof readChildNode>[2],
): Promise<RangeAnswer> {
  const { calls } = walk;
  const [count, roleNumber, extents] = await Promise.all([
    readChildCount(calls, address[1]),
    readRole(calls, address[1]),
    readExtents(calls, address[1]),
  ]);
  const place = childPlace(calls.app.toolkit, parent.place, roleNumber, extents);
  const first =
    count > 0 && roleNumber === 55 ? await readChildNode(walk, [address, 0], { ...parent, place }) : undefined;
  const header =
    first && first.children.length > 0 && first.children.every((cell) => cell.role === 'columnheader')
      ? first
      : undefined;
  const skip = header ? 1 : 0;
  const total = count - skip;
  const span = clampSpan([asked[0], Math.min(asked[1], asked[0] + MAX_ROWS - 1)], total);
  const numbers = Array.from({ length: Math.max(0, span[1] - span[0] + 1) }, (_, i) => span[0] - 1 + i + skip);
  const nodes = await Promise.all(numbers.map((index) => readChildNode(walk, [address, index], { ...parent, place })));
  const rows = nodes.filter((node) => node !== undefined);
  const table = roleNumber === 55 && {
    rows: total,
    columns: header?.children.length ?? rows[0]?.children.length ?? 0,
    ...(header && { headers: header.children.map((cell) => cell.name ?? '') }),
  };
  return { rows, span, total, ...(table && { table }) };
}

async function readChildNode(
  walk: Walk,
  [address, index]: [readonly [string, string], number],
  parent: { place: Parameters<typeof childPlace>[1]; role: Node['role'] },
): Promise<Node | undefined> {
  const child = await readChildAt(walk.calls, address[1], index);
  const node = child && (await walk.element(child, { ...parent, enabled: true, depth: Infinity }));
  return node && normalise(node);
}
