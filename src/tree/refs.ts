import type { Element, Node } from './element.js';
import { mayBeSamePlace, type Place, walkItems, textOfItem } from './items.js';
import type { RefLookup, RefRecord } from './ref-record.js';
import type { Role } from './roles/roles.js';
import type { WindowInfo, WindowNode } from './snapshot.js';

/** At most about 60 MB, and far more than any caller uses. */
const MAX_RECORDS = 200_000;

/** One read of the desktop, described by what can be concluded from it. */
export interface TreeRead {
  /** Id of the snapshot that it becomes. */
  snapshot: string;
  /** What `root` is. A window's root element has the window's ref. */
  root: 'window' | 'element';
  /**
   * Everything visible in the window was read, so absent elements are gone. False after a truncated or degraded read.
   */
  whole?: boolean;
  /** False for internal snapshots that no caller sees: they do not change what the caller knows. */
  shown?: boolean;
}

interface Entry {
  ref: string;
  id: string;
  windowId: string;
  role: Role;
  name?: string;
  app?: string;
  pid?: number;
  place: Place;
  firstSeenIn: string;
  seenIn: string;
  goneSince?: string;
  stale: boolean;
  /** Number of the last read that contained it. */
  lastRead: number;
  bornAt: number;
}

/** An element that disappeared, kept while a similar new element may be mistaken for it. */
interface Vanished extends Pick<Entry, 'ref' | 'windowId' | 'role' | 'name'> {
  at: number;
}

const RECENT_MS = 2_000;
const MAX_VANISHED = 500;

const NO_PLACE: Place = { items: [], open: false };

/**
 * Assigns refs to elements and keeps what each ref refers to. A ref stands for the driver's id, the role and, inside
 * items, the item's text. If any of these changes, the old ref is stale and a new one is assigned. No ref is ever
 * assigned twice.
 *
 * An element that is read alone proves nothing about the item around it. Before acting on a ref, read `proofOf(ref)`,
 * adopt the result, and look for the ref in it.
 */
export class Refs {
  private readonly records = new Map<string, Entry>();
  private readonly elements = new Map<string, Entry>();
  private readonly windows = new Map<string, Entry>();
  /** Root elements of windows, by their element id. */
  private readonly roots = new Map<string, Entry>();
  private readonly inWindow = new Map<string, Set<Entry>>();
  private lastElement = 0;
  private lastWindow = 0;
  private reads = 0;

  private readonly recentlyVanished: Vanished[] = [];

  constructor(
    private readonly most: number = MAX_RECORDS,
    private readonly now: () => number = Date.now,
  ) {}

  get size(): number {
    return this.records.size;
  }

  /** The highest numbers assigned so far. */
  get lastNumbers(): { elements: number; windows: number } {
    return { elements: this.lastElement, windows: this.lastWindow };
  }

  /** Continues after the refs that the previous owner of this desktop assigned; those are stale. */
  continueFrom({ elements, windows }: { elements: number; windows: number }): void {
    [this.lastElement, this.lastWindow] = [elements, windows];
  }

  adoptWindow(window: WindowNode, snapshot: string): string {
    return this.window(window, snapshot, ++this.reads).ref;
  }

  /** The complete list of windows: windows that are not in it are missing from now on. */
  adoptWindows(windows: readonly WindowNode[], snapshot: string): WindowInfo[] {
    const read = ++this.reads;
    const adopted = windows.map((window) => ({ ...window, ref: this.window(window, snapshot, read).ref }));
    for (const record of this.windows.values()) if (record.lastRead !== read) this.windowGone(record.id, snapshot);
    return adopted.map(({ of, ...window }) => {
      const owner = of === undefined ? undefined : this.windows.get(of)?.ref;
      return owner === undefined ? window : { ...window, of: owner };
    });
  }

  adopt(root: Node, windowId: string, read: TreeRead): Element {
    const number = ++this.reads;
    const top = read.root === 'window' ? this.windowOfRoot(root, windowId, read, number) : undefined;
    const adopted = walkItems<Element>(root, read.root === 'window', (node, place, parent) => {
      const known = node === root && top ? top : (this.rootRecord(node) ?? this.element(node, place, windowId, read));
      known.lastRead = number;
      known.goneSince = undefined;
      if (read.shown !== false) {
        known.seenIn = read.snapshot;
        if (known.ref.startsWith('e')) known.name = node.name;
      }
      const element: Element = { ...node, ref: known.ref, children: [] };
      parent?.children.push(element);
      return element;
    });
    if (read.whole) this.markUnseen(windowId, number, read.snapshot);
    this.forgetOldest(number);
    return adopted;
  }

