import type { Box } from '../../../tree/index.js';
import { boxOf, ROOT_PATH } from '../atspi/accessible.js';
import {
  changesOnRedraw,
  type CachedReply,
  type ReplyKind,
  applyInvalidations,
  replyKindOf,
  CachedObject,
  isPlacement,
} from './cached-object.js';
import { Invalidations, type Invalidation } from './invalidations.js';
import { StateSet } from '../atspi/states.js';

/** More objects than this of one app: all are forgotten, so that memory stays bounded. */
const MAX_OBJECTS = 30_000;

/** A call as it would be sent. */
export interface CachedCall {
  path: string;
  /** Interface, member and arguments, in words. */
  key: string;
  /** The member, or the property that is asked for. */
  member: string;
}

/** How things stood when a read began. */
export interface ReadMark {
  read: number;
  dropCount: number;
  invalidationCount: number;
}

export interface AppCacheOptions {
  busName: string;
  /** Whether an error is the object's own word that it can not say, and not that of the whole app. */
  isObjectError: (error: unknown) => boolean;
  /** How long a notice stays in force. */
  lagMs: number;
  /** Calc makes a new object of a cell at every question, and lets the old ones die. */
  transientCells?: boolean;
}

/**
 * What one app has answered, by object and question. A walk over remembered answers gives the tree that a walk over
 * fresh ones would give, as long as everything that may have changed is forgotten: that is what notices are for.
 */
export class AppCache {
  private readonly objects = new Map<string, CachedObject>();
  private readonly invalidations: Invalidations;
  /** Grows whenever something that was remembered is forgotten. */
  version = 0;
  private reads = 0;
  private invalidationCount = 0;
  /** How often notices made us forget something. */
  private dropCount = 0;
  /** The last read that was given something which turned out, during it, to be from before a change. */
  private inconsistentRead = -1;

  constructor(private readonly options: AppCacheOptions) {
    this.invalidations = new Invalidations(options.lagMs);
  }

  get size(): number {
    return this.objects.size;
  }

  /** The paths of what was above an object when that was last told, from its parent up. */
  ancestorPaths(path: string, max: number): string[] {
    const paths: string[] = [];
    for (const above of this.objects.get(path)?.ancestors() ?? []) {
      if (paths.length >= max) break;
      paths.push(above.path);
    }
    return paths;
  }

  /** What an object is remembered to have been asked, in words. */
  cachedKeys(path: string): string[] {
    return [...(this.objects.get(path)?.replies.keys() ?? [])];
  }

  /** What was noticed and is over is asked once more by the next read. */
  recheckExpired(): void {
    this.invalidations.restoreExpired();
  }

  /** Something that was noticed is still in force. */
  get hasPending(): boolean {
    return !this.invalidations.empty;
  }

  notice(invalidation: Invalidation, now = performance.now()): void {
    this.invalidationCount++;
    if (this.objects.size > 0) this.invalidations.add(invalidation, now);
  }

  /** Before each read: forgets what can not be trusted any more. What is noticed later holds from the next read on. */
  begin(now = performance.now()): ReadMark {
    this.apply(this.invalidations.take(now));
    return { read: ++this.reads, dropCount: this.dropCount, invalidationCount: this.invalidationCount };
  }

  /** A read since `mark` was given answers from before and from after a change: it has to be done again. */
  isInconsistent({ read }: ReadMark): boolean {
    return this.inconsistentRead >= read;
  }

  /** Nothing happened since `mark`. */
  isUndisturbed({ dropCount, invalidationCount }: ReadMark): boolean {
    return this.dropCount === dropCount && this.invalidationCount === invalidationCount;
  }

  clear(): void {
    if (this.objects.size > 0) this.version++;
    this.dropCount++;
    this.objects.clear();
    this.invalidations.clear();
  }

  invalidateWindow(path: string): void {
    this.apply([{ type: 'window', path }]);
  }

  /** The remembered answer, or the one that `send` fetches. `refresh`: in any case that one. */
  ask({ path, key, member }: CachedCall, send: () => Promise<unknown[]>, refresh = false): Promise<unknown[]> {
    const object = this.objectAt(path);
    const cached = refresh ? undefined : object.replies.get(key);
    if (cached) {
      cached.servedInRead = this.reads;
      return cached.reply;
    }
    const entry: CachedReply = { kind: replyKindOf(member), reply: send(), settled: false, servedInRead: -1 };
    object.replies.set(key, entry);
    // What was forgotten while it was on its way is not remembered: it may be from before the change.
    const isCurrent = (): boolean => object.replies.get(key) === entry;
    entry.reply.then(
      ([value]) => {
        entry.settled = true;
        this.updateTree(object, member, value, isCurrent());
        if (isCurrent()) this.update(object, member, entry.kind, value);
      },
      (error: unknown) => {
        entry.settled = true;
        if (!isCurrent()) return;
        if (!this.options.isObjectError(error)) object.replies.delete(key);
        else if (entry.kind === 'states') this.dropAfterDeath(object);
      },
    );
    return entry.reply;
  }

