import { centre, roleFromAtspi, type Box, type Role } from '../../../tree/index.js';
import type { AppCalls } from './app-link.js';
import { ACCESSIBLE, COMPONENT, SCREEN } from './interfaces.js';
import type { Ancestor } from './lineage.js';
import { asAddress, readChildCount, readExtents, readRole, readString, type Address } from './raw-element.js';

/** A field, its list and its arrow. */
const PARTS = 3;
const LEVELS = 16;
const ROOT_PANE = 46;

/**
 * LibreOffice names the box of a combo box ("Font Name"), several boxes further in is a field without a name. A box
 * around more than that names a group of things, not a field.
 */
export function nameForField(role: Role, name: string | undefined, count: number, around?: string): string | undefined {
  if (role !== 'group' || count > PARTS) return undefined;
  if (name === undefined) return around;
  return count === 1 ? name : undefined;
}

/** The same for a field that is read alone: its own way up leaves those boxes out, the way down to its place does not. */
export async function readNamedBox(calls: AppCalls, line: readonly Ancestor[], box: Box): Promise<string | undefined> {
  const pane = line.findIndex(({ roleNumber }) => roleNumber === ROOT_PANE);
  const inner = line[pane];
  const outer = line[pane - 1];
  if (!inner || !outer) return undefined;
  const [own, around] = await Promise.all([readExtents(calls, inner.address[1]), readExtents(calls, outer.address[1])]);
  if (!own || !around) return undefined;
  const middle = centre(box);
  // LibreOffice's own boxes are asked in their own coordinates, which are those of the pane.
  const at = [middle.x + own.x - around.x, middle.y + own.y - around.y, SCREEN];
  let current: Address | undefined = inner.address;
  let named: string | undefined;
  for (let level = 0; level < LEVELS; level++) {
    const answer: unknown[] | undefined = await calls.maybe(
      calls.call(current[1], COMPONENT, 'GetAccessibleAtPoint', 'iiu', at),
    );
    const next: Address | undefined = asAddress(answer?.[0]);
    if (!next || next[0] !== calls.app.busName || next[1] === current[1]) break;
    const [roleNumber, name, count] = await Promise.all([
      readRole(calls, next[1]),
      readString(calls, next[1], ACCESSIBLE, 'Name'),
      readChildCount(calls, next[1]),
    ]);
    named = nameForField(roleFromAtspi(roleNumber), name.trim() || undefined, count, named);
    current = next;
  }
  return named;
}
