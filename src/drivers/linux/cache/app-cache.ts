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

/** With more objects than this, the cache of an app is cleared. This bounds the memory. */
const MAX_OBJECTS = 30_000;

/** A call to an object of the app. */
interface CachedCall {
  path: string;
  /** Interface, member and arguments as text. */
  key: string;
  /** The method, or the property that is read. */
  member: string;
}

/** State of the cache at the start of a read. */
export interface ReadMark {
  read: number;
  dropCount: number;
  invalidationCount: number;
}

interface AppCacheOptions {
  busName: string;
  /** Whether an error means that this object cannot answer, as opposed to an error of the whole app. */
  isObjectError: (error: unknown) => boolean;
  /** How long an invalidation stays active. */
  lagMs: number;
  /** Calc creates a new object for a cell at every query, and the old objects die. */
  transientCells?: boolean;
}

/**
 * Cached replies of one app by object and call. A walk over cached replies returns the same tree as a walk over fresh
 * ones, as long as every reply that may have changed is dropped. Invalidations do that.
 */
export class AppCache {
  private readonly objects = new Map<string, CachedObject>();
  private readonly invalidations: Invalidations;
  /** Increases whenever cached replies are dropped. */
  version = 0;
  private reads = 0;
  private invalidationCount = 0;
  /** How often invalidations dropped replies. */
  private dropCount = 0;
  /** The last read that was served a reply which turned out, during the read, to be older than a change. */
  private inconsistentRead = -1;

  constructor(private readonly options: AppCacheOptions) {
    this.invalidations = new Invalidations(options.lagMs);
  }

  get size(): number {
    return this.objects.size;
  }

  /** Paths of the last known ancestors of an object, from its parent up. */
  ancestorPaths(path: string, max: number): string[] {
    const paths: string[] = [];
    for (const ancestor of this.objects.get(path)?.ancestors() ?? []) {
      if (paths.length >= max) break;
      paths.push(ancestor.path);
    }
    return paths;
  }

  /** The cached calls of an object. */
  cachedKeys(path: string): string[] {
    return [...(this.objects.get(path)?.replies.keys() ?? [])];
  }

  /** Applies expired invalidations once more in the next read. */
  recheckExpired(): void {
    this.invalidations.restoreExpired();
  }

  /** Whether invalidations are still active. */
  get hasPending(): boolean {
    return !this.invalidations.empty;
  }

  invalidate(invalidation: Invalidation, now = performance.now()): void {
    this.invalidationCount++;
    if (this.objects.size > 0) this.invalidations.add(invalidation, now);
  }

  /**
   * Call before each read: drops replies that can no longer be trusted. Later invalidations apply from the next read
   * on.
   */
  begin(now = performance.now()): ReadMark {
    this.apply(this.invalidations.take(now));
    return { read: ++this.reads, dropCount: this.dropCount, invalidationCount: this.invalidationCount };
  }

  /** Whether a read since `mark` mixed replies from before and after a change. Then it must be repeated. */
  isInconsistent({ read }: ReadMark): boolean {
    return this.inconsistentRead >= read;
  }

  /** Whether nothing was invalidated or dropped since `mark`. */
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

  /** The cached reply, or the reply of `send`. With `refresh` always the latter. */
  ask({ path, key, member }: CachedCall, send: () => Promise<unknown[]>, refresh = false): Promise<unknown[]> {
    const object = this.objectAt(path);
    const cached = refresh ? undefined : object.replies.get(key);
    if (cached) {
      cached.servedInRead = this.reads;
      return cached.reply;
    }
    const entry: CachedReply = { kind: replyKindOf(member), reply: send(), settled: false, servedInRead: -1 };
    object.replies.set(key, entry);
    // A reply that was invalidated while it was pending is not cached: it may be older than the change.
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

  /** The window of this top-level was moved: shifts the cached bounds that were read before `since`. */
  shiftBounds(path: string, by: { x: number; y: number }, since: number): void {
    const top = this.objects.get(path);
    if (!top) return;
    // Pending redraws may be in the old coordinates or in the new ones.
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
    this.invalidate({ type: 'moved', path, since });
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

  /** The shape of the tree is updated even when the reply itself is not cached. */
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

  /** The path of an address, if it belongs to this app. */
  private pathIn(address: unknown): string | undefined {
    const [busName, path] = (Array.isArray(address) ? address : []) as unknown[];
    return busName === this.options.busName && typeof path === 'string' ? path : undefined;
  }

  /** A reply that differs from the last one shows that other replies are outdated. */
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

  /** The object has changed: its other replies are outdated, and its children may have moved or become hidden. */
  private dropAfterDifference(object: CachedObject, changed: ReplyKind): void {
    this.markInconsistent(object.drop((kind) => kind !== changed && changesOnRedraw(kind)));
    for (const child of object.children) this.markInconsistent(child.drop(isPlacement));
  }

  /** A parent that still lists a dead object answered before the object died. */
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
