import type { Node } from '../../../tree/index.js';
import type { Below } from './children.js';
import type { Address } from './raw-element.js';
import type { Above, Walk } from './walk.js';

/** A table whose rows are its children, as in web pages: the header row becomes the table's headers. */
export async function webTable(
  walk: Walk,
  addresses: Address[],
  nodes: readonly (Node | undefined)[],
  below: Below,
  above: Above,
): Promise<Below> {
  const header = await headerRow(walk, addresses[0], nodes[0], above);
  // Without its first row the numbers of the others are not known.
  if (walk.missing.late) return below;
  const rows = header ? nodes.slice(1) : nodes;
  if (!rows.every((row) => row === undefined || row.role === 'row')) return below;
  const first = rows.findIndex((row) => row !== undefined);
  const last = rows.findLastIndex((row) => row !== undefined);
  const columns = header?.children.length ?? Math.max(0, ...rows.map((row) => row?.children.length ?? 0));
  rows.forEach((row, index) => {
    row?.children.forEach((cell, column) => (cell.cell ??= { row: index + 1, column: column + 1 }));
  });
  return {
    ...below,
    children: rows.filter((row) => row !== undefined),
    table: {
      rows: rows.length,
      columns,
      ...(first >= 0 && columns > 0 && { shown: { rows: [first + 1, last + 1], columns: [1, columns] } }),
      ...(header && { headers: header.children.map((cell) => cell.name ?? '') }),
    },
  };
}

/** The first row, if it holds headers only; read for its names even when it is scrolled away. */
async function headerRow(
  walk: Walk,
  address: Address | undefined,
  read: Node | undefined,
  above: Above,
): Promise<Node | undefined> {
  if (!address) return undefined;
  const row =
    read ??
    (await walk.fork({ full: true, maxNodes: 200 }).child(address, {
      ...above,
      depth: 1,
    }));
  const isHeader =
    row !== undefined && row.children.length > 0 && row.children.every((cell) => cell.role === 'columnheader');
  return isHeader ? row : undefined;
}
