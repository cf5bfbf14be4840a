import type { XEvent } from 'x11';
import type { Atoms } from '../atoms.js';
import type { Monitor } from '../monitors.js';
import { WINDOW_PROPERTIES } from './properties.js';
import { ROOT_PROPERTIES, type WindowList } from './list.js';

const MOVING: ReadonlySet<string> = new Set([
  'MapNotify',
  'UnmapNotify',
  'DestroyNotify',
  'ReparentNotify',
  'ConfigureNotify',
  'GravityNotify',
  'CirculateNotify',
]);

/**
 * The last list, and whether another one would be the same. It would be when nothing was heard since before it was
 * begun, of the root or of any window in it: so who lists asks the server one thing instead of a dozen for each window.
 */
export class CurrentList {
  private readonly telling: ReadonlySet<number>;
  private changes = 0;
  private last?: { list: WindowList; at: number };

  constructor(atoms: Atoms) {
    const names = [...ROOT_PROPERTIES, ...Object.values(WINDOW_PROPERTIES)];
    this.telling = new Set(names.map((name) => atoms[name]));
  }

  /** Every event of the connection. True for one after which a list may be another. */
  heard({ name, atom }: XEvent): boolean {
    const counts = name === 'PropertyNotify' ? this.telling.has(atom ?? 0) : MOVING.has(name ?? '');
    if (counts) this.changes += 1;
    return counts;
  }

  /** Before a list is begun. */
  get mark(): number {
    return this.changes;
  }

  /** `listened`: all of its windows were listened to before it was begun. */
  keep(list: WindowList, mark: number, listened: boolean): void {
    this.last = list.told && listened ? { list, at: mark } : undefined;
  }

  /** Ask when all that happened has been heard. Undefined when only a new list can tell. */
  unchanged(screens: readonly Monitor[]): WindowList['windows'] | undefined {
    if (this.last?.at !== this.changes) return undefined;
    const { list } = this.last;
    return JSON.stringify(list.screens) === JSON.stringify(screens) ? list.windows : undefined;
  }
}
