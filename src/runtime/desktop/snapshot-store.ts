import { BoundedMap } from '../../shared/index.js';
import { parseRef, type Element, type Snapshot, type WindowInfo } from '../../tree/index.js';

const KEPT = 32;

interface Indexed {
  snapshot: Snapshot;
  /** The path to each element, by ref. Created on first use. */
  paths?: Map<string, Element[]>;
  ids?: Map<string, Element>;
}

/** Recent snapshots, for diffs, paths and the descriptions of events. */
export class SnapshotStore {
  private readonly kept = new BoundedMap<string, Indexed>(KEPT);
  /** Per window: the latest tree that no caller received. Used only for paths. */
  private readonly internalTrees = new BoundedMap<string, Element>(KEPT);
  private count = 0;

  /** Id of the latest snapshot; `s0` before the first. */
  get lastId(): string {
    return `s${this.count}`;
  }

  get given(): number {
    return this.count;
  }

  continueFrom(given: number): void {
    this.count = given;
  }

  nextId(): string {
    return `s${++this.count}`;
  }

  keep(snapshot: Snapshot): Snapshot {
    this.kept.set(snapshot.id, { snapshot });
    return snapshot;
  }

  keepInternal(windowId: string, root: Element): void {
    this.internalTrees.set(windowId, root);
  }

  /** Drops every snapshot that contains this window. */
  forget(windowId: string): void {
    this.internalTrees.delete(windowId);
    for (const [id, { snapshot }] of this.kept)
      if (snapshot.windows.some((window) => window.id === windowId)) this.kept.delete(id);
  }

  get(id: string): Snapshot | undefined {
    return this.kept.get(id)?.snapshot;
  }

  /**
   * The path from the root to the element, from the newest snapshot that contains it. Partial snapshots start below the
   * root: they are used only if no other snapshot contains the element, joined to the path of their own root.
   */
  pathOf(ref: string): Element[] | undefined {
    const whole = this.newest((entry) => {
      const path = pathsOf(entry).get(ref);
      return path && entry.snapshot.scope !== 'element' ? path : undefined;
    });
    if (whole) return whole;
    const internal = this.internalPath(ref);
    if (internal) return internal;
    const part = this.newest((entry) => pathsOf(entry).get(ref));
    const above = part && part.length > 1 ? this.pathOf(part[0]!.ref) : undefined;
    return above ? [...above, ...part!.slice(1)] : part;
  }

  /** The element in the newest snapshot that a caller received. */
  lastSeen(ref: string): { element: Element; window?: WindowInfo } | undefined {
    return this.newest((entry) => {
      const path = pathsOf(entry).get(ref);
      if (!path) return undefined;
      const window = entry.snapshot.windows.find((one) => one.ref === path[0]!.ref);
      return { element: path.at(-1)!, ...(window && { window }) };
    });
  }

  elementById(id: string): Element | undefined {
    return this.newest((entry) => idsOf(entry).get(id));
  }

  /** The ref of an element in a snapshot, by ref or id. Undefined if the snapshot does not contain it. */
  refIn(snapshotId: string, element: string): string | undefined {
    const entry = this.kept.get(snapshotId);
    const ref = parseRef(element);
    if (entry && ref !== undefined && pathsOf(entry).has(ref)) return ref;
    return entry && idsOf(entry).get(element)?.ref;
  }

  private internalPath(ref: string): Element[] | undefined {
    for (const root of [...this.internalTrees.values()].reverse()) {
      const path = pathIn(root, ref);
      if (path) return path;
    }
    return undefined;
  }

  private newest<T>(find: (entry: Indexed) => T | undefined): T | undefined {
    for (const entry of [...this.kept.values()].reverse()) {
      const found = find(entry);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

function pathsOf(entry: Indexed): Map<string, Element[]> {
  return (entry.paths ??= pathsIn(entry.snapshot));
}

function idsOf(entry: Indexed): Map<string, Element> {
  return (entry.ids ??= new Map([...pathsOf(entry).values()].map((path) => [path.at(-1)!.id, path.at(-1)!])));
}

function pathsIn(snapshot: Snapshot): Map<string, Element[]> {
  const paths = new Map<string, Element[]>();
  const walk = (element: Element, above: Element[]): void => {
    const path = [...above, element];
    paths.set(element.ref, path);
    for (const child of element.children) walk(child, path);
  };
  for (const root of snapshot.roots) walk(root, []);
  return paths;
}

function pathIn(element: Element, ref: string): Element[] | undefined {
  if (element.ref === ref) return [element];
  for (const child of element.children) {
    const path = pathIn(child, ref);
    if (path) return [element, ...path];
  }
  return undefined;
}
