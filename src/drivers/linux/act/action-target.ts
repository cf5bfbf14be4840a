import { DesktopError } from '../../../shared/index.js';
import { type Role, roleFromAtspi } from '../../../tree/index.js';
import {
  ACTION,
  type Address,
  type ElementId,
  readInterfaces,
  readNumber,
  readRole,
  readStates,
} from '../atspi/accessible.js';
import { readLineage, stale } from '../atspi/ancestors.js';
import type { AppCalls } from '../atspi/app-connection.js';
import { type StateSet, statesOf } from '../atspi/states.js';
import { cellAt, type Grid, readGrid } from '../atspi/table.js';
import { isInputLine } from '../atspi/text.js';

/** No element of use has more; an app that claims more is cut here. */
const MOST_ACTIONS = 16;

/** What is going to be acted on, as it is at this moment. */
export interface Subject {
  calls: AppCalls;
  address: Address;
  path: string;
  role: Role;
  bits: StateSet;
  interfaces: ReadonlySet<string>;
  enabled: boolean;
  selected: boolean;
  /** Where it stands in a table that has no objects for rows. */
  place?: { grid: Grid; row: number; column?: number };
}

/** Reads it afresh on the connection of the reads; `stale_ref` when it is no more. */
export async function readSubject(calls: AppCalls, id: ElementId): Promise<Subject> {
  const { address, place } = await inTable(calls, id);
  const path = address[1];
  const [bits, roleNumber, interfaces] = await Promise.all([
    readStates(calls, path),
    readRole(calls, path),
    readInterfaces(calls, path),
  ]);
  const { toolkit } = calls.app;
  const role = roleFromAtspi(roleNumber);
  // Toolkits answer for a dead object without an error, with no state at all; Chromium says so of a disabled option.
  const isOption = toolkit.name === 'chromium' && (role === 'option' || role === 'menuitem');
  if (!bits || (bits.empty && !isOption)) throw stale();
  if (bits.has('defunct') && !(toolkit.name === 'libreoffice' && (await isInputLine(calls, path)))) throw stale();
  const above = toolkit.enabledBy === 'sensitive' ? await allSensitive(calls, address) : true;
  const { enabled, selected = bits.has('selected') } = statesOf(bits, role, toolkit, above);
  return { calls, address, path, role, bits, interfaces, enabled, selected, ...(place && { place }) };
}

/** A cell has another object at each ask in some toolkits; a row often has none, and its first cell stands for it. */
async function inTable(
  calls: AppCalls,
  { address, row, column }: ElementId,
): Promise<{ address: Address; place?: Subject['place'] }> {
  if (row === undefined) return { address };
  const grid = await readGrid(calls, address[1]);
  if (!grid || row > grid.rows || (column ?? 1) > grid.columns) throw stale();
  const cell = await cellAt(calls, grid, row, column ?? 1);
  if (!cell) throw stale();
  return { address: cell, place: { grid, row, ...(column !== undefined && { column }) } };
}

/** GTK 4 says SENSITIVE of what is in an insensitive box. */
async function allSensitive(calls: AppCalls, address: Address): Promise<boolean> {
  const line = await readLineage(calls, address);
  const states = await Promise.all(line.slice(0, -1).map(({ address: [, path] }) => readStates(calls, path)));
  return states.every((bits) => bits === undefined || bits.has('sensitive'));
}

/** By GetName: the localised names of GetActions are empty in some toolkits and translated in others. */
export async function readActionNames({ calls, path, interfaces }: Subject): Promise<string[]> {
  if (!interfaces.has(ACTION)) return [];
  const count = (await readNumber(calls, path, ACTION, 'NActions')) ?? 0;
  const names = await Promise.all(
    Array.from({ length: Math.min(Math.max(0, count), MOST_ACTIONS) }, async (_, index) => {
      const answer = await calls.maybe(calls.call(path, ACTION, 'GetName', 'i', [index]));
      return typeof answer?.[0] === 'string' ? answer[0] : '';
    }),
  );
  return names;
}

/** `why`: it offers it, but not for this. */
export function unsupported(kind: string, why?: string): DesktopError {
  const message = why === undefined ? `This element offers no ${kind}.` : `The element ${why}.`;
  return new DesktopError('pattern_unsupported', message, {
    retry: 'no',
    ...(why !== undefined && { details: { why } }),
  });
}

export function notReady(why: string): DesktopError {
  return new DesktopError('not_ready', `The element ${why}.`, {
    hint: 'look why: ui_snapshot.',
    retry: 'after',
    retryAfter: 'it can be used',
  });
}

export function closedAbove(): DesktopError {
  return new DesktopError('not_ready', 'The element opens a menu, and is itself in one that is closed.', {
    hint: 'open the menus above it first, one after the other, with ui_click.',
    retry: 'after',
    retryAfter: 'the menu that it is in is open',
  });
}
