import { diffSnapshots, type Change, type Element, type WindowInfo } from '../../tree/index.js';
import { silentRoot } from '../look.js';
import type { Scenery } from './changes.js';

/**
 * New titles of windows that nobody looked into, of the apps that were looked at: what is saved in a dialog gives the
 * window behind it its name. Of other apps it would be told as ours, and is not.
 */
export function otherTitles(before: Scenery, windows: readonly WindowInfo[]): Change[] {
  const { snapshot } = before;
  const seen = new Set(snapshot.windows.map(({ id }) => id));
  const apps = new Set(snapshot.windows.flatMap(({ pid }) => pid ?? []));
  return windows.flatMap((now) => {
    const old = before.windows.find(({ id }) => id === now.id);
    const open = now.visible || now.minimised;
    if (!old || !open || seen.has(now.id) || now.pid === undefined || !apps.has(now.pid)) return [];
    if (old.title.trim() === now.title.trim()) return [];
    // Which window is active is told by itself.
    const titled = ({ title }: WindowInfo): WindowInfo => ({ ...now, title });
    const [from, to] = [old, now].map((one) => ({ ...snapshot, windows: [titled(one)], roots: [rootOf(titled(one))] }));
    return diffSnapshots(from!, to!).changes;
  });
}

const rootOf = (window: WindowInfo): Element => ({ ...silentRoot(window), ref: window.ref, children: [] });
