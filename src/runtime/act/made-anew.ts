import { isDeepStrictEqual } from 'node:util';
import type { Change, Element } from '../../tree/index.js';

/**
 * Without what its app threw away and made again just as it was, as LibreOffice does with the buttons of its side bar
 * at every cell: the same words and states at the same place, with the same in it. Nobody sees that.
 */
export function withoutMadeAnew(changes: readonly Change[]): Change[] {
  const tops = changes.filter(({ level, element, cell }) => level === 0 && element.bounds && !cell);
  const fresh = tops.filter(({ kind }) => kind === 'new');
  const same = new Set<string>();
  for (const gone of tops.filter(({ kind }) => kind === 'gone')) {
    const at = fresh.findIndex((one) => isSame(gone, one));
    if (at < 0) continue;
    const [again] = fresh.splice(at, 1);
    for (const element of [gone.element, again!.element]) refsIn(element, same);
  }
  return changes.filter(({ kind, ref }) => kind === 'changed' || !same.has(ref));
}

function isSame(gone: Change, fresh: Change): boolean {
  if (gone.root !== fresh.root || gone.in !== fresh.in) return false;
  // Cheap first: of a page that was replaced there are many.
  const [old, now] = [gone.element, fresh.element];
  return old.role === now.role && old.name === now.name && isDeepStrictEqual(seen(old), seen(now));
}

/** All that a person could tell apart; where the focus is, others say. */
function seen({ role, name, value, states, bounds, error, table, items, range, children }: Element): unknown {
  const { focused: _focused, active: _active, ...rest } = states;
  return { role, name, value, rest, bounds, error, table, items, range, children: children.map(seen) };
}

function refsIn({ ref, children }: Element, into: Set<string>): void {
  into.add(ref);
  for (const child of children) refsIn(child, into);
}
