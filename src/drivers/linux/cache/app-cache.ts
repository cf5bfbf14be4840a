import type { Box } from '../../../tree/index.js';
import { boxOf, ROOT_PATH } from '../atspi/accessible.js';
import { drawn, type Fact, type FactKind, forgetNoticed, kindOf, MemoryObject, placed } from './cached-object.js';
import { Notices, type Notice } from './invalidations.js';
import { StateSet } from '../atspi/states.js';

/** More objects than this of one app: all are forgotten, so that memory stays bounded. */
const MOST_OBJECTS = 30_000;

/** A call as it would be sent. */
export interface Question {
  path: string;
  /** Interface, member and arguments, in words. */
  key: string;
  /** The member, or the property that is asked for. */
  word: string;
}

/** How things stood when a read began. */
export interface Mark {
  read: number;
  forgotten: number;
  heard: number;
}

export interface MemoryOptions {
  busName: string;
  /** Whether an error is the object's own word that it can not say, and not that of the whole app. */
  cannotSay: (error: unknown) => boolean;
  /** How long a notice stays in force. */
  lagMs: number;
  /** Calc makes a new object of a cell at every question, and lets the old ones die. */
  passingCells?: boolean;
}

/**
 * What one app has answered, by object and question. A walk over remembered answers gives the tree that a walk over
 * fresh ones would give, as long as everything that may have changed is forgotten: that is what notices are for.
 */
export class AppMemory {
  private readonly objects = new Map<string, MemoryObject>();
  private readonly notices: Notices;
  /** Grows whenever something that was remembered is forgotten. */
  version = 0;
  private reads = 0;
  private heard = 0;
  /** How often notices made us forget something. */
  private forgotten = 0;
  /** The last read that was given something which turned out, during it, to be from before a change. */
  private tornRead = -1;

  constructor(private readonly options: MemoryOptions) {
    this.notices = new Notices(options.lagMs);
  }

  get size(): number {
    return this.objects.size;
  }

  /** The paths of what was above an object when that was last told, from its parent up. */
  pathsAbove(path: string, most: number): string[] {
    const paths: string[] = [];
    for (const above of this.objects.get(path)?.ancestors() ?? []) {
      if (paths.length >= most) break;
      paths.push(above.path);
    }
    return paths;
  }

  /** What an object is remembered to have been asked, in words. */
  keysOf(path: string): string[] {
    return [...(this.objects.get(path)?.facts.keys() ?? [])];
  }

  /** What was noticed and is over is asked once more by the next read. */
  doubtOnceMore(): void {
    this.notices.onceMore();
  }

  /** Something that was noticed is still in force. */
  get unrested(): boolean {
    return !this.notices.empty;
  }

  notice(notice: Notice, now = performance.now()): void {
    this.heard++;
    if (this.objects.size > 0) this.notices.add(notice, now);
  }

  /** Before each read: forgets what can not be trusted any more. What is noticed later holds from the next read on. */
  begin(now = performance.now()): Mark {
    this.apply(this.notices.take(now));
    return { read: ++this.reads, forgotten: this.forgotten, heard: this.heard };
  }

  /** A read since `mark` was given answers from before and from after a change: it has to be done again. */
  isTorn({ read }: Mark): boolean {
    return this.tornRead >= read;
  }

  /** Nothing happened since `mark`. */
  isQuiet({ forgotten, heard }: Mark): boolean {
    return this.forgotten === forgotten && this.heard === heard;
  }

  forgetAll(): void {
    if (this.objects.size > 0) this.version++;
    this.forgotten++;
    this.objects.clear();
    this.notices.clear();
  }

  forgetWindow(path: string): void {
    this.apply([{ type: 'window', path }]);
  }

  /** The remembered answer, or the one that `send` fetches. `refresh`: in any case that one. */
  ask({ path, key, word }: Question, send: () => Promise<unknown[]>, refresh = false): Promise<unknown[]> {
    const object = this.at(path);
    const known = refresh ? undefined : object.facts.get(key);
    if (known) {
      known.givenIn = this.reads;
      return known.answer;
    }
    const fact: Fact = { kind: kindOf(word), answer: send(), settled: false, givenIn: -1 };
    object.facts.set(key, fact);
    // What was forgotten while it was on its way is not remembered: it may be from before the change.
    const isCurrent = (): boolean => object.facts.get(key) === fact;
    fact.answer.then(
      ([value]) => {
        fact.settled = true;
        this.learnShape(object, word, value, isCurrent());
        if (isCurrent()) this.learn(object, word, fact.kind, value);
      },
      (error: unknown) => {
        fact.settled = true;
        if (!isCurrent()) return;
        if (!this.options.cannotSay(error)) object.facts.delete(key);
        else if (fact.kind === 'states') this.died(object);
      },
    );
    return fact.answer;
  }

