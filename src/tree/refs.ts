import type { Element, Node } from './element.js';
import { mayBeSamePlace, type Place, walkItems } from './item-walk.js';
import { textOfItem } from './items.js';
import type { RefLookup, RefRecord } from './ref-record.js';
import type { Role } from './roles/roles.js';
import type { WindowInfo, WindowNode } from './snapshot.js';

/** At most about 60 MB, and far more than any caller uses. */
const MOST_RECORDS = 200_000;

/** One read of the desktop, described by what it proves. */
export interface Look {
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

interface Live {
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
  look: number;
  bornAt: number;
}

/** An element that disappeared, kept while a similar new element may be mistaken for it. */
interface Vanished extends Pick<Live, 'ref' | 'windowId' | 'role' | 'name'> {
  at: number;
}

const LATELY_MS = 2_000;
const MOST_VANISHED = 500;

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
  private readonly records = new Map<string, Live>();
  private readonly elements = new Map<string, Live>();
  private readonly windows = new Map<string, Live>();
  /** Root elements of windows, by their element id. */
  private readonly roots = new Map<string, Live>();
  private readonly inWindow = new Map<string, Set<Live>>();
  private lastElement = 0;
  private lastWindow = 0;
  private looks = 0;

  private readonly lately: Vanished[] = [];

  constructor(
    private readonly most: number = MOST_RECORDS,
    private readonly now: () => number = Date.now,
  ) {}

  get size(): number {
    return this.records.size;
  }

  /** The highest numbers assigned so far. */
  get given(): { elements: number; windows: number } {
    return { elements: this.lastElement, windows: this.lastWindow };
  }

  /** Continues after the refs that the previous owner of this desktop assigned; those are stale. */
  goOnAfter({ elements, windows }: { elements: number; windows: number }): void {
    [this.lastElement, this.lastWindow] = [elements, windows];
  }

  adoptWindow(window: WindowNode, snapshot: string): string {
    return this.window(window, snapshot, ++this.looks).ref;
  }

  /** The complete list of windows: windows that are not in it are missing from now on. */
  adoptWindows(windows: readonly WindowNode[], snapshot: string): WindowInfo[] {
    const look = ++this.looks;
    const adopted = windows.map((window) => ({ ...window, ref: this.window(window, snapshot, look).ref }));
    for (const record of this.windows.values()) if (record.look !== look) this.windowGone(record.id, snapshot);
    return adopted.map(({ of, ...window }) => {
      const owner = of === undefined ? undefined : this.windows.get(of)?.ref;
      return owner === undefined ? window : { ...window, of: owner };
    });
  }

  adopt(root: Node, windowId: string, look: Look): Element {
    const number = ++this.looks;
    const top = look.root === 'window' ? this.windowOfRoot(root, windowId, look, number) : undefined;
    const adopted = walkItems<Element>(root, look.root === 'window', (node, place, parent) => {
      const known = node === root && top ? top : (this.rootRecord(node) ?? this.element(node, place, windowId, look));
      known.look = number;
      known.goneSince = undefined;
      if (look.shown !== false) {
        known.seenIn = look.snapshot;
        if (known.ref.startsWith('e')) known.name = node.name;
      }
      const element: Element = { ...node, ref: known.ref, children: [] };
      parent?.children.push(element);
      return element;
    });
    if (look.whole) this.markMissing(windowId, number, look.snapshot);
    this.forgetOldest(number);
    return adopted;
  }

  get(ref: string): RefRecord | undefined {
    const record = this.records.get(ref);
    return record && view(record);
  }

  lookup(ref: string): RefLookup {
    const record = this.get(ref);
    if (!record) return this.wasGiven(ref) ? { state: 'stale' } : { state: 'never' };
    if (record.stale) return { state: 'stale', record };
    return { state: record.goneSince === undefined ? 'here' : 'missing', record };
  }

