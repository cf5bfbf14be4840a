import { Deadline, type DesktopError } from '../../../shared/index.js';
import type { Box } from '../../../tree/index.js';
import type { ReadAnswer } from '../../contract/index.js';
import { ROOT_PATH } from '../atspi/accessible.js';
import type { AppCalls, AppLink } from '../atspi/app-connection.js';
import type { Apps } from '../atspi/apps.js';
import type { WalkOptions } from '../atspi/walk.js';
import type { Incoming } from '../dbus/index.js';
import { readElement } from '../read/element.js';
import { refuseEnding, refuseStopped, type WindowTree } from '../read/window-tree.js';
import { readWindow, type Surroundings } from '../read/window.js';
import type { XWindow } from '../x11/index.js';
import type { Mark } from './app-cache.js';
import { DOUBT_MS, isDoubtful, WarmWindow, type Watching } from './cached-window.js';
import { WarmAgain } from './refresh.js';
import { type FreshRead, WarmCheck, type WarmNumbers } from './self-check.js';

/** More objects than this of one app: all are forgotten, so that memory stays bounded. */
const MOST_OBJECTS = 10_000;

/**
 * GTK 3 tells a widget's place whenever it lays it out, all the way up to the window, also when everything stays where it
 * was (as long as somebody listens to that, a screen reader for instance). What it said before is no news.
 */
export class ToldBounds {
  private readonly last = new WeakMap<object, Map<string, string>>();

  /** Whether the object says again what it said the last time. `body` of the signal. */
  repeats(app: object, path: string, body: readonly unknown[]): boolean {
    let known = this.last.get(app);
    if (!known || known.size >= MOST_OBJECTS) this.last.set(app, (known = new Map<string, string>()));
    const told = JSON.stringify(body[3]) ?? '';
    const same = told !== '' && known.get(path) === told;
    known.set(path, told);
    return same;
  }

  /** What was said meanwhile was not heard. */
  forget(app: object): void {
    this.last.delete(app);
  }
}

/** A read whose answers do not fit together is done again so often. */
const ROUNDS = 3;
const MOST_TOLD = 10_000;
const AGAIN_MS = 2_000;
/** How far from where it is drawn an element may say that it is, in pixels: above and to the other sides. */
const OFF = { above: 4, around: 4 };
/** By its shadow. */
const OFF_GTK4 = { above: 40, around: 40 };
/** Too high by its menu bar. */
const OFF_OFFICE = { above: 40, around: 8 };
const SILENT_SIGNALS: ReadonlySet<string> = new Set(['TextCaretMoved', 'TextSelectionChanged']);

type ReadOptions = WalkOptions & { fresh?: boolean };
type Around = Omit<Surroundings, 'callsTo' | 'onTree'>;
type AroundWindow = Omit<Around, 'apps'> & { apps?: Apps; noApps?: DesktopError };

/**
 * Reads through what the apps have said before. What may have changed since is asked again; where nothing has, the
 * last answer is given as it is.
 */
export class WarmReads {
  readonly numbers: WarmNumbers = { looks: 0, warm: 0, checks: 0, differences: 0 };
  readonly check: WarmCheck;
  private readonly again: WarmAgain;
  private readonly windows = new Map<string, WarmWindow>();
  /** Process ids of windows that had a tree once, also when their app has left the bus since. */
  private readonly told = new Map<string, number>();
  /** When an app was forgotten for want of anybody who tells of changes. */
  private readonly forgotten = new WeakMap<AppLink, number>();

  private readonly bounds = new ToldBounds();
  /** Which windows each app had at the last read. */
  private readonly ids = new WeakMap<AppLink, string>();

  constructor(
    private readonly watching: Watching & { readonly live: boolean },
    private readonly apps: () => Apps | undefined,
    /** The window as it is now, with all that a read of it starts from; undefined when it is gone. */
    placed: (id: string, deadline: Deadline) => Promise<{ around: AroundWindow; window: XWindow } | undefined>,
  ) {
    const fresh: FreshRead = async (id, options, deadline) => {
      const now = await placed(id, deadline);
      return now && this.past(now.around, now.window, options);
    };
    this.check = new WarmCheck(fresh, this.numbers);
    this.again = new WarmAgain(
      () => this.windows,
      async (id, { looked }) => {
        const now = looked && (await placed(id, Deadline.in(AGAIN_MS)));
        if (now && !this.unchanged(now.around, now.window, kindOf(looked)))
          await this.readWindow(now.around, now.window, looked);
      },
    );
  }

