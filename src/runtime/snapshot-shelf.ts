import type { Element, Snapshot } from '../tree/index.js';

const KEPT = 32;

interface Indexed {
  snapshot: Snapshot;
  /** The way to each element, by ref: made when first needed. */
  paths?: Map<string, Element[]>;
  ids?: Map<string, Element>;
}

/** The last looks, for differences, for paths and for the words of events. */
export class SnapshotShelf {
  private readonly kept = new Map<string, Indexed>();
  private count = 0;

  /** Of the look that was made last; `s0` before the first. */
  get lastId(): string {
    return `s${this.count}`;
  }

  nextId(): string {
    return `s${++this.count}`;
  }

  keep(snapshot: Snapshot): Snapshot {
    this.kept.set(snapshot.id, { snapshot });
    const oldest = this.kept.keys().next();
    if (this.kept.size > KEPT && !oldest.done) this.kept.delete(oldest.value);
    return snapshot;
  }

  get(id: string): Snapshot | undefined {
    return this.kept.get(id)?.snapshot;
  }

  /** From the root down to the element itself, as the newest look that had it saw it. */
  pathOf(ref: string): Element[] | undefined {
    return this.newest((entry) => (entry.paths ??= pathsIn(entry.snapshot)).get(ref));
  }

  elementById(id: string): Element | undefined {
    return this.newest((entry) => {
      entry.paths ??= pathsIn(entry.snapshot);
      entry.ids ??= new Map([...entry.paths.values()].map((path) => [path.at(-1)!.id, path.at(-1)!]));
      return entry.ids.get(id);
    });
  }

  private newest<T>(find: (entry: Indexed) => T | undefined): T | undefined {
    for (const entry of [...this.kept.values()].reverse()) {
      const found = find(entry);
      if (found !== undefined) return found;
    }
    return undefined;
  }
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
