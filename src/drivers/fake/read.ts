import { DesktopError } from '../../shared/index.js';
import { ITEM_ROLES, type Node, type Span } from '../../tree/index.js';
import type { RangeAnswer, RangeRequest, ReadAnswer, ReadOptions } from '../contract/index.js';
import type { PlacedWidget } from './layout.js';
import { type NodeContext, nodeOf } from './node.js';
import { createItem, numbers, createRow, shownItems } from './rows.js';
import type { Widget } from './spec.js';

const MAX_NODES = 5_000;
/** Number of elements between two pauses in which the rest of the desktop can change, hang or die. */
const PAUSE_EVERY = 50;

/** Called for each element: waits if necessary, and throws if the app died or the deadline passed. */
type Step = () => void | Promise<void>;

interface Walk {
  context: NodeContext;
  options: ReadOptions;
  step: Step;
  left: number;
  count: number;
}

/** Breadth first, so that a limit cuts the depth and not the right half of a window. */
export async function readPlaced(
  root: PlacedWidget,
  context: NodeContext,
  options: ReadOptions,
  step: Step,
): Promise<ReadAnswer> {
  const walk: Walk = { context, options, step, left: Math.max(1, options.maxNodes ?? MAX_NODES), count: 0 };
  // A caller that reads an item wants its text, even if it is scrolled out.
  const readAll = options.full || (ITEM_ROLES.has(root.widget.role) && !isShown(root));
  const top = await readNode(root, walk);
  let level: { placed: PlacedWidget; node: Node }[] = [{ placed: root, node: top }];
  for (let depth = 0; level.length > 0; depth++) {
    const next: typeof level = [];
    for (const { placed, node } of level) {
      const kids = placed.children.filter((kid) => readAll || isShown(kid));
      const room = depth >= (options.depth ?? Infinity) ? 0 : Math.min(kids.length, walk.left);
      for (const kid of kids.slice(0, room)) {
        const child = await readNode(kid, walk);
        node.children.push(child);
        next.push({ placed: kid, node: child });
      }
      if (kids.length > room) node.unread = kids.length - room;
    }
    level = next;
  }
  return { root: top, count: walk.count, calls: walk.count };
}

async function readNode(placed: PlacedWidget, walk: Walk): Promise<Node> {
  await walk.step();
  walk.left--;
  walk.count++;
  if (walk.count % PAUSE_EVERY === 0) {
    walk.options.onProgress?.(walk.count);
    await new Promise(setImmediate);
  }
  return nodeOf(placed, walk.context);
}

/** A structure without its own size is visible if something in it is. */
function isShown(placed: PlacedWidget): boolean {
  return !placed.hidden && (placed.visibleBox !== undefined || placed.children.some(isShown));
}

/** Rows, items or cells by number, including those that are not on the screen. */
export function readRange(
  owner: Widget,
  request: RangeRequest,
  placed: PlacedWidget,
  context: NodeContext,
): RangeAnswer {
  const total = owner.list?.total ?? owner.table?.rows ?? childRows(owner).length;
  const wanted = 'rows' in request ? request.rows : request.cells.rows;
  const span: Span = total === 0 ? [1, 0] : [Math.max(1, wanted[0]), Math.min(total, wanted[1])];
  if (total > 0 && span[0] > span[1]) {
    throw new DesktopError('bad_arguments', `There is no row ${wanted[0]}: it has ${total} rows.`, {
      hint: `Ask for rows between 1 and ${total}.`,
    });
  }
  if ('cells' in request && !owner.table) {
    throw new DesktopError('not_supported', 'That element has no cells.', { hint: 'Ask for rows.' });
  }
  const rows = numbers(span[0], span[1]).map((n) => {
    const widget = rowWidget(owner, n, request);
    const inView = 'rows' in request ? placed.children.find((child) => child.widget.id === widget.id) : undefined;
    return wholeNode(inView ?? unplaced(widget), context);
  });
  const table = nodeOf(placed, context).table;
  return { rows, span, total, ...(table && { table }) };
}

function rowWidget(owner: Widget, n: number, request: RangeRequest): Widget {
  if (owner.list) {
    const shown = shownItems(owner.list)!;
    // A visible item is the widget that the snapshot contains; any other gets an id from its position.
    const isNear = owner.list.recycle && n >= shown[0] && n <= shown[1];
    return createItem(owner, n, isNear ? `slot${n - shown[0]}` : `item${n}`);
  }
  if (!owner.table) return childRows(owner)[n - 1]!;
  const columns: Span = 'cells' in request ? request.cells.columns : [1, owner.table.columns];
  return createRow(owner, n, [Math.max(1, columns[0]), Math.min(owner.table.columns, columns[1], columns[0] + 1_000)]);
}

/** Children of a container that was described (or recorded) item by item. */
function childRows(owner: Widget): Widget[] {
  return owner.children.filter((child) => ['row', 'listitem', 'option', 'treeitem'].includes(child.role));
}

/** Exists, but is not on the screen. */
function unplaced(widget: Widget): PlacedWidget {
  return { widget, hidden: false, children: widget.children.map(unplaced) };
}

function wholeNode(placed: PlacedWidget, context: NodeContext): Node {
  const node = nodeOf(placed, context);
  node.children = placed.children.filter((child) => !child.hidden).map((child) => wholeNode(child, context));
  return node;
}