  async window(around: AroundWindow, window: XWindow, options: ReadOptions): Promise<ReadAnswer> {
    this.numbers.looks++;
    const { fresh, full, depth, detail, maxNodes } = options;
    const kind = kindOf(options);
    const unchanged = fresh ? undefined : this.unchanged(around, window, kind);
    const answer = unchanged ?? (await this.readWindow(around, window, options));
    const warm = this.windows.get(window.id);
    if (!warm || fresh) return answer;
    if (unchanged) {
      warm.readAgain = 0;
      this.numbers.warm++;
      this.check.schedule(window.id, warm, kind);
    }
    warm.looked = { full, depth, detail, maxNodes };
    if (warm.link.memory.unrested) this.again.noticed(warm.link);
    return answer;
  }

  close(): void {
    this.check.close();
    this.again.close();
  }

  private async readWindow(around: AroundWindow, window: XWindow, options: ReadOptions): Promise<ReadAnswer> {
    let tree: WindowTree | undefined;
    const { answer, link, mark } = await this.untorn(around, options, (with_) =>
      readWindow({ ...with_, onTree: (found) => (tree = this.met(found, around.windows)) }, window, options),
    );
    if (tree && link && mark) this.keep(around, window, options, { answer, memory: link.memory, mark });
    // The display may have forgotten whose it is already.
    if (!tree && this.told.has(window.id)) await refuseEnding({ pid: window.pid ?? this.told.get(window.id) });
    // A window is on the display before its app tells of it.
    if (!tree) link?.memory.notice({ type: 'event', path: ROOT_PATH, children: true });
    return answer;
  }

  /** Past all memory, to compare with. */
  async past(around: AroundWindow, window: XWindow, options: WalkOptions): ReturnType<FreshRead> {
    const answer = await readWindow(around, window, options);
    return { answer, situation: situationOf(window, around.windows, around.screen) };
  }

  async element(around: Around, id: string, options: ReadOptions): Promise<ReadAnswer> {
    return (await this.untorn(around, options, (with_) => readElement(with_, id, options))).answer;
  }

  /** An app's own word that something happened to one of its objects. */
  signal(incoming: Incoming): void {
    const { sender, path, member } = incoming;
    const link = sender && path ? this.apps()?.knownLink(sender) : undefined;
    if (!link || SILENT_SIGNALS.has(member ?? '')) return;
    const isPlace = member === 'BoundsChanged' && link.toolkit.name === 'gtk3';
    if (isPlace && this.bounds.repeats(link, path!, incoming.body())) return;
    link.memory.notice({ type: 'event', path: path!, children: member === 'ChildrenChanged' });
    this.again.noticed(link);
  }

  drawing(window: XWindow, box: Box): void {
    if (window.pid === undefined) return;
    for (const link of this.apps()?.knownLinks(window.pid) ?? []) {
      const { toolkit, memory } = link;
      this.again.noticed(link);
      if (toolkit.coordinates === 'screen') {
        const off = toolkit.name === 'libreoffice' ? OFF_OFFICE : OFF;
        memory.notice({ type: 'drawn', box: grown(box, off) });
        continue;
      }
      // It counts from its window; where that lies is known of windows that were read, not of its menus.
      const shift = this.windows.get(window.id)?.shift;
      const inWindow = shift && { ...box, x: box.x - shift.x, y: box.y - shift.y };
      memory.notice(inWindow ? { type: 'drawn', box: grown(inWindow, OFF_GTK4) } : { type: 'all' });
    }
  }

  /** Whatever happens now is not told. */
  lost(): void {
    for (const link of this.apps()?.knownLinks() ?? []) {
      link.memory.forgetAll();
      this.bounds.forget(link);
    }
  }

  /** All that was kept of a window, when nothing that matters to it has changed. */
  private unchanged({ windows, screen }: AroundWindow, window: XWindow, kind: string): ReadAnswer | undefined {
    const warm = this.windows.get(window.id);
    if (!warm || this.apps()?.knownLink(warm.link.busName) !== warm.link) return undefined;
    refuseStopped(window);
    this.prepare(warm.link, windows);
    const kept = warm.answers.get(kind);
    if (!kept || kept.version !== warm.link.memory.version) return undefined;
    if (kept.situation !== situationOf(window, windows, screen)) return undefined;
    return { ...kept.answer, calls: 0 };
  }

