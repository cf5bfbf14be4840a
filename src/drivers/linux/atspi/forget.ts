import type { Box } from '../../../tree/index.js';
import { touches } from './extents.js';
import { ROOT_PATH } from './interfaces.js';
import { all, drawn, placed, type MemoryObject } from './memory-object.js';
import type { Notice } from './notices.js';

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