  get(ref: string): RefRecord | undefined {
    const record = this.records.get(ref);
    return record && toRecord(record);
  }

  lookup(ref: string): RefLookup {
    const record = this.get(ref);
    if (!record) return this.wasAssigned(ref) ? { state: 'stale' } : { state: 'never' };
    if (record.stale) return { state: 'stale', record };
    return { state: record.goneSince === undefined ? 'here' : 'missing', record };
  }

  /** A caller saw the element in some other output than a snapshot. */
  markSeen({ ref, name }: Pick<Element, 'ref' | 'name'>, snapshot: string): void {
    const record = ref.startsWith('e') ? this.records.get(ref) : undefined;
    if (record) Object.assign(record, { name, seenIn: snapshot });
  }

  /** The id to read to check that `ref` still refers to the same element: its outermost item, or itself. */
  proofOf(ref: string): string | undefined {
    const record = this.records.get(ref);
    return record && (record.place.items[0]?.id ?? record.id);
  }

  /**
   * Whether this is a new element similar to one that just disappeared. To the user it may be the same thing or
   * another.
   */
  isRecreated(ref: string): boolean {
    const record = this.records.get(ref);
    const since = this.now() - RECENT_MS;
    if (!record || record.bornAt < since) return false;
    return this.recentlyVanished.some(
      (gone) =>
        gone.at >= since &&
        // It may only have been out of view itself; then it is not a new element.
        gone.ref !== ref &&
        gone.windowId === record.windowId &&
        gone.role === record.role &&
        gone.name === record.name,
    );
  }

  /** The window in which an element, by its driver's id, was last seen. */
  windowOf(id: string): string | undefined {
    return this.elements.get(id)?.windowId;
  }

  /** The driver reports that this element no longer exists. */
  gone(id: string, snapshot: string): void {
    const record = this.elements.get(id);
    if (record) this.markGone(record, snapshot);
  }

  windowGone(windowId: string, snapshot: string): void {
    const window = this.windows.get(windowId);
    if (window) window.goneSince ??= snapshot;
    for (const record of this.inWindow.get(windowId) ?? []) this.markGone(record, snapshot);
  }

  /**
   * Erases what was in this window, because callers may no longer know it: its refs become stale and their texts are
   * deleted.
   */
  eraseWindow(windowId: string, snapshot: string): void {
    for (const record of [...(this.inWindow.get(windowId) ?? [])]) {
      this.makeStale(record, snapshot);
      record.name = undefined;
      record.place = NO_PLACE;
    }
    this.recentlyVanished.splice(
      0,
      this.recentlyVanished.length,
      ...this.recentlyVanished.filter((gone) => gone.windowId !== windowId),
    );
  }

  private window(window: WindowNode, snapshot: string, read: number): Entry {
    let record = this.windows.get(window.id);
    // Window ids are reused; a window of another process is another window.
    if (record && record.pid !== undefined && window.pid !== undefined && record.pid !== window.pid) {
      this.windowGone(window.id, snapshot);
      for (const inside of [...(this.inWindow.get(window.id) ?? [])]) this.makeStale(inside, snapshot);
      this.makeStale(record, snapshot);
      record = undefined;
    }
    record ??= this.newWindow(window.id, window.role, snapshot);
    Object.assign(record, { role: window.role, name: window.title, app: window.app, seenIn: snapshot, lastRead: read });
    if (window.pid !== undefined) record.pid = window.pid;
    record.goneSince = undefined;
    return record;
  }

  private newWindow(id: string, role: Role, snapshot: string): Entry {
    const record = this.newRecord(`w${++this.lastWindow}`, id, id, role, NO_PLACE, snapshot);
    this.windows.set(id, record);
    return record;
  }

  private windowOfRoot(root: Node, windowId: string, read: TreeRead, number: number): Entry {
    const record = this.windows.get(windowId) ?? this.newWindow(windowId, root.role, read.snapshot);
    record.name ??= root.name;
    record.lastRead = number;
    this.roots.set(root.id, record);
    return record;
  }

