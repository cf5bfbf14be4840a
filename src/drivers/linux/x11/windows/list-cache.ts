import type { XEvent } from 'x11';
import type { Atoms } from '../atoms.js';
import type { Monitor } from '../monitors.js';
import { WINDOW_PROPERTIES } from './properties.js';
import { ROOT_PROPERTIES, type WindowList } from './list.js';

const STRUCTURE_EVENTS: ReadonlySet<string> = new Set([
  'MapNotify',
  'UnmapNotify',
  'DestroyNotify',
  'ReparentNotify',
  'ConfigureNotify',
  'GravityNotify',
  'CirculateNotify',
]);

/**
 * The last list, and whether a new one would be the same. It is the same if no event of the root, or of a window in the
 * list, arrived since before the list was started. A caller then needs one request instead of a dozen per window.
 */
export class WindowListCache {
  private readonly relevantAtoms: ReadonlySet<number>;
  private changes = 0;
  private last?: { list: WindowList; at: number };

  constructor(atoms: Atoms) {
    const names = [...ROOT_PROPERTIES, ...Object.values(WINDOW_PROPERTIES)];
    this.relevantAtoms = new Set(names.map((name) => atoms[name]));
  }

  /** Handles every event of the connection. True if the event invalidates the list. */
  handleEvent({ name, atom }: XEvent): boolean {
    const counts = name === 'PropertyNotify' ? this.relevantAtoms.has(atom ?? 0) : STRUCTURE_EVENTS.has(name ?? '');
    if (counts) this.changes += 1;
    return counts;
  }

  /** To be read before a list is started. */
  get revision(): number {
    return this.changes;
  }

  /** `listened`: events of all its windows were selected before it was started. */
  store(list: WindowList, revision: number, listened: boolean): void {
    this.last = list.isCoveredByEvents && listened ? { list, at: revision } : undefined;
  }

  /** Call this after all pending events were handled. Undefined if a new list is needed. */
  get(screens: readonly Monitor[]): WindowList['windows'] | undefined {
    if (this.last?.at !== this.changes) return undefined;
    const { list } = this.last;
    return JSON.stringify(list.screens) === JSON.stringify(screens) ? list.windows : undefined;
  }
}
