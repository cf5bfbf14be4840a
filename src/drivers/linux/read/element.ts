import { DesktopError, type Deadline } from '../../../shared/index.js';
import { cleanText, ITEM_ROLES, looksSecret, roleFromAtspi, takesTypedText, type Node } from '../../../tree/index.js';
import type { ReadAnswer, TextAnswer } from '../../contract/index.js';
import type { AppCalls } from '../atspi/app-connection.js';
import type { Apps } from '../atspi/apps.js';
import { readCell, readRows } from '../atspi/cells.js';
import {
  ACCESSIBLE,
  type Address,
  asAddress,
  prefetchElement,
  type ElementId,
  idOf,
  parseElementId,
  readExtents,
  readRole,
  readStates,
  readString,
} from '../atspi/accessible.js';
import { isInputLine, OBJECT_REPLACEMENT, readText, readTextLength, inlineEmbeddedText } from '../atspi/text.js';
import { readParentInfo, readAncestors, staleRefError, type Ancestor, type ParentInfo } from '../atspi/ancestors.js';
import { hasSecretHint } from '../atspi/detail.js';
import { nameFromLabel, nameFromPlaceholder, readFieldNameFromBox } from '../atspi/names.js';
import { childPlace } from '../atspi/bounds.js';
import { markOffscreen, readRowPresence } from '../atspi/stale-elements.js';
import { cellAt, readGrid, type Grid } from '../atspi/table.js';
import { isNamedByContent, normalise } from '../atspi/normalise.js';
import { Walk, type WalkContext, type WalkOptions } from '../atspi/walk.js';
import { callsFor, countNodes, dropBounds, type ReadContext } from './window.js';
import { withAppErrors, pickTopLevel, rootPlace } from './window-tree.js';
import { readTopLevels } from '../atspi/top-level.js';

const PASSWORD = 40;
const MAX_TEXT = 4_000_000;
const MAX_EDITABLE_TEXT = 100_000;
const MAX_LABEL_NODES = 60;

/** An element that exists, with its ancestors and placement. */
interface LocatedElement {
  calls: AppCalls;
  ancestors: Ancestor[];
  parent: ParentInfo;
  window?: string;
  /** The position of its window on the screen is unknown, so the element has no bounds either. */
  placeless: boolean;
  /** It is in a row that the list contains but does not show. Its reported position is wrong. */
  rowNotShown: boolean;
}

export async function readElement(
  context: ReadContext,
  id: string,
  options: WalkOptions & { depth?: number },
): Promise<ReadAnswer> {
  const target = parseId(id);
  const link = await context.apps.connectByBusName(target.address[0], context.deadline);
  return withAppErrors(link, async () => {
    // Whether the element is alive is never taken from the cache, because acts rely on it.
    const calls = callsFor(context.callsTo, link, context.deadline);
    prefetchElement(calls, target.address[1]);
    const [, { parent, placeless, rowNotShown, ancestors }] = await Promise.all([
      assertAlive(link.until(context.deadline), target.address),
      locate(context, calls, target.address),
    ]);
    // No partial result: the caller uses this read to verify a ref.
    const walk = new Walk(calls, options);
    const walkContext: WalkContext = { ...parent, depth: options.depth ?? Infinity, requested: true };
    const root =
      target.row === undefined
        ? await readRequested(walk, target.address, walkContext, rowNotShown)
        : await readTableElement(walk, target, parent);
    if (!root) throw staleRefError();
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
      const boxName = await readFieldNameFromBox(calls, ancestors, normalised.bounds);
      if (boxName) normalised.name = boxName;
    }
    if (placeless) dropBounds(normalised);
    const count = countNodes(normalised);
    const reason = walk.gapReason(count);
    return { root: normalised, count, calls: calls.count, ...(reason !== undefined && { degraded: { reason } }) };
  });
}

/** For an off-screen item everything inside is read, because only its text identifies the item. */
async function readRequested(
  walk: Walk,
  address: Address,
  context: WalkContext,
  rowNotShown: boolean,
): Promise<Node | undefined> {
  const read = await walk.element(address, context);
  if (!read || walk.options.full || !ITEM_ROLES.has(read.role) || !(rowNotShown || read.states.offscreen)) return read;
  return walk.fork({ full: true }).element(address, context);
}