  /** A caller saw the element in some other output than a snapshot. */
  told({ ref, name }: Pick<Element, 'ref' | 'name'>, snapshot: string): void {
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
  reborn(ref: string): boolean {
    const record = this.records.get(ref);
    const since = this.now() - LATELY_MS;
    if (!record || record.bornAt < since) return false;
    return this.lately.some(
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
    if (record) this.vanish(record, snapshot);
  }

  windowGone(windowId: string, snapshot: string): void {
    const window = this.windows.get(windowId);
    if (window) window.goneSince ??= snapshot;
    for (const record of this.inWindow.get(windowId) ?? []) this.vanish(record, snapshot);
  }

  /**
   * Erases what was in this window, because callers may no longer know it: its refs become stale and their texts are
   * deleted.
   */
  forgetInside(windowId: string, snapshot: string): void {
    for (const record of [...(this.inWindow.get(windowId) ?? [])]) {
      this.kill(record, snapshot);
      record.name = undefined;
      record.place = NO_PLACE;
    }
    this.lately.splice(0, this.lately.length, ...this.lately.filter((gone) => gone.windowId !== windowId));
  }

  private window(window: WindowNode, snapshot: string, look: number): Live {
    let record = this.windows.get(window.id);
    // Window ids are reused; a window of another process is another window.
    if (record && record.pid !== undefined && window.pid !== undefined && record.pid !== window.pid) {
      this.windowGone(window.id, snapshot);
      for (const inside of [...(this.inWindow.get(window.id) ?? [])]) this.kill(inside, snapshot);
      this.kill(record, snapshot);
      record = undefined;
    }
    record ??= this.newWindow(window.id, window.role, snapshot);
    Object.assign(record, { role: window.role, name: window.title, app: window.app, seenIn: snapshot, look });
    if (window.pid !== undefined) record.pid = window.pid;
    record.goneSince = undefined;
    return record;
  }

  private newWindow(id: string, role: Role, snapshot: string): Live {
    const record = this.newRecord(`w${++this.lastWindow}`, id, id, role, NO_PLACE, snapshot);
    this.windows.set(id, record);
    return record;
  }

  private windowOfRoot(root: Node, windowId: string, look: Look, number: number): Live {
    const record = this.windows.get(windowId) ?? this.newWindow(windowId, root.role, look.snapshot);
    record.name ??= root.name;
    record.look = number;
    this.roots.set(root.id, record);
    return record;
  }

  private rootRecord(node: Node): Live | undefined {
    const record = this.roots.get(node.id);
    return record && !record.stale ? record : undefined;
  }

  private element(node: Node, place: Place, windowId: string, look: Look): Live {
    const known = this.elements.get(node.id);
    if (known) {
      if (known.role === node.role && mayBeSamePlace(known.place, place)) {
        if (saysMore(place, known.place)) known.place = place;
        this.moveTo(windowId, known);
        return known;
      }
      this.kill(known, look.snapshot);
    }
    const ref = `e${++this.lastElement}`;
    const record = this.newRecord(ref, node.id, windowId, node.role, place, look.snapshot);
    record.name = node.name;
    this.elements.set(node.id, record);
    this.moveTo(windowId, record);
    return record;
  }

  private newRecord(ref: string, id: string, windowId: string, role: Role, place: Place, snapshot: string): Live {
    const seen = { firstSeenIn: snapshot, seenIn: snapshot };
    const record: Live = {
      ref,
      id,
      windowId,
      role,
      place,
      ...seen,
      stale: false,
      look: this.looks,
      bornAt: this.now(),
    };
    this.records.set(ref, record);
    return record;
  }

  private moveTo(windowId: string, record: Live): void {
    if (record.windowId !== windowId) this.inWindow.get(record.windowId)?.delete(record);
    record.windowId = windowId;
    let inside = this.inWindow.get(windowId);
    if (!inside) this.inWindow.set(windowId, (inside = new Set()));
    inside.add(record);
  }

  private kill(record: Live, snapshot: string): void {
    record.stale = true;
    this.vanish(record, snapshot);
    this.unlink(record);
  }

  private unlink(record: Live): void {
    if (this.elements.get(record.id) === record) this.elements.delete(record.id);
    if (this.windows.get(record.id) === record) this.windows.delete(record.id);
    const inside = this.inWindow.get(record.windowId);
    inside?.delete(record);
    if (inside?.size === 0) this.inWindow.delete(record.windowId);
  }

  private markMissing(windowId: string, look: number, snapshot: string): void {
    for (const record of this.inWindow.get(windowId) ?? []) {
      if (record.look !== look) this.vanish(record, snapshot);
    }
  }

  private vanish(record: Live, snapshot: string): void {
    if (record.goneSince !== undefined) return;
    record.goneSince = snapshot;
    const { ref, windowId, role, name } = record;
    this.lately.push({ ref, windowId, role, name, at: this.now() });
    if (this.lately.length > MOST_VANISHED) this.lately.splice(0, MOST_VANISHED / 2);
  }

  /** A forgotten ref still counts as assigned: it is reported as stale and never assigned again. */
  private forgetOldest(look: number): void {
    if (this.records.size <= this.most) return;
    const old = [...this.records.values()].filter((record) => record.look !== look && !this.isOpenWindow(record));
    old.sort((a, b) => a.look - b.look);
    for (const record of old.slice(0, this.records.size - Math.floor(this.most * 0.9))) {
      this.records.delete(record.ref);
      this.unlink(record);
    }
    for (const [id, record] of this.roots) if (!this.records.has(record.ref)) this.roots.delete(id);
  }

  private isOpenWindow(record: Live): boolean {
    return record.ref.startsWith('w') && !record.stale && record.goneSince === undefined;
  }

  private wasGiven(ref: string): boolean {
    const number = Number(ref.slice(1));
    if (!Number.isInteger(number) || number < 1) return false;
    return number <= (ref.startsWith('w') ? this.lastWindow : ref.startsWith('e') ? this.lastElement : 0);
  }
}

function saysMore(now: Place, before: Place): boolean {
  if (now.open !== before.open) return before.open;
  const unsure = (place: Place): number => place.items.filter((item) => item.partial).length;
  return now.items.length >= before.items.length && unsure(now) < unsure(before);
}

function view(record: Live): RefRecord {
  const { ref, id, windowId, role, name, app, firstSeenIn, seenIn, goneSince, stale } = record;
  const item = record.place.items.at(-1);
  return {
    ...{ ref, id, windowId, role, name, app, firstSeenIn, seenIn, goneSince, stale },
    ...(item && { item: { id: item.id, role: item.role, name: item.name, text: textOfItem(item) } }),
  };
}
