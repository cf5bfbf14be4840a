import { DesktopError } from '../../../shared/index.js';
import { cleanName, type Node, type Span } from '../../../tree/index.js';
import type { RangeAnswer, RangeRequest } from '../../contract/index.js';
import type { AppCalls } from '../atspi/app-connection.js';
import { readRows } from '../atspi/cells.js';
import { ACCESSIBLE, readChildAt, readChildCount, readExtents, readRole, readString } from '../atspi/accessible.js';
import { childPlace } from '../atspi/bounds.js';
import { readGrid, readHeaders, tableInfo } from '../atspi/table.js';
import { tidy } from '../atspi/normalise.js';
import { Walk } from '../atspi/walk.js';
import { locate, parse } from './element.js';
import type { Surroundings } from './window.js';
import { explained } from './window-tree.js';

/** One answer holds at most this many rows and cells; callers page. */
const MAX_ROWS = 500;
const MAX_CELLS = 20_000;
/** A sheet's cells are asked for one by one, most of them in vain. */
const MAX_SHEET_CELLS = 4_000;
const MAX_NODES = 20_000;

export async function readRange(around: Surroundings, id: string, range: RangeRequest): Promise<RangeAnswer> {
  const { address } = parse(id);
  const link = await around.apps.linkByBusName(address[0], around.deadline);
  return explained(link, async () => {
    const calls = link.until(around.deadline);
    const { standing } = await locate(around, calls, address);
    const walk = new Walk(calls, { full: true, maxNodes: MAX_NODES });
    const grid = ['chromium', 'gtk4'].includes(calls.app.toolkit.name) ? undefined : await readGrid(calls, address[1]);
    if (!grid) {
      if ('cells' in range)
        throw new DesktopError('not_supported', 'That has no cell addresses.', { hint: 'Ask for rows: rows 1-50.' });
      return readChildRange(walk, address, range.rows, standing);
    }
    if ('cells' in range) await refuseOtherSheet(calls, address[1], range.cells.sheet);
    const columns: Span = 'cells' in range ? clip(range.cells.columns, grid.columns) : [1, Math.min(grid.columns, 200)];
    const wide = columns[1] - columns[0] + 1;
    const most = grid.sheet ? MAX_SHEET_CELLS : MAX_CELLS;
    if (wide > most) throw tooWide(wide, most);
    const asked = 'cells' in range ? range.cells.rows : range.rows;
    const span = clip(
      [asked[0], Math.min(asked[1], asked[0] + Math.min(MAX_ROWS, Math.floor(most / wide)) - 1)],
      grid.rows,
    );
    const [roleNumber, extents] = await Promise.all([readRole(calls, address[1]), readExtents(calls, address[1])]);
    const place = childPlace(calls.app.toolkit, standing.place, roleNumber, extents);
    const [rows, headers] = await Promise.all([
      readRows(walk, address, grid, span, columns, place, 'cells' in range ? range.cells : {}),
      readHeaders(calls, grid, columns),
    ]);
    return { rows, span, total: grid.rows, table: tableInfo(grid, undefined, headers) };
  });
}

function tooWide(wide: number, most: number): DesktopError {
  return new DesktopError('bad_arguments', `${wide} columns are too many for one answer.`, {
    hint: `Ask for at most ${most} columns.`,
  });
}

/** `Budget!B7`: only the sheet that is shown can be read. LibreOffice calls it "Sheet Budget". */
async function refuseOtherSheet(calls: AppCalls, path: string, sheet: string | undefined): Promise<void> {
  if (sheet === undefined) return;
  const name = cleanName(await readString(calls, path, ACCESSIBLE, 'Name'))
    .text.trim()
    .toLowerCase();
  const wanted = sheet.trim().toLowerCase();
  if (name === wanted || name === `sheet ${wanted}`) return;
  throw new DesktopError('element_not_found', 'That range is in another sheet than the one that is shown.', {
    hint: 'Choose the tab of that sheet first, or leave the name of the sheet out.',
    retry: 'no',
  });
}

function clip([first, last]: Span, total: number): Span {
  if (total === 0) return [1, 0];
  if (first > total || last < first) {
    throw new DesktopError('bad_arguments', `There is no ${first}-${last}: it has ${total}.`, {
      hint: `Ask for 1-${total}.`,
    });
  }
  return [Math.max(1, first), Math.min(last, total)];
}

/** Items of a list, rows of a web table: children by number. A web table's header row is not counted. */
async function readChildRange(
  walk: Walk,
  address: readonly [string, string],
  asked: Span,
  standing: Parameters<typeof at>[2],
): Promise<RangeAnswer> {
  const { calls } = walk;
  const [count, roleNumber, extents] = await Promise.all([
    readChildCount(calls, address[1]),
    readRole(calls, address[1]),
    readExtents(calls, address[1]),
  ]);
  const place = childPlace(calls.app.toolkit, standing.place, roleNumber, extents);
  const first = count > 0 && roleNumber === 55 ? await at(walk, [address, 0], { ...standing, place }) : undefined;
  const header =
    first && first.children.length > 0 && first.children.every((cell) => cell.role === 'columnheader')
      ? first
      : undefined;
  const skip = header ? 1 : 0;
  const total = count - skip;
  const span = clip([asked[0], Math.min(asked[1], asked[0] + MAX_ROWS - 1)], total);
  const numbers = Array.from({ length: Math.max(0, span[1] - span[0] + 1) }, (_, i) => span[0] - 1 + i + skip);
  const nodes = await Promise.all(numbers.map((index) => at(walk, [address, index], { ...standing, place })));
  const rows = nodes.filter((node) => node !== undefined);
  const table = roleNumber === 55 && {
    rows: total,
    columns: header?.children.length ?? rows[0]?.children.length ?? 0,
    ...(header && { headers: header.children.map((cell) => cell.name ?? '') }),
  };
  return { rows, span, total, ...(table && { table }) };
}

async function at(
  walk: Walk,
  [address, index]: [readonly [string, string], number],
  standing: { place: Parameters<typeof childPlace>[1]; role: Node['role'] },
): Promise<Node | undefined> {
  const child = await readChildAt(walk.calls, address[1], index);
  const node = child && (await walk.element(child, { ...standing, enabled: true, depth: Infinity }));
  return node && tidy(node);
}