/** The depth limit cut off the label that names the element. Reads far enough to find that name. */
async function nameFromDescendants(calls: AppCalls, address: Address, context: WalkContext, node: Node): Promise<void> {
  const read = await new Walk(calls, { maxNodes: MAX_LABEL_NODES }).element(address, { ...context, depth: Infinity });
  const whole = read && normalise(read);
  if (whole?.name !== undefined) node.name = whole.name;
  if (whole?.value !== undefined) node.value ??= whole.value;
}

export function parseId(id: string): ElementId {
  const parsed = parseElementId(id);
  if (!parsed) throw staleRefError();
  return parsed;
}

/** Finds the ancestors and the window of an element. Throws `stale_ref` if the element no longer exists. */
export async function locate(context: ReadContext, calls: AppCalls, address: Address): Promise<LocatedElement> {
  const [ancestors, topLevels] = await Promise.all([
    readAncestors(calls, address),
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
  if (row === 'gone') throw staleRefError();
  return {
    calls,
    ancestors,
    parent: await readParentInfo(calls, ancestors, root),
    rowNotShown: row === 'notShown',
    ...(window && { window: window.id }),
    placeless: window?.placeless === true,
  };
}

/**
 * A dead object answers with an error, with DEFUNCT, or (GTK 3) with no bit set at all. What Swing removed keeps its
 * states, does not show and has no parent any more.
 */
async function assertAlive(calls: AppCalls, [, path]: Address): Promise<void> {
  const bits = await readStates(calls, path);
  if (!bits || (calls.app.toolkit.deadHasNoStates && bits.empty)) throw staleRefError();
  const alive = !bits.has('defunct') || (calls.app.toolkit.name === 'libreoffice' && (await isInputLine(calls, path)));
  const mayBeRemoved = calls.app.toolkit.drawnByLabels && !bits.has('showing');
  const isRemoved = mayBeRemoved && !asAddress(await calls.maybe(calls.get(path, ACCESSIBLE, 'Parent')));
  if (!alive || isRemoved) throw staleRefError();
}

async function readTableElement(walk: Walk, { address, row, column }: ElementId, parent: ParentInfo) {
  const grid = await readGrid(walk.calls, address[1]);
  if (!grid || row! > grid.rows || (column ?? 1) > grid.columns) throw staleRefError();
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

/** Text by characters, including text that is off-screen. The text of a password field is never returned. */
export async function readElementText(
  apps: Apps,
  id: string,
  span: { start: number; end: number },
  deadline: Deadline,
): Promise<TextAnswer> {
  const target = parseId(id);
  const link = await apps.connectByBusName(target.address[0], deadline);
  return withAppErrors(link, async () => {
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

/** Editable text of a page consists of paragraphs. Undefined if it is a single text, or too long to be hand-written. */
async function readEditableParts(calls: AppCalls, path: string, length: number): Promise<string | undefined> {
  if (length > MAX_EDITABLE_TEXT || !(await readStates(calls, path))?.has('editable')) return undefined;
  const text = await readText(calls, path, 0, length);
  return text.includes(OBJECT_REPLACEMENT) ? inlineEmbeddedText(calls, path, text) : undefined;
}

/** Positions are counted in characters. If the app counts differently, the whole text is read and cut here. */
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
  if (!cell) throw staleRefError();
  return cell[1];
}

async function assertNotSecret(calls: AppCalls, path: string): Promise<void> {
  const [roleNumber, ownName] = await Promise.all([readRole(calls, path), readString(calls, path, ACCESSIBLE, 'Name')]);
  let secret = roleNumber === PASSWORD;
  // Strict for every combo box: its states are not read here, and an editable one may hold a secret.
  if (!secret && takesTypedText({ role: roleFromAtspi(roleNumber), states: { editable: true } })) {
    const [label, placeholder, hinted] = await Promise.all([
      nameFromLabel(calls, path),
      nameFromPlaceholder(calls, path),
      hasSecretHint(calls, path),
    ]);
    secret = hinted || looksSecret(ownName || (label?.name ?? placeholder ?? ''));
  }
  if (secret) {
    throw new DesktopError('not_supported', 'This is a secret field, and its text is never read.', { retry: 'no' });
  }
}
