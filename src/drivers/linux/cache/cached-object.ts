import type { Box } from '../../../tree/index.js';
import { ROOT_PATH, touches } from '../atspi/accessible.js';
import type { Notice } from './invalidations.js';

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

type Objects = ReadonlyMap<string, MemoryObject>;
/** What `MemoryObject.forget` tells. */
type Forgotten = number | undefined;

/** In longer rows each one's own events and pixels must do; else one tick in a long list would read it all again. */
const MOST_SIBLINGS = 100;
const DOCUMENTS: ReadonlySet<number> = new Set([82, 95]); // document frame, web page

/** Forgets all that these notices make doubtful; tells what was forgotten. */
export function* forgetNoticed(objects: Objects, notices: readonly Notice[]): Generator<Forgotten> {
  for (const notice of notices) yield* forgetOne(objects, notice);
  for (const object of objects.values()) {
    // Asked about without being met in the tree, as a label may be: nobody knows what it depends on.
    if (!object.parent && !object.box && object.path !== ROOT_PATH) yield object.forget(all);
    // That the focus went elsewhere is told, or drawn, only there.
    else if (object.focused) yield object.forget(placed);
  }
}

function* forgetOne(objects: Objects, notice: Notice): Generator<Forgotten> {
  if (notice.type === 'all') for (const object of objects.values()) yield object.forget(all);
  if (notice.type === 'drawn') yield* afterDrawing(objects, notice.box);
  if (!('path' in notice)) return;
  const object = objects.get(notice.path);
  if (!object) return;
  switch (notice.type) {
    case 'event':
      yield* afterEvent(object, notice.children);
      return;
    case 'window':
      for (const one of object.subtree()) yield one.forget(all);
      return;
    case 'laid out':
      for (const one of object.subtree()) yield one.forget(placed);
      return;
    case 'moved':
      for (const one of object.subtree()) if (one.boxAt >= notice.since) yield one.forget(placed);
      return;
    case 'title':
      for (const one of object.subtree()) {
        if (one === object || DOCUMENTS.has(one.role ?? 0)) yield one.forget(drawn);
      }
  }
}

/**
 * An event tells of one object, but toolkits compute what is around it from the same change: its siblings (which one is
 * selected), and the names and places of all that it is in. Of a window's frame it tells of that alone.
 */
function* afterEvent(object: MemoryObject, children: boolean): Generator<Forgotten> {
  const { parent } = object;
  const isRoot = object.path === ROOT_PATH;
  const isTop = parent?.path === ROOT_PATH;
  if (isRoot || (isTop && !children)) return void (yield object.forget(all));
  for (const one of object.subtree()) yield one.forget(all);
  if (isTop || !parent) return;
  yield parent.forget(drawn);
  if (parent.children.size <= MOST_SIBLINGS) for (const one of parent.children) yield one.forget(drawn);
  for (const one of parent.ancestors()) if (one.path !== ROOT_PATH) yield one.forget(drawn);
}

function* afterDrawing(objects: Objects, box: Box): Generator<Forgotten> {
  for (const object of objects.values()) {
    if (!object.box || !touches(object.box, box)) continue;
    yield object.forget(drawn);
    // In web pages a box without a height may hold what is seen.
    for (let above = object.parent; above?.box && !touches(above.box, box); above = above.parent) {
      if (above === object) break;
      yield above.forget(drawn);
    }
    for (const child of object.children) {
      if (child.box && touches(child.box, box)) continue;
      // It may have been moved or shown; one without a size may have got some, and something in it.
      const isEmpty = !child.box || child.box.width === 0 || child.box.height === 0;
      yield child.forget(isEmpty ? drawn : placed);
    }
  }
}
