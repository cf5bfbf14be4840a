import { BoundedMap } from '../../shared/index.js';
import { parseRef, type Element, type Snapshot, type WindowInfo } from '../../tree/index.js';

const KEPT = 32;

interface Indexed {
  snapshot: Snapshot;
  /** The way to each element, by ref: made when first needed. */
  paths?: Map<string, Element[]>;
  ids?: Map<string, Element>;
}

/** The last looks, for differences, for paths and for the words of events. */
export class SnapshotStore {
  private readonly kept = new BoundedMap<string, Indexed>(KEPT);
  /** The last look at each window that nobody was shown, for paths only. */
  private readonly glances = new BoundedMap<string, Element>(KEPT);
  private count = 0;

  /** Of the look that was made last; `s0` before the first. */
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

  glance(windowId: string, root: Element): void {
    this.glances.set(windowId, root);
  }

  /** No look that has this window in it is kept. */
  forget(windowId: string): void {
    this.glances.delete(windowId);
    for (const [id, { snapshot }] of this.kept)
      if (snapshot.windows.some((window) => window.id === windowId)) this.kept.delete(id);
  }

  get(id: string): Snapshot | undefined {
    return this.kept.get(id)?.snapshot;
  }

  /**
   * From the root down to the element itself, as the newest look that had it saw it. Looks at a part begin in the
   * middle: they count where no other had it, after the way to that part.
   */
  pathOf(ref: string): Element[] | undefined {
    const whole = this.newest((entry) => {
      const path = pathsOf(entry).get(ref);
      return path && entry.snapshot.scope !== 'element' ? path : undefined;
    });
    if (whole) return whole;
    const glanced = this.glancedPath(ref);
    if (glanced) return glanced;
    const part = this.newest((entry) => pathsOf(entry).get(ref));
    const above = part && part.length > 1 ? this.pathOf(part[0]!.ref) : undefined;
    return above ? [...above, ...part!.slice(1)] : part;
  }

  /** As the newest look that a caller was shown saw it. */
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

  /** The ref of what a look had, by ref or by id; undefined when it had no such element. */
  refIn(snapshotId: string, element: string): string | undefined {
    const entry = this.kept.get(snapshotId);
    const ref = parseRef(element);
    if (entry && ref !== undefined && pathsOf(entry).has(ref)) return ref;
    return entry && idsOf(entry).get(element)?.ref;
  }

  private glancedPath(ref: string): Element[] | undefined {
    for (const root of [...this.glances.values()].reverse()) {
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
