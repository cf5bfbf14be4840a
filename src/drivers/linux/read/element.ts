import { DesktopError, type Deadline } from '../../../shared/index.js';
import { cleanText, ITEM_ROLES, looksSecret, roleFromAtspi, type Node } from '../../../tree/index.js';
import type { ReadAnswer, TextAnswer } from '../../contract/index.js';
import type { AppCalls } from '../atspi/app-connection.js';
import type { Apps } from '../atspi/apps.js';
import { readCell, readRows } from '../atspi/cells.js';
import {
  ACCESSIBLE,
  type Address,
  prefetchElement,
  type ElementId,
  idOf,
  parseElementId,
  readExtents,
  readRole,
  readStates,
  readString,
} from '../atspi/accessible.js';
import { isInputLine, OBJECT, readText, readTextLength, inlineEmbeddedText } from '../atspi/text.js';
import { readParentInfo, readLineage, stale, type Ancestor, type ParentInfo } from '../atspi/ancestors.js';
import { nameFromLabel, nameFromPlaceholder, readFieldNameFromBox } from '../atspi/names.js';
import { childPlace } from '../atspi/bounds.js';
import { markOffscreen, readRowPresence } from '../atspi/stale-elements.js';
import { cellAt, readGrid, type Grid } from '../atspi/table.js';
import { isNamedByContent, normalise } from '../atspi/normalise.js';
import { Walk, type WalkContext, type WalkOptions } from '../atspi/walk.js';
import { callsFor, countNodes, dropBounds, type Surroundings } from './window.js';
import { explained, pickTopLevel, rootPlace } from './window-tree.js';
import { readTopLevels } from '../atspi/top-level.js';

const PASSWORD = 40;
const MAX_TEXT = 4_000_000;
const MAX_EDITABLE_TEXT = 100_000;
const MAX_LABEL_NODES = 60;

/** An element that is there, and where it stands. */
export interface LocatedElement {
  calls: AppCalls;
  ancestors: Ancestor[];
  parent: ParentInfo;
  window?: string;
  /** Its window has no known place on the screen, so it has none either. */
  placeless: boolean;
  /** In a row that its list has, but does not show: nothing is where it says that it is. */
  rowNotShown: boolean;
}

export async function readElement(
  context: Surroundings,
  id: string,
  options: WalkOptions & { depth?: number },
): Promise<ReadAnswer> {
  const target = parseId(id);
  const link = await context.apps.linkByBusName(target.address[0], context.deadline);
  return explained(link, async () => {
    // That it lives is never taken from memory: what is done to an element relies on it.
    const calls = callsFor(context.callsTo, link, context.deadline);
    prefetchElement(calls, target.address[1]);
    const [, { parent, placeless, rowNotShown, ancestors }] = await Promise.all([
      assertAlive(link.until(context.deadline), target.address),
      locate(context, calls, target.address),
    ]);
    // Whole or not at all: a ref is proved by what is read here.
    const walk = new Walk(calls, options);
    const walkContext = { ...parent, depth: options.depth ?? Infinity, wanted: true };
    const root =
      target.row === undefined
        ? await readRequested(walk, target.address, walkContext, rowNotShown)
        : await readTableElement(walk, target, parent);
    if (!root) throw stale();
    if (rowNotShown) markOffscreen(root);
    const normalised = normalise(root);
    if (normalised.unread && isNamedByContent(normalised))
      await nameFromDescendants(calls, target.address, walkContext, normalised);
    if (
      normalised.name === undefined &&
      normalised.role === 'textbox' &&
      normalised.bounds &&
      link.toolkit.name === 'libreoffice'
    ) {
      const hit = await readFieldNameFromBox(calls, ancestors, normalised.bounds);
      if (hit) normalised.name = hit;
    }
    if (placeless) dropBounds(normalised);
    const count = countNodes(normalised);
    const reason = walk.gapReason(count);
    return { root: normalised, count, calls: calls.count, ...(reason !== undefined && { degraded: { reason } }) };
  });
}

/** Of an item out of view all that is in it is read: its words are there, and no others can tell which item it is. */
async function readRequested(
  walk: Walk,
  address: Address,
  above: WalkContext,
  rowNotShown: boolean,
): Promise<Node | undefined> {
  const read = await walk.element(address, above);
  if (!read || walk.options.full || !ITEM_ROLES.has(read.role) || !(rowNotShown || read.states.offscreen)) return read;
  return walk.fork({ full: true }).element(address, above);
}

/** Cut above the label that says its name: that much of what is below belongs to it. */
async function nameFromDescendants(calls: AppCalls, address: Address, above: WalkContext, node: Node): Promise<void> {
  const read = await new Walk(calls, { maxNodes: MAX_LABEL_NODES }).element(address, { ...above, depth: Infinity });
  const whole = read && normalise(read);
  if (whole?.name !== undefined) node.name = whole.name;
  if (whole?.value !== undefined) node.value ??= whole.value;
}

export function parseId(id: string): ElementId {
  const parsed = parseElementId(id);
  if (!parsed) throw stale();
  return parsed;
}