  /** The window of this top-level was moved: what it said of its places since long is moved along. */
  shift(path: string, by: { x: number; y: number }, since: number): void {
    const top = this.objects.get(path);
    if (!top) return;
    // What was drawn may have been told in the old coordinates or in the new ones.
    this.apply([...this.notices.now()]);
    this.version++;
    for (const object of top.subtree()) {
      const { box } = object;
      if (box) object.box = { ...box, x: box.x + by.x, y: box.y + by.y };
      for (const [key, fact] of object.facts) {
        if (fact.kind !== 'extents') continue;
        if (!fact.settled || object.boxAt >= since) object.facts.delete(key);
        else if (object.box) fact.answer = Promise.resolve([valuesOf(object.box)]);
      }
    }
    this.notice({ type: 'moved', path, since });
  }

  private at(path: string): MemoryObject {
    let object = this.objects.get(path);
    if (object) return object;
    if (this.objects.size >= MOST_OBJECTS) this.forgetAll();
    object = new MemoryObject(path);
    this.objects.set(path, object);
    return object;
  }

  private apply(notices: readonly Notice[]): void {
    if (notices.length > 0) this.noted(forgetNoticed(this.objects, notices));
  }

  private noted(forgotten: Iterable<number | undefined>): void {
    let any = false;
    for (const one of forgotten) any ||= one !== undefined;
    if (!any) return;
    this.version++;
    this.forgotten++;
  }

  /** The shape of the tree holds also when the answer itself is not to be remembered. */
  private learnShape(object: MemoryObject, word: string, value: unknown, isCurrent: boolean): void {
    if (word === 'GetChildren') {
      const addresses = Array.isArray(value) ? value.map((one) => this.pathIn(one)) : [];
      const paths = new Set(addresses.filter((path) => path !== undefined));
      if (isCurrent) for (const child of object.children) if (!paths.has(child.path)) this.remove(object, child);
      for (const path of paths) object.adopt(this.at(path));
    } else if (kindOf(word) === 'child') {
      const path = this.pathIn(value);
      const child = path === undefined ? undefined : this.at(path);
      if (child && !child.parent) object.adopt(child);
    } else if (word === 'Parent' && !object.parent) {
      const path = this.pathIn((value as { value?: unknown } | undefined)?.value);
      if (path !== undefined) this.at(path).adopt(object);
    }
  }

  /** Of an address in this app. */
  private pathIn(address: unknown): string | undefined {
    const [busName, path] = (Array.isArray(address) ? address : []) as unknown[];
    return busName === this.options.busName && typeof path === 'string' ? path : undefined;
  }

  /** An answer that differs from the last one shows that other answers can not be right any more. */
  private learn(object: MemoryObject, word: string, kind: FactKind, value: unknown): void {
    if (kind === 'extents') this.learnBox(object, boxOf(value));
    else if (kind === 'states') this.learnStates(object, value);
    else if (kind === 'count') {
      const count = (value as { value?: unknown } | undefined)?.value;
      if (object.count !== undefined && object.count !== count) this.differs(object, kind);
      object.count = typeof count === 'number' ? count : undefined;
    } else if (word === 'GetRole' && typeof value === 'number') object.role = value;
  }

  private learnBox(object: MemoryObject, box: Box | undefined): void {
    const before = object.box;
    const isFirst = object.boxAt === -Infinity;
    object.box = box;
    object.boxAt = performance.now();
    if (!isFirst && !isSame(before, box)) this.differs(object, 'extents');
  }

  private learnStates(object: MemoryObject, value: unknown): void {
    const before = object.states;
    object.states = Array.isArray(value) ? value.join(' ') : '';
    const bits = StateSet.from(value);
    object.focused = bits.has('focused');
    if (before === undefined || before === object.states) return;
    this.differs(object, 'states');
    if (bits.empty || bits.has('defunct')) this.died(object);
  }

  /** It is not as it was: what else it said is from before, and what is in it may lie elsewhere or be hidden. */
  private differs(object: MemoryObject, known: FactKind): void {
    this.tear(object.forget((kind) => kind !== known && drawn(kind)));
    for (const child of object.children) this.tear(child.forget(placed));
  }

  /** Whoever still lists it said so before it died. */
  private died({ parent }: MemoryObject): void {
    if (!parent || parent.path === ROOT_PATH) return;
    this.tear(parent.forget(drawn));
    if (!this.options.passingCells) return;
    for (const child of parent.children) if (child.children.size === 0) this.remove(parent, child);
  }

  private tear(givenIn: number | undefined): void {
    if (givenIn === undefined) return;
    this.version++;
    this.tornRead = Math.max(this.tornRead, givenIn);
  }

  private remove(parent: MemoryObject, child: MemoryObject): void {
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
