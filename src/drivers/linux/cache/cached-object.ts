import type { Box } from '../../../tree/index.js';
import { ROOT_PATH, touches } from '../atspi/accessible.js';
import type { Invalidation } from './invalidations.js';

/** What an answer tells, as far as forgetting goes. */
export type ReplyKind = 'lasting' | 'extents' | 'states' | 'count' | 'children' | 'child' | 'other';

const REPLY_KINDS: Readonly<Record<string, ReplyKind>> = {
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
export function replyKindOf(member: string): ReplyKind {
  return REPLY_KINDS[member] ?? 'other';
}

export interface CachedReply {
  kind: ReplyKind;
  reply: Promise<unknown[]>;
  settled: boolean;
  /** The last read that was given this without a call. */
  servedInRead: number;
}

/** One of an app's objects, as far as it was asked: raw answers by question, and its place in the tree. */
export class CachedObject {
  readonly replies = new Map<string, CachedReply>();
  parent?: CachedObject;
  readonly children = new Set<CachedObject>();
  /** What it said last; kept when the answer itself is forgotten, to tell whether the next one differs. */
  box?: Box;
  /** When it said so; performance.now(). */
  boxReadAt = -Infinity;
  states?: string;
  count?: number;
  role?: number;
  focused = false;

  constructor(readonly path: string) {}

  /** Forgets answers: the last read that was given one of them; -1 for those that nobody was, undefined for none. */
  drop(which: (kind: ReplyKind) => boolean): number | undefined {
    let last: number | undefined;
    for (const [key, reply] of this.replies) {
      if (!which(reply.kind)) continue;
      this.replies.delete(key);
      last = Math.max(last ?? -1, reply.servedInRead);
    }
    return last;
  }

  adopt(child: CachedObject): void {
    if (child === this || child.parent === this) return;
    child.parent?.children.delete(child);
    child.parent = this;
    this.children.add(child);
  }

  /** From the parent up; an app may list an element among its own descendants. */
  *ancestors(): Generator<CachedObject> {
    const seen = new Set<CachedObject>([this]);
    for (let above = this.parent; above && !seen.has(above); above = above.parent) {
      seen.add(above);
      yield above;
    }
  }

  /** It and all that is known below it. */
  *subtree(): Generator<CachedObject> {
    const open: CachedObject[] = [this];
    const seen = new Set<CachedObject>(open);
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

export const anyKind = (): boolean => true;
/** All that a redraw may have changed. */
export const changesOnRedraw = (kind: ReplyKind): boolean => kind !== 'lasting';
/** Whether and where it is on the screen. */
export const isPlacement = (kind: ReplyKind): boolean => kind === 'extents' || kind === 'states';

type Objects = ReadonlyMap<string, CachedObject>;
/** What `MemoryObject.forget` tells. */
type Dropped = number | undefined;

/** In longer rows each one's own events and pixels must do; else one tick in a long list would read it all again. */
const MAX_SIBLINGS = 100;
const DOCUMENTS: ReadonlySet<number> = new Set([82, 95]); // document frame, web page

/** Forgets all that these notices make doubtful; tells what was forgotten. */
export function* applyInvalidations(objects: Objects, invalidations: readonly Invalidation[]): Generator<Dropped> {
  for (const invalidation of invalidations) yield* applyOne(objects, invalidation);
  for (const object of objects.values()) {
    // Asked about without being met in the tree, as a label may be: nobody knows what it depends on.
    if (!object.parent && !object.box && object.path !== ROOT_PATH) yield object.drop(anyKind);
    // That the focus went elsewhere is told, or drawn, only there.
    else if (object.focused) yield object.drop(isPlacement);
  }
}

function* applyOne(objects: Objects, invalidation: Invalidation): Generator<Dropped> {
  if (invalidation.type === 'all') for (const object of objects.values()) yield object.drop(anyKind);
  if (invalidation.type === 'drawn') yield* afterRedraw(objects, invalidation.box);
  if (!('path' in invalidation)) return;
  const object = objects.get(invalidation.path);
  if (!object) return;
  switch (invalidation.type) {
    case 'event':
      yield* afterEvent(object, invalidation.children);
      return;
    case 'window':
      for (const one of object.subtree()) yield one.drop(anyKind);
      return;
    case 'laid out':
      for (const one of object.subtree()) yield one.drop(isPlacement);
      return;
    case 'moved':
      for (const one of object.subtree()) if (one.boxReadAt >= invalidation.since) yield one.drop(isPlacement);
      return;
    case 'title':
      for (const one of object.subtree()) {
        if (one === object || DOCUMENTS.has(one.role ?? 0)) yield one.drop(changesOnRedraw);
      }
  }
}

/**
 * An event tells of one object, but toolkits compute what is around it from the same change: its siblings (which one is
 * selected), and the names and places of all that it is in. Of a window's frame it tells of that alone.
 */
function* afterEvent(object: CachedObject, children: boolean): Generator<Dropped> {
  const { parent } = object;
  const isRoot = object.path === ROOT_PATH;
  const isTop = parent?.path === ROOT_PATH;
  if (isRoot || (isTop && !children)) return void (yield object.drop(anyKind));
  for (const one of object.subtree()) yield one.drop(anyKind);
  if (isTop || !parent) return;
  yield parent.drop(changesOnRedraw);
  if (parent.children.size <= MAX_SIBLINGS) for (const one of parent.children) yield one.drop(changesOnRedraw);
  for (const one of parent.ancestors()) if (one.path !== ROOT_PATH) yield one.drop(changesOnRedraw);
}

function* afterRedraw(objects: Objects, box: Box): Generator<Dropped> {
  for (const object of objects.values()) {
    if (!object.box || !touches(object.box, box)) continue;
    yield object.drop(changesOnRedraw);
    // In web pages a box without a height may hold what is seen.
    for (let above = object.parent; above?.box && !touches(above.box, box); above = above.parent) {
      if (above === object) break;
      yield above.drop(changesOnRedraw);
    }
    for (const child of object.children) {
      if (child.box && touches(child.box, box)) continue;
      // It may have been moved or shown; one without a size may have got some, and something in it.
      const isEmpty = !child.box || child.box.width === 0 || child.box.height === 0;
      yield child.drop(isEmpty ? changesOnRedraw : isPlacement);
    }
  }
}
