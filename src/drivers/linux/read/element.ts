import { DesktopError, type Deadline } from '../../../shared/index.js';
import { cleanText, ITEM_ROLES, looksSecret, roleFromAtspi, type Node } from '../../../tree/index.js';
import type { ReadAnswer, TextAnswer } from '../../contract/index.js';
import type { AppCalls } from '../atspi/app-connection.js';
import type { Apps } from '../atspi/apps.js';
import { readCell, readRows } from '../atspi/cells.js';
import {
  ACCESSIBLE,
  type Address,
  askInOneBreath,
  type ElementId,
  idOf,
  parseElementId,
  readExtents,
  readRole,
  readStates,
  readString,
} from '../atspi/accessible.js';
import { isInputLine, OBJECT, readText, readTextLength, textInParts } from '../atspi/text.js';
import { placeAbove, readLineage, stale, type Ancestor, type Standing } from '../atspi/ancestors.js';
import { nameFromLabel, nameOfField, readNamedBox } from '../atspi/names.js';
import { childPlace } from '../atspi/bounds.js';
import { outOfView, rowPlace } from '../atspi/stale-elements.js';
import { cellAt, readGrid, type Grid } from '../atspi/table.js';
import { isNamedInside, tidy } from '../atspi/normalise.js';
import { Walk, type Above, type WalkOptions } from '../atspi/walk.js';
import { callsWith, countOf, dropPlaces, type Surroundings } from './window.js';
import { explained, pickTopLevel, rootPlace } from './window-tree.js';
import { readTopLevels } from '../atspi/top-level.js';

const PASSWORD = 40;
const WHOLE_TEXT = 4_000_000;
const WRITTEN_TEXT = 100_000;
const LABEL_NODES = 60;

/** An element that is there, and where it stands. */
export interface Located {
  calls: AppCalls;
  line: Ancestor[];
  standing: Standing;
  window?: string;
  /** Its window has no known place on the screen, so it has none either. */
  placeless: boolean;
  /** In a row that its list has, but does not show: nothing is where it says that it is. */
  away: boolean;
}

export async function readElement(
  around: Surroundings,
  id: string,
  options: WalkOptions & { depth?: number },
): Promise<ReadAnswer> {
  const wanted = parse(id);
  const link = await around.apps.linkByBusName(wanted.address[0], around.deadline);
  return explained(link, async () => {
    // That it lives is never taken from memory: what is done to an element relies on it.
    const calls = callsWith(around.callsTo, link, around.deadline);
    askInOneBreath(calls, wanted.address[1]);
    const [, { standing, placeless, away, line }] = await Promise.all([
      refuseDead(link.until(around.deadline), wanted.address),
      locate(around, calls, wanted.address),
    ]);
    // Whole or not at all: a ref is proved by what is read here.
    const walk = new Walk(calls, options);
    const alone = { ...standing, depth: options.depth ?? Infinity, wanted: true };
    const root =
      wanted.row === undefined
        ? await readAlone(walk, wanted.address, alone, away)
        : await readInGrid(walk, wanted, standing);
    if (!root) throw stale();
    if (away) outOfView(root);
    const tidied = tidy(root);
    if (tidied.unread && isNamedInside(tidied)) await nameFromBelow(calls, wanted.address, alone, tidied);
    if (
      tidied.name === undefined &&
      tidied.role === 'textbox' &&
      tidied.bounds &&
      link.toolkit.name === 'libreoffice'
    ) {
      const named = await readNamedBox(calls, line, tidied.bounds);
      if (named) tidied.name = named;
    }
    if (placeless) dropPlaces(tidied);
    const count = countOf(tidied);
    const reason = walk.shortOf(count);
    return { root: tidied, count, calls: calls.count, ...(reason !== undefined && { degraded: { reason } }) };
  });
}

/** Of an item out of view all that is in it is read: its words are there, and no others can tell which item it is. */
async function readAlone(walk: Walk, address: Address, above: Above, away: boolean): Promise<Node | undefined> {
  const read = await walk.element(address, above);
  if (!read || walk.options.full || !ITEM_ROLES.has(read.role) || !(away || read.states.offscreen)) return read;
  return walk.fork({ full: true }).element(address, above);
}

/** Cut above the label that says its name: that much of what is below belongs to it. */
async function nameFromBelow(calls: AppCalls, address: Address, above: Above, node: Node): Promise<void> {
  const read = await new Walk(calls, { maxNodes: LABEL_NODES }).element(address, { ...above, depth: Infinity });
  const whole = read && tidy(read);
  if (whole?.name !== undefined) node.name = whole.name;
  if (whole?.value !== undefined) node.value ??= whole.value;
}

export function parse(id: string): ElementId {
  const parsed = parseElementId(id);
  if (!parsed) throw stale();
  return parsed;
}

