import type { Box } from '../../../tree/index.js';

/** What an answer tells, as far as forgetting goes. */
export type FactKind = 'lasting' | 'extents' | 'states' | 'count' | 'children' | 'child' | 'other';

const KINDS: Readonly<Record<string, FactKind>> = {
  GetRole: 'lasting',
  GetInterfaces: 'lasting',
  GetRelationSet: 'lasting',
  GetExtents: 'extents',
  GetState: 'states',
  ChildCount: 'count',
  GetChildren: 'children',
  GetChildAtIndex: 'child',
  GetAccessibleAt: 'child',
};

/** `word` is the member that was called, or the property that was asked for. */
export function kindOf(word: string): FactKind {
  return KINDS[word] ?? 'other';
}

export interface Fact {
  kind: FactKind;
  answer: Promise<unknown[]>;
  settled: boolean;
  /** The last read that was given this without a call. */
  givenIn: number;
}

/** One of an app's objects, as far as it was asked: raw answers by question, and its place in the tree. */
export class MemoryObject {
  readonly facts = new Map<string, Fact>();
  parent?: MemoryObject;
  readonly children = new Set<MemoryObject>();
  /** What it said last; kept when the answer itself is forgotten, to tell whether the next one differs. */
  box?: Box;
  /** When it said so; performance.now(). */
  boxAt = -Infinity;
  states?: string;
  count?: number;
  role?: number;
  focused = false;

  constructor(readonly path: string) {}

  /** Forgets answers: the last read that was given one of them; -1 for those that nobody was, undefined for none. */
  forget(which: (kind: FactKind) => boolean): number | undefined {
    let last: number | undefined;
    for (const [key, fact] of this.facts) {
      if (!which(fact.kind)) continue;
      this.facts.delete(key);
      last = Math.max(last ?? -1, fact.givenIn);
    }
    return last;
  }

  adopt(child: MemoryObject): void {
    if (child === this || child.parent === this) return;
    child.parent?.children.delete(child);
    child.parent = this;
    this.children.add(child);
  }

  /** From the parent up; an app may list an element among its own descendants. */
  *ancestors(): Generator<MemoryObject> {
    const seen = new Set<MemoryObject>([this]);
    for (let above = this.parent; above && !seen.has(above); above = above.parent) {
      seen.add(above);
      yield above;
    }
  }

  /** It and all that is known below it. */
  *subtree(): Generator<MemoryObject> {
    const open: MemoryObject[] = [this];
    const seen = new Set<MemoryObject>(open);
    for (let next = open.pop(); next; next = open.pop()) {
      yield next;
      for (const child of next.children) {
        if (seen.has(child)) continue;
        seen.add(child);
        open.push(child);
      }
    }
  }
}

export const all = (): boolean => true;
/** All that a redraw may have changed. */
export const drawn = (kind: FactKind): boolean => kind !== 'lasting';
/** Whether and where it is on the screen. */
export const placed = (kind: FactKind): boolean => kind === 'extents' || kind === 'states';