  /** Reads, once more where the answers turned out to be from before and after a change. */
  private async untorn<A extends AroundWindow>(
    around: A,
    { fresh }: ReadOptions,
    read: (around: A & Pick<Surroundings, 'callsTo'>) => Promise<ReadAnswer>,
  ): Promise<{ answer: ReadAnswer; link?: AppLink; mark?: Mark }> {
    let calls = 0;
    for (let round = 1; ; round++) {
      let link: AppLink | undefined;
      let mark: Mark | undefined;
      const callsTo: NonNullable<Surroundings['callsTo']> = (app, deadline): AppCalls => {
        link = app;
        mark = this.prepare(app, around.windows);
        return app.until(deadline, fresh ? 'refresh' : 'use');
      };
      const answer = await read({ ...around, callsTo });
      calls += answer.calls;
      const torn = link && mark && link.memory.isTorn(mark);
      if (!torn) return { answer: { ...answer, calls }, link, mark };
      if (round === ROUNDS || fresh) return { answer: { ...answer, calls } };
    }
  }

  private prepare(link: AppLink, windows: readonly XWindow[]): Mark {
    const now = performance.now();
    if (!this.watching.live && now - (this.forgotten.get(link) ?? -Infinity) > DOUBT_MS) {
      link.memory.forgetAll();
      this.forgotten.set(link, now);
    }
    for (const [id, warm] of this.windows) {
      if (warm.link !== link) continue;
      const window = windows.find((one) => one.id === id);
      if (window) warm.reconcile(window, isDoubtful(window, windows, this.watching, link.toolkit), now);
      else this.closed(id, warm);
    }
    const ids = windows.flatMap(({ id, pid }) => (pid === link.pid ? [id] : [])).join(' ');
    if (ids !== this.ids.get(link)) link.memory.notice({ type: 'event', path: ROOT_PATH, children: true }, now);
    this.ids.set(link, ids);
    return link.memory.begin(now);
  }

  private closed(id: string, warm: WarmWindow): void {
    this.windows.delete(id);
    warm.link.memory.forgetWindow(warm.top);
  }

  private met(tree: WindowTree, windows: readonly XWindow[]): WindowTree {
    const { window, calls, place } = tree;
    if (this.told.size >= MOST_TOLD) this.told.clear();
    this.told.set(window.id, calls.app.pid);
    const warm = this.windows.get(window.id);
    if (warm?.fits(tree)) warm.shift = place.shift;
    else {
      const doubtful = isDoubtful(window, windows, this.watching, calls.app.toolkit);
      this.windows.set(window.id, new WarmWindow(tree, doubtful, performance.now()));
      this.forgetEnded();
    }
    return tree;
  }

  private forgetEnded(): void {
    const apps = this.apps();
    for (const [id, { link }] of this.windows) if (apps?.knownLink(link.busName) !== link) this.windows.delete(id);
  }

  private keep(
    { windows, screen }: AroundWindow,
    window: XWindow,
    { full, depth, detail, maxNodes }: ReadOptions,
    { answer, memory, mark }: { answer: ReadAnswer; memory: AppLink['memory']; mark: Mark },
  ): void {
    if (answer.degraded || !memory.isQuiet(mark)) return;
    const situation = situationOf(window, windows, screen);
    const options = { full, depth, detail, maxNodes };
    this.windows.get(window.id)?.keep(kindOf(options), { answer, options, version: memory.version, situation });
  }
}

/** What else an answer depends on: the window as the system sees it, and the app's others, its menus among them. */
function situationOf(window: XWindow, windows: readonly XWindow[], screen: Box | undefined): string {
  return JSON.stringify([window.id, windows.filter((other) => other.pid === window.pid), screen]);
}

function kindOf({ full, depth, detail, maxNodes }: ReadOptions): string {
  return `${full === true} ${depth} ${detail === true} ${maxNodes}`;
}

function grown({ x, y, width, height }: Box, off: typeof OFF): Box {
  return {
    x: x - off.around,
    y: y - off.above,
    width: width + 2 * off.around,
    height: height + off.above + off.around,
  };
}
