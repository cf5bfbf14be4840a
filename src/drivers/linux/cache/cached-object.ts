import type { Box } from '../../../tree/index.js';
import { ROOT_PATH, touches } from '../atspi/accessible.js';
import type { Invalidation } from './invalidations.js';

/** Kinds of replies that are invalidated differently. */
export type ReplyKind = 'static' | 'extents' | 'states' | 'count' | 'children' | 'child' | 'other';

const REPLY_KINDS: Readonly<Record<string, ReplyKind>> = {
  GetRole: 'static',
  GetInterfaces: 'static',
  GetRelationSet: 'static',
  GetExtents: 'extents',
  GetState: 'states',
  ChildCount: 'count',
  GetChildren: 'children',
  GetChildAtIndex: 'child',
  GetAccessibleAt: 'child',
};

/** `member` is the method that was called or the property that was read. */
export function replyKindOf(member: string): ReplyKind {
  return REPLY_KINDS[member] ?? 'other';
}

export interface CachedReply {
  kind: ReplyKind;
  reply: Promise<unknown[]>;
  settled: boolean;
  /** The last read that was served this reply without a call. */
  servedInRead: number;
}

/** One object of an app: its cached replies by call, and its place in the tree. */
export class CachedObject {
  readonly replies = new Map<string, CachedReply>();
  parent?: CachedObject;
  readonly children = new Set<CachedObject>();
  /** The last known values. Kept when the reply is dropped, to detect whether the next one differs. */
  box?: Box;
  /** When the bounds were read, as performance.now(). */
  boxReadAt = -Infinity;
  states?: string;
  count?: number;
  role?: number;
  focused = false;

  constructor(readonly path: string) {}

  /**
   * Drops replies. Returns the last read that was served one of them, -1 if no read was, or undefined if nothing was
   * dropped.
   */
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

  /** From the parent up. Stops at a loop: an app may list an element among its own descendants. */
  *ancestors(): Generator<CachedObject> {
    const seen = new Set<CachedObject>([this]);
    for (let ancestor = this.parent; ancestor && !seen.has(ancestor); ancestor = ancestor.parent) {
      seen.add(ancestor);
      yield ancestor;
    }
  }

  /** The object and all known descendants. */
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

const anyKind = (): boolean => true;
/** Replies that a redraw may have changed. */
export const changesOnRedraw = (kind: ReplyKind): boolean => kind !== 'static';
/** Visibility and position. */
export const isPlacement = (kind: ReplyKind): boolean => kind === 'extents' || kind === 'states';

type Objects = ReadonlyMap<string, CachedObject>;
/** The result of `CachedObject.drop`. */
type Dropped = number | undefined;

/**
 * With more siblings than this, only an object's own events and redraws count. Without this limit one change in a long
 * list would cause a read of the whole list.
 */
const MAX_SIBLINGS = 100;
const DOCUMENTS: ReadonlySet<number> = new Set([82, 95]); // document frame, web page

/** Drops all replies that these invalidations affect. Yields the result of each drop. */
export function* applyInvalidations(objects: Objects, invalidations: readonly Invalidation[]): Generator<Dropped> {
  for (const invalidation of invalidations) yield* applyOne(objects, invalidation);
  for (const object of objects.values()) {
    // Read outside of the tree, as a label may be. Its dependencies are unknown.
    if (!object.parent && !object.box && object.path !== ROOT_PATH) yield object.drop(anyKind);
    // When the focus moves, only the newly focused object gets an event or is redrawn.
    else if (object.focused) yield object.drop(isPlacement);
  }
}

function* applyOne(objects: Objects, invalidation: Invalidation): Generator<Dropped> {
  if (invalidation.type === 'all') for (const object of objects.values()) yield object.drop(anyKind);
  if (invalidation.type === 'redraw') yield* afterRedraw(objects, invalidation.box);
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
    case 'layout':
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
 * An event concerns one object, but toolkits derive the state of others from the same change: its siblings (which one
 * is selected) and the names and bounds of its ancestors. An event of a window's frame concerns only the frame.
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
    // In web pages a box without a height may contain visible elements.
    for (let ancestor = object.parent; ancestor?.box && !touches(ancestor.box, box); ancestor = ancestor.parent) {
      if (ancestor === object) break;
      yield ancestor.drop(changesOnRedraw);
    }
    for (const child of object.children) {
      if (child.box && touches(child.box, box)) continue;
      // It may have moved or become visible. A child without a size may have gained a size and content.
      const isEmpty = !child.box || child.box.width === 0 || child.box.height === 0;
      yield child.drop(isEmpty ? changesOnRedraw : isPlacement);
    }
  }
}