  /** The window of this top-level was moved: what it said of its places since long is moved along. */
  shiftBounds(path: string, by: { x: number; y: number }, since: number): void {
    const top = this.objects.get(path);
    if (!top) return;
    // What was drawn may have been told in the old coordinates or in the new ones.
    this.apply([...this.invalidations.active()]);
    this.version++;
    for (const object of top.subtree()) {
      const { box } = object;
      if (box) object.box = { ...box, x: box.x + by.x, y: box.y + by.y };
      for (const [key, reply] of object.replies) {
        if (reply.kind !== 'extents') continue;
        if (!reply.settled || object.boxReadAt >= since) object.replies.delete(key);
        else if (object.box) reply.reply = Promise.resolve([valuesOf(object.box)]);
      }
    }
    this.notice({ type: 'moved', path, since });
  }

  private objectAt(path: string): CachedObject {
    let object = this.objects.get(path);
    if (object) return object;
    if (this.objects.size >= MAX_OBJECTS) this.clear();
    object = new CachedObject(path);
    this.objects.set(path, object);
    return object;
  }

  private apply(invalidations: readonly Invalidation[]): void {
    if (invalidations.length > 0) this.countDrops(applyInvalidations(this.objects, invalidations));
  }

  private countDrops(dropped: Iterable<number | undefined>): void {
    let any = false;
    for (const read of dropped) any ||= read !== undefined;
    if (!any) return;
    this.version++;
    this.dropCount++;
  }

  /** The shape of the tree holds also when the answer itself is not to be remembered. */
  private updateTree(object: CachedObject, member: string, value: unknown, isCurrent: boolean): void {
    if (member === 'GetChildren') {
      const addresses = Array.isArray(value) ? value.map((address) => this.pathIn(address)) : [];
      const paths = new Set(addresses.filter((path) => path !== undefined));
      if (isCurrent) for (const child of object.children) if (!paths.has(child.path)) this.remove(object, child);
      for (const path of paths) object.adopt(this.objectAt(path));
    } else if (replyKindOf(member) === 'child') {
      const path = this.pathIn(value);
      const child = path === undefined ? undefined : this.objectAt(path);
      if (child && !child.parent) object.adopt(child);
    } else if (member === 'Parent' && !object.parent) {
      const path = this.pathIn((value as { value?: unknown } | undefined)?.value);
      if (path !== undefined) this.objectAt(path).adopt(object);
    }
  }

  /** Of an address in this app. */
  private pathIn(address: unknown): string | undefined {
    const [busName, path] = (Array.isArray(address) ? address : []) as unknown[];
    return busName === this.options.busName && typeof path === 'string' ? path : undefined;
  }

  /** An answer that differs from the last one shows that other answers can not be right any more. */
  private update(object: CachedObject, member: string, kind: ReplyKind, value: unknown): void {
    if (kind === 'extents') this.updateBox(object, boxOf(value));
    else if (kind === 'states') this.updateStates(object, value);
    else if (kind === 'count') {
      const count = (value as { value?: unknown } | undefined)?.value;
      if (object.count !== undefined && object.count !== count) this.dropAfterDifference(object, kind);
      object.count = typeof count === 'number' ? count : undefined;
    } else if (member === 'GetRole' && typeof value === 'number') object.role = value;
  }

  private updateBox(object: CachedObject, box: Box | undefined): void {
    const before = object.box;
    const isFirst = object.boxReadAt === -Infinity;
    object.box = box;
    object.boxReadAt = performance.now();
    if (!isFirst && !isSame(before, box)) this.dropAfterDifference(object, 'extents');
  }

  private updateStates(object: CachedObject, value: unknown): void {
    const before = object.states;
    object.states = Array.isArray(value) ? value.join(' ') : '';
    const bits = StateSet.from(value);
    object.focused = bits.has('focused');
    if (before === undefined || before === object.states) return;
    this.dropAfterDifference(object, 'states');
    if (bits.empty || bits.has('defunct')) this.dropAfterDeath(object);
  }

  /** It is not as it was: what else it said is from before, and what is in it may lie elsewhere or be hidden. */
  private dropAfterDifference(object: CachedObject, changed: ReplyKind): void {
    this.markInconsistent(object.drop((kind) => kind !== changed && changesOnRedraw(kind)));
    for (const child of object.children) this.markInconsistent(child.drop(isPlacement));
  }

  /** Whoever still lists it said so before it died. */
  private dropAfterDeath({ parent }: CachedObject): void {
    if (!parent || parent.path === ROOT_PATH) return;
    this.markInconsistent(parent.drop(changesOnRedraw));
    if (!this.options.transientCells) return;
    for (const child of parent.children) if (child.children.size === 0) this.remove(parent, child);
  }

  private markInconsistent(servedInRead: number | undefined): void {
    if (servedInRead === undefined) return;
    this.version++;
    this.inconsistentRead = Math.max(this.inconsistentRead, servedInRead);
  }

  private remove(parent: CachedObject, child: CachedObject): void {
    parent.children.delete(child);
    child.parent = undefined;
    for (const { path } of child.subtree()) this.objects.delete(path);
  }
}

function valuesOf({ x, y, width, height }: Box): number[] {
  return [x, y, width, height];
}

function isSame(a: Box | undefined, b: Box | undefined): boolean {
  return a?.x === b?.x && a?.y === b?.y && a?.width === b?.width && a?.height === b?.height;
}