  private rootRecord(node: Node): Entry | undefined {
    const record = this.roots.get(node.id);
    return record && !record.stale ? record : undefined;
  }

  private element(node: Node, place: Place, windowId: string, read: TreeRead): Entry {
    const known = this.elements.get(node.id);
    if (known) {
      if (known.role === node.role && mayBeSamePlace(known.place, place)) {
        if (isMoreComplete(place, known.place)) known.place = place;
        this.moveTo(windowId, known);
        return known;
      }
      this.makeStale(known, read.snapshot);
    }
    const ref = `e${++this.lastElement}`;
    const record = this.newRecord(ref, node.id, windowId, node.role, place, read.snapshot);
    record.name = node.name;
    this.elements.set(node.id, record);
    this.moveTo(windowId, record);
    return record;
  }

  private newRecord(ref: string, id: string, windowId: string, role: Role, place: Place, snapshot: string): Entry {
    const seen = { firstSeenIn: snapshot, seenIn: snapshot };
    const record: Entry = {
      ref,
      id,
      windowId,
      role,
      place,
      ...seen,
      stale: false,
      lastRead: this.reads,
      bornAt: this.now(),
    };
    this.records.set(ref, record);
    return record;
  }

  private moveTo(windowId: string, record: Entry): void {
    if (record.windowId !== windowId) this.inWindow.get(record.windowId)?.delete(record);
    record.windowId = windowId;
    let inside = this.inWindow.get(windowId);
    if (!inside) this.inWindow.set(windowId, (inside = new Set()));
    inside.add(record);
  }

  private makeStale(record: Entry, snapshot: string): void {
    record.stale = true;
    this.markGone(record, snapshot);
    this.unlink(record);
  }

  private unlink(record: Entry): void {
    if (this.elements.get(record.id) === record) this.elements.delete(record.id);
    if (this.windows.get(record.id) === record) this.windows.delete(record.id);
    const inside = this.inWindow.get(record.windowId);
    inside?.delete(record);
    if (inside?.size === 0) this.inWindow.delete(record.windowId);
  }

  private markUnseen(windowId: string, read: number, snapshot: string): void {
    for (const record of this.inWindow.get(windowId) ?? []) {
      if (record.lastRead !== read) this.markGone(record, snapshot);
    }
  }

  private markGone(record: Entry, snapshot: string): void {
    if (record.goneSince !== undefined) return;
    record.goneSince = snapshot;
    const { ref, windowId, role, name } = record;
    this.recentlyVanished.push({ ref, windowId, role, name, at: this.now() });
    if (this.recentlyVanished.length > MAX_VANISHED) this.recentlyVanished.splice(0, MAX_VANISHED / 2);
  }

  /** A forgotten ref still counts as assigned: it is reported as stale and never assigned again. */
  private forgetOldest(read: number): void {
    if (this.records.size <= this.most) return;
    const old = [...this.records.values()].filter((record) => record.lastRead !== read && !this.isOpenWindow(record));
    old.sort((a, b) => a.lastRead - b.lastRead);
    for (const record of old.slice(0, this.records.size - Math.floor(this.most * 0.9))) {
      this.records.delete(record.ref);
      this.unlink(record);
    }
    for (const [id, record] of this.roots) if (!this.records.has(record.ref)) this.roots.delete(id);
  }

  private isOpenWindow(record: Entry): boolean {
    return record.ref.startsWith('w') && !record.stale && record.goneSince === undefined;
  }

  private wasAssigned(ref: string): boolean {
    const number = Number(ref.slice(1));
    if (!Number.isInteger(number) || number < 1) return false;
    return number <= (ref.startsWith('w') ? this.lastWindow : ref.startsWith('e') ? this.lastElement : 0);
  }
}

function isMoreComplete(now: Place, before: Place): boolean {
  if (now.open !== before.open) return before.open;
  const unsure = (place: Place): number => place.items.filter((item) => item.partial).length;
  return now.items.length >= before.items.length && unsure(now) < unsure(before);
}

function toRecord(record: Entry): RefRecord {
  const { ref, id, windowId, role, name, app, firstSeenIn, seenIn, goneSince, stale } = record;
  const item = record.place.items.at(-1);
  return {
    ...{ ref, id, windowId, role, name, app, firstSeenIn, seenIn, goneSince, stale },
    ...(item && { item: { id: item.id, role: item.role, name: item.name, text: textOfItem(item) } }),
  };
}