/** Finds the element's way up and its window; says `stale_ref` when it is no more. */
export async function locate(around: Surroundings, calls: AppCalls, address: Address): Promise<Located> {
  const [line, topLevels] = await Promise.all([
    readLineage(calls, address),
    readTopLevels(calls),
    refuseDead(calls, address),
  ]);
  const top = topLevels.find((candidate) => candidate.address[1] === line[0]?.address[1]);
  const window = around.windows.find(
    (candidate) => candidate.pid === calls.app.pid && top && pickTopLevel(topLevels, candidate, around.windows) === top,
  );
  const root =
    top && window
      ? rootPlace(calls.app, top, window, around.windows, around.screen)
      : { shift: { x: 0, y: 0 }, clip: around.screen };
  const row = await rowPlace(calls, line, root);
  if (row === 'gone') throw stale();
  return {
    calls,
    line,
    standing: await placeAbove(calls, line, root),
    away: row === 'away',
    ...(window && { window: window.id }),
    placeless: window?.placeless === true,
  };
}

/** A dead object answers with an error, with DEFUNCT, or (GTK 3) with nothing set at all. */
async function refuseDead(calls: AppCalls, [, path]: Address): Promise<void> {
  const bits = await readStates(calls, path);
  if (!bits || (calls.app.toolkit.deadIsEmpty && bits.empty)) throw stale();
  const alive = !bits.has('defunct') || (calls.app.toolkit.name === 'libreoffice' && (await isInputLine(calls, path)));
  if (!alive) throw stale();
}

async function readInGrid(walk: Walk, { address, row, column }: ElementId, standing: Standing) {
  const grid = await readGrid(walk.calls, address[1]);
  if (!grid || row! > grid.rows || (column ?? 1) > grid.columns) throw stale();
  const [roleNumber, extents] = await Promise.all([
    readRole(walk.calls, address[1]),
    readExtents(walk.calls, address[1]),
  ]);
  const place = childPlace(walk.calls.app.toolkit, standing.place, roleNumber, extents);
  const all = new Walk(walk.calls, { ...walk.options, full: true });
  if (column !== undefined)
    return readCell(all, idOf(address), grid, row!, column, place, { empty: true, formulas: true });
  const [line] = await readRows(all, address, grid, [row!, row!], [1, Math.min(grid.columns, 60)], place);
  return line;
}

/** Text by characters, also what is not on the screen. A password's is never given. */
export async function readElementText(
  apps: Apps,
  id: string,
  span: { start: number; end: number },
  deadline: Deadline,
): Promise<TextAnswer> {
  const wanted = parse(id);
  const link = await apps.linkByBusName(wanted.address[0], deadline);
  return explained(link, async () => {
    const calls = link.until(deadline);
    const path = await textPath(calls, wanted);
    const [length] = await Promise.all([
      readTextLength(calls, path),
      refuseDead(calls, wanted.address),
      refuseSecret(calls, path),
    ]);
    if (length === undefined) return slice(cleanText(await readString(calls, path, ACCESSIBLE, 'Name')).text, span);
    if (calls.app.toolkit.textInUtf16) return slice(await readText(calls, path, 0, Math.min(length, WHOLE_TEXT)), span);
    if (calls.app.toolkit.name === 'chromium') {
      const parts = await readInParts(calls, path, length);
      if (parts !== undefined) return slice(parts, span);
    }
    const start = Math.min(span.start, length);
    const end = Math.min(span.end, length);
    return { text: cleanText(await readText(calls, path, start, end)).text, start, end, total: length };
  });
}

/** What one writes in a page is in paragraphs; undefined where it is one piece, or more than one writes. */
async function readInParts(calls: AppCalls, path: string, length: number): Promise<string | undefined> {
  if (length > WRITTEN_TEXT || !(await readStates(calls, path))?.has('editable')) return undefined;
  const text = await readText(calls, path, 0, length);
  return text.includes(OBJECT) ? textInParts(calls, path, text) : undefined;
}

/** Positions are told in characters; where the app counts otherwise, the whole text is read and cut here. */
function slice(text: string, span: { start: number; end: number }): TextAnswer {
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

async function refuseSecret(calls: AppCalls, path: string): Promise<void> {
  const [roleNumber, ownName] = await Promise.all([readRole(calls, path), readString(calls, path, ACCESSIBLE, 'Name')]);
  let secret = roleNumber === PASSWORD;
  if (!secret && roleFromAtspi(roleNumber) === 'textbox') {
    const name = ownName || ((await nameFromLabel(calls, path))?.name ?? (await nameOfField(calls, path)) ?? '');
    secret = looksSecret(name);
  }
  if (secret) {
    throw new DesktopError('not_supported', 'That is a secret field: its text is never read.', { retry: 'no' });
  }
}