/** Finds the element's way up and its window; says `stale_ref` when it is no more. */
export async function locate(context: Surroundings, calls: AppCalls, address: Address): Promise<LocatedElement> {
  const [ancestors, topLevels] = await Promise.all([
    readLineage(calls, address),
    readTopLevels(calls),
    assertAlive(calls, address),
  ]);
  const top = topLevels.find((candidate) => candidate.address[1] === ancestors[0]?.address[1]);
  const window = context.windows.find(
    (candidate) =>
      candidate.pid === calls.app.pid && top && pickTopLevel(topLevels, candidate, context.windows) === top,
  );
  const root =
    top && window
      ? rootPlace(calls.app, top, window, context.windows, context.screen)
      : { shift: { x: 0, y: 0 }, clip: context.screen };
  const row = await readRowPresence(calls, ancestors, root);
  if (row === 'gone') throw stale();
  return {
    calls,
    ancestors,
    parent: await readParentInfo(calls, ancestors, root),
    rowNotShown: row === 'notShown',
    ...(window && { window: window.id }),
    placeless: window?.placeless === true,
  };
}

/** A dead object answers with an error, with DEFUNCT, or (GTK 3) with nothing set at all. */
async function assertAlive(calls: AppCalls, [, path]: Address): Promise<void> {
  const bits = await readStates(calls, path);
  if (!bits || (calls.app.toolkit.deadHasNoStates && bits.empty)) throw stale();
  const alive = !bits.has('defunct') || (calls.app.toolkit.name === 'libreoffice' && (await isInputLine(calls, path)));
  if (!alive) throw stale();
}

async function readTableElement(walk: Walk, { address, row, column }: ElementId, parent: ParentInfo) {
  const grid = await readGrid(walk.calls, address[1]);
  if (!grid || row! > grid.rows || (column ?? 1) > grid.columns) throw stale();
  const [roleNumber, extents] = await Promise.all([
    readRole(walk.calls, address[1]),
    readExtents(walk.calls, address[1]),
  ]);
  const place = childPlace(walk.calls.app.toolkit, parent.place, roleNumber, extents);
  const all = new Walk(walk.calls, { ...walk.options, full: true });
  if (column !== undefined)
    return readCell(all, idOf(address), grid, row!, column, place, { empty: true, formulas: true });
  const [rowNode] = await readRows(all, address, grid, [row!, row!], [1, Math.min(grid.columns, 60)], place);
  return rowNode;
}

/** Text by characters, also what is not on the screen. A password's is never given. */
export async function readElementText(
  apps: Apps,
  id: string,
  span: { start: number; end: number },
  deadline: Deadline,
): Promise<TextAnswer> {
  const target = parseId(id);
  const link = await apps.linkByBusName(target.address[0], deadline);
  return explained(link, async () => {
    const calls = link.until(deadline);
    const path = await textPath(calls, target);
    const [length] = await Promise.all([
      readTextLength(calls, path),
      assertAlive(calls, target.address),
      assertNotSecret(calls, path),
    ]);
    if (length === undefined) return sliceText(cleanText(await readString(calls, path, ACCESSIBLE, 'Name')).text, span);
    if (calls.app.toolkit.textInUtf16)
      return sliceText(await readText(calls, path, 0, Math.min(length, MAX_TEXT)), span);
    if (calls.app.toolkit.name === 'chromium') {
      const parts = await readEditableParts(calls, path, length);
      if (parts !== undefined) return sliceText(parts, span);
    }
    const start = Math.min(span.start, length);
    const end = Math.min(span.end, length);
    return { text: cleanText(await readText(calls, path, start, end)).text, start, end, total: length };
  });
}

/** What one writes in a page is in paragraphs; undefined where it is one piece, or more than one writes. */
async function readEditableParts(calls: AppCalls, path: string, length: number): Promise<string | undefined> {
  if (length > MAX_EDITABLE_TEXT || !(await readStates(calls, path))?.has('editable')) return undefined;
  const text = await readText(calls, path, 0, length);
  return text.includes(OBJECT) ? inlineEmbeddedText(calls, path, text) : undefined;
}

/** Positions are told in characters; where the app counts otherwise, the whole text is read and cut here. */
function sliceText(text: string, span: { start: number; end: number }): TextAnswer {
  const characters = [...text];
  const start = Math.min(span.start, characters.length);
  const end = Math.min(span.end, characters.length);
  return { text: cleanText(characters.slice(start, end).join('')).text, start, end, total: characters.length };
}

async function textPath(calls: AppCalls, { address, row, column }: ElementId): Promise<string> {
  if (row === undefined || column === undefined) return address[1];
  const grid: Grid | undefined = await readGrid(calls, address[1]);
  const cell = grid && (await cellAt(calls, grid, row, column));
  if (!cell) throw stale();
  return cell[1];
}

async function assertNotSecret(calls: AppCalls, path: string): Promise<void> {
  const [roleNumber, ownName] = await Promise.all([readRole(calls, path), readString(calls, path, ACCESSIBLE, 'Name')]);
  let secret = roleNumber === PASSWORD;
  if (!secret && roleFromAtspi(roleNumber) === 'textbox') {
    const name =
      ownName || ((await nameFromLabel(calls, path))?.name ?? (await nameFromPlaceholder(calls, path)) ?? '');
    secret = looksSecret(name);
  }
  if (secret) {
    throw new DesktopError('not_supported', 'That is a secret field: its text is never read.', { retry: 'no' });
  }
}
