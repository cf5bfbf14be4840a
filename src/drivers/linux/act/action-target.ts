import { DesktopError } from '../../../shared/index.js';
import { type Role, roleFromAtspi } from '../../../tree/index.js';
import {
  ACCESSIBLE,
  ACTION,
  type Address,
  asAddress,
  type ElementId,
  readInterfaces,
  readNumber,
  readRole,
  readStates,
} from '../atspi/accessible.js';
import { readAncestors, staleRefError } from '../atspi/ancestors.js';
import type { AppCalls } from '../atspi/app-connection.js';
import { roleOfDrawn } from '../atspi/names.js';
import { type StateSet, statesOf } from '../atspi/states.js';
import { cellAt, type Grid, readGrid } from '../atspi/table.js';
import { isInputLine } from '../atspi/text.js';

/** No useful element has more actions; the rest of a longer list is ignored. */
const MAX_ACTIONS = 16;

/** The target of an act, with its state at this moment. */
export interface ActionTarget {
  calls: AppCalls;
  address: Address;
  path: string;
  role: Role;
  bits: StateSet;
  interfaces: ReadonlySet<string>;
  enabled: boolean;
  selected: boolean;
  /** Its position in a table that has no objects for rows. */
  place?: { grid: Grid; row: number; column?: number };
}

/** Reads the current state on the connection for reads. Throws `stale_ref` if the element is gone. */
export async function readActionTarget(calls: AppCalls, id: ElementId): Promise<ActionTarget> {
  const { address, place } = await resolveTableCell(calls, id);
  const path = address[1];
  const [bits, roleNumber, interfaces] = await Promise.all([
    readStates(calls, path),
    readRole(calls, path),
    readInterfaces(calls, path),
  ]);
  const { toolkit } = calls.app;
  const mapped = roleFromAtspi(roleNumber);
  // For a dead object toolkits return no error but an empty state set. Chromium does the same for a disabled option.
  const isOption = toolkit.name === 'chromium' && (mapped === 'option' || mapped === 'menuitem');
  if (!bits || (bits.empty && !isOption)) throw staleRefError();
  if (bits.has('defunct') && !(toolkit.name === 'libreoffice' && (await isInputLine(calls, path))))
    throw staleRefError();
  const role = toolkit.drawnByLabels && !place ? await roleBelowParent(calls, path, mapped) : mapped;
  const ancestorsSensitive = toolkit.enabledBy === 'sensitive' ? await allSensitive(calls, address) : true;
  const { enabled, selected = bits.has('selected') } = statesOf(bits, role, toolkit, ancestorsSensitive);
  return { calls, address, path, role, bits, interfaces, enabled, selected, ...(place && { place }) };
}

/** The role that Swing's parent gives it. An element that was removed keeps its states and has no parent any more. */
async function roleBelowParent(calls: AppCalls, path: string, role: Role): Promise<Role> {
  const parent = asAddress(await calls.maybe(calls.get(path, ACCESSIBLE, 'Parent')));
  if (!parent) throw staleRefError();
  const above = roleFromAtspi(await readRole(calls, parent[1]));
  // The parent of an item in a tree is an item, too.
  return roleOfDrawn(role, role === 'label' && above === 'label' ? 'treeitem' : above) ?? role;
}

/**
 * In some toolkits a cell is a different object at every request. A row often has no object; its first cell stands for
 * it.
 */
async function resolveTableCell(
  calls: AppCalls,
  { address, row, column }: ElementId,
): Promise<{ address: Address; place?: ActionTarget['place'] }> {
  if (row === undefined) return { address };
  const grid = await readGrid(calls, address[1]);
  if (!grid || row > grid.rows || (column ?? 1) > grid.columns) throw staleRefError();
  const cell = await cellAt(calls, grid, row, column ?? 1);
  if (!cell) throw staleRefError();
  return { address: cell, place: { grid, row, ...(column !== undefined && { column }) } };
}

/** GTK 4 reports SENSITIVE for elements inside an insensitive box. */
async function allSensitive(calls: AppCalls, address: Address): Promise<boolean> {
  const lineage = await readAncestors(calls, address);
  const states = await Promise.all(lineage.slice(0, -1).map(({ address: [, path] }) => readStates(calls, path)));
  return states.every((bits) => bits === undefined || bits.has('sensitive'));
}

/** Uses GetName: the localised names of GetActions are empty in some toolkits and translated in others. */
export async function readActionNames({ calls, path, interfaces }: ActionTarget): Promise<string[]> {
  if (!interfaces.has(ACTION)) return [];
  const count = (await readNumber(calls, path, ACTION, 'NActions')) ?? 0;
  const names = await Promise.all(
    Array.from({ length: Math.min(Math.max(0, count), MAX_ACTIONS) }, async (_, index) => {
      const answer = await calls.maybe(calls.call(path, ACTION, 'GetName', 'i', [index]));
      return typeof answer?.[0] === 'string' ? answer[0] : '';
    }),
  );
  return names;
}

/** `why`: the element supports this kind of act, but not this one. */
export function unsupportedError(kind: string, why?: string): DesktopError {
  const message = why === undefined ? `This element offers no ${kind}.` : `The element ${why}.`;
  return new DesktopError('pattern_unsupported', message, {
    retry: 'no',
    ...(why !== undefined && { details: { why } }),
  });
}

export function notReadyError(why: string): DesktopError {
  return new DesktopError('not_ready', `The element ${why}.`, {
    hint: 'Run ui_snapshot to see why.',
    retry: 'after',
    retryAfter: 'it can be used',
  });
}

export function closedMenuError(): DesktopError {
  return new DesktopError('not_ready', 'The element opens a menu, but the menu that contains it is closed.', {
    hint: 'Open the menus above it first, one after the other, with ui_click.',
    retry: 'after',
    retryAfter: 'the menu that contains it is open',
  });
}
