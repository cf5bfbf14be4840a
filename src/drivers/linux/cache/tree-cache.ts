import { Deadline, type DesktopError } from '../../../shared/index.js';
import type { Box } from '../../../tree/index.js';
import type { ReadAnswer } from '../../contract/index.js';
import { ROOT_PATH } from '../atspi/accessible.js';
import type { AppCalls, AppLink } from '../atspi/app-connection.js';
import type { Apps } from '../atspi/apps.js';
import type { WalkOptions } from '../atspi/walk.js';
import type { Incoming } from '../dbus/index.js';
import { readElement } from '../read/element.js';
import { assertNotExiting, assertNotStopped, type WindowTree } from '../read/window-tree.js';
import { readWindow, type Surroundings } from '../read/window.js';
import type { XWindow } from '../x11/index.js';
import type { ReadMark } from './app-cache.js';
import { UNWATCHED_MS, isUnwatched, CachedWindow, type Watching } from './cached-window.js';
import { BackgroundRefresh } from './refresh.js';
import { type FreshRead, CacheSelfCheck, type CacheStats } from './self-check.js';

/** More objects than this of one app: all are forgotten, so that memory stays bounded. */
const MAX_OBJECTS = 10_000;

/**
 * GTK 3 tells a widget's place whenever it lays it out, all the way up to the window, also when everything stays where it
 * was (as long as somebody listens to that, a screen reader for instance). What it said before is no news.
 */
export class RepeatedBounds {
  private readonly last = new WeakMap<object, Map<string, string>>();

  /** Whether the object says again what it said the last time. `body` of the signal. */
  isRepeat(app: object, path: string, body: readonly unknown[]): boolean {
    let known = this.last.get(app);
    if (!known || known.size >= MAX_OBJECTS) this.last.set(app, (known = new Map<string, string>()));
    const reported = JSON.stringify(body[3]) ?? '';
    const same = reported !== '' && known.get(path) === reported;
    known.set(path, reported);
    return same;
  }

  /** What was said meanwhile was not heard. */
  forget(app: object): void {
    this.last.delete(app);
  }
}

/** A read whose answers do not fit together is done again so often. */
const MAX_ROUNDS = 3;
const MAX_KNOWN_WINDOWS = 10_000;
const REFRESH_TIMEOUT_MS = 2_000;
/** How far from where it is drawn an element may say that it is, in pixels: above and to the other sides. */
const BOUNDS_ERROR = { above: 4, around: 4 };
/** By its shadow. */
const BOUNDS_ERROR_GTK4 = { above: 40, around: 40 };
/** Too high by its menu bar. */
const BOUNDS_ERROR_OFFICE = { above: 40, around: 8 };
const IGNORED_SIGNALS: ReadonlySet<string> = new Set(['TextCaretMoved', 'TextSelectionChanged']);

type ReadOptions = WalkOptions & { fresh?: boolean };
type BusReadContext = Omit<Surroundings, 'callsTo' | 'onTree'>;
type WindowReadContext = Omit<BusReadContext, 'apps'> & { apps?: Apps; noApps?: DesktopError };

/**
 * Reads through what the apps have said before. What may have changed since is asked again; where nothing has, the
 * last answer is given as it is.
 */
export class WarmReads {
  readonly numbers: CacheStats = { reads: 0, hits: 0, checks: 0, differences: 0 };
  readonly check: CacheSelfCheck;
  private readonly refresher: BackgroundRefresh;
  private readonly windows = new Map<string, CachedWindow>();
  /** Process ids of windows that had a tree once, also when their app has left the bus since. */
  private readonly knownPids = new Map<string, number>();
  /** When an app was forgotten for want of anybody who tells of changes. */
  private readonly clearedAt = new WeakMap<AppLink, number>();

  private readonly repeatedBounds = new RepeatedBounds();
  /** Which windows each app had at the last read. */
  private readonly windowIds = new WeakMap<AppLink, string>();

  constructor(
    private readonly watching: Watching & { readonly live: boolean },
    private readonly apps: () => Apps | undefined,
    /** The window as it is now, with all that a read of it starts from; undefined when it is gone. */
    placed: (id: string, deadline: Deadline) => Promise<{ around: WindowReadContext; window: XWindow } | undefined>,
  ) {
    const readFresh: FreshRead = async (id, options, deadline) => {
      const now = await placed(id, deadline);
      return now && this.readUncached(now.around, now.window, options);
    };
    this.check = new CacheSelfCheck(readFresh, this.numbers);
    this.refresher = new BackgroundRefresh(
      () => this.windows,
      async (id, { lastOptions }) => {
        const now = lastOptions && (await placed(id, Deadline.in(REFRESH_TIMEOUT_MS)));
        if (now && !this.cachedAnswer(now.around, now.window, readKind(lastOptions)))
          await this.readWindow(now.around, now.window, lastOptions);
      },
    );
  }

  async window(context: WindowReadContext, window: XWindow, options: ReadOptions): Promise<ReadAnswer> {
    this.numbers.reads++;
    const { fresh, full, depth, detail, maxNodes } = options;
    const kind = readKind(options);
    const unchanged = fresh ? undefined : this.cachedAnswer(context, window, kind);
    const answer = unchanged ?? (await this.readWindow(context, window, options));
    const cached = this.windows.get(window.id);
    if (!cached || fresh) return answer;
    if (unchanged) {
      cached.refreshes = 0;
      this.numbers.hits++;
      this.check.schedule(window.id, cached, kind);
    }
    cached.lastOptions = { full, depth, detail, maxNodes };
    if (cached.link.memory.hasPending) this.refresher.onActivity(cached.link);
    return answer;
  }

  close(): void {
    this.check.close();
    this.refresher.close();
  }

  private async readWindow(context: WindowReadContext, window: XWindow, options: ReadOptions): Promise<ReadAnswer> {
    let tree: WindowTree | undefined;
    const { answer, link, mark } = await this.readConsistently(context, options, (readContext) =>
      readWindow({ ...readContext, onTree: (found) => (tree = this.onTree(found, context.windows)) }, window, options),
    );
    if (tree && link && mark) this.store(context, window, options, { answer, memory: link.memory, mark });
    // The display may have forgotten whose it is already.
    if (!tree && this.knownPids.has(window.id))
      await assertNotExiting({ pid: window.pid ?? this.knownPids.get(window.id) });
    // A window is on the display before its app tells of it.
    if (!tree) link?.memory.notice({ type: 'event', path: ROOT_PATH, children: true });
    return answer;
  }

  /** Past all memory, to compare with. */
  async readUncached(context: WindowReadContext, window: XWindow, options: WalkOptions): ReturnType<FreshRead> {
    const answer = await readWindow(context, window, options);
    return { answer, windowState: windowStateOf(window, context.windows, context.screen) };
  }

  async element(context: BusReadContext, id: string, options: ReadOptions): Promise<ReadAnswer> {
    return (await this.readConsistently(context, options, (readContext) => readElement(readContext, id, options)))
      .answer;
  }

  /** An app's own word that something happened to one of its objects. */
  signal(incoming: Incoming): void {
    const { sender, path, member } = incoming;
    const link = sender && path ? this.apps()?.knownLink(sender) : undefined;
    if (!link || IGNORED_SIGNALS.has(member ?? '')) return;
    const isBounds = member === 'BoundsChanged' && link.toolkit.name === 'gtk3';
    if (isBounds && this.repeatedBounds.isRepeat(link, path!, incoming.body())) return;
    link.memory.notice({ type: 'event', path: path!, children: member === 'ChildrenChanged' });
    this.refresher.onActivity(link);
  }

  drawing(window: XWindow, box: Box): void {
    if (window.pid === undefined) return;
    for (const link of this.apps()?.knownLinks(window.pid) ?? []) {
      const { toolkit, memory: cache } = link;
      this.refresher.onActivity(link);
      if (toolkit.coordinates === 'screen') {
        const margin = toolkit.name === 'libreoffice' ? BOUNDS_ERROR_OFFICE : BOUNDS_ERROR;
        cache.notice({ type: 'drawn', box: grown(box, margin) });
        continue;
      }
      // It counts from its window; where that lies is known of windows that were read, not of its menus.
      const shift = this.windows.get(window.id)?.shift;
      const inWindow = shift && { ...box, x: box.x - shift.x, y: box.y - shift.y };
      cache.notice(inWindow ? { type: 'drawn', box: grown(inWindow, BOUNDS_ERROR_GTK4) } : { type: 'all' });
    }
  }

  /** Whatever happens now is not told. */
  lost(): void {
    for (const link of this.apps()?.knownLinks() ?? []) {
      link.memory.clear();
      this.repeatedBounds.forget(link);
    }
  }

  /** All that was kept of a window, when nothing that matters to it has changed. */
  private cachedAnswer({ windows, screen }: WindowReadContext, window: XWindow, kind: string): ReadAnswer | undefined {
    const cached = this.windows.get(window.id);
    if (!cached || this.apps()?.knownLink(cached.link.busName) !== cached.link) return undefined;
    assertNotStopped(window);
    this.prepare(cached.link, windows);
    const answer = cached.answers.get(kind);
    if (!answer || answer.version !== cached.link.memory.version) return undefined;
    if (answer.windowState !== windowStateOf(window, windows, screen)) return undefined;
    return { ...answer.answer, calls: 0 };
  }

  /** Reads, once more where the answers turned out to be from before and after a change. */
  private async readConsistently<A extends WindowReadContext>(
    context: A,
    { fresh }: ReadOptions,
    read: (context: A & Pick<Surroundings, 'callsTo'>) => Promise<ReadAnswer>,
  ): Promise<{ answer: ReadAnswer; link?: AppLink; mark?: ReadMark }> {
    let calls = 0;
    for (let round = 1; ; round++) {
      let link: AppLink | undefined;
      let mark: ReadMark | undefined;
      const callsTo: NonNullable<Surroundings['callsTo']> = (app, deadline): AppCalls => {
        link = app;
        mark = this.prepare(app, context.windows);
        return app.until(deadline, fresh ? 'refresh' : 'use');
      };
      const answer = await read({ ...context, callsTo });
      calls += answer.calls;
      const inconsistent = link && mark && link.memory.isInconsistent(mark);
      if (!inconsistent) return { answer: { ...answer, calls }, link, mark };
      if (round === MAX_ROUNDS || fresh) return { answer: { ...answer, calls } };
    }
  }

  private prepare(link: AppLink, windows: readonly XWindow[]): ReadMark {
    const now = performance.now();
    if (!this.watching.live && now - (this.clearedAt.get(link) ?? -Infinity) > UNWATCHED_MS) {
      link.memory.clear();
      this.clearedAt.set(link, now);
    }
    for (const [id, cached] of this.windows) {
      if (cached.link !== link) continue;
      const window = windows.find((candidate) => candidate.id === id);
      if (window) cached.reconcile(window, isUnwatched(window, windows, this.watching, link.toolkit), now);
      else this.dropWindow(id, cached);
    }
    const ids = windows.flatMap(({ id, pid }) => (pid === link.pid ? [id] : [])).join(' ');
    if (ids !== this.windowIds.get(link)) link.memory.notice({ type: 'event', path: ROOT_PATH, children: true }, now);
    this.windowIds.set(link, ids);
    return link.memory.begin(now);
  }

  private dropWindow(id: string, cached: CachedWindow): void {
    this.windows.delete(id);
    cached.link.memory.invalidateWindow(cached.top);
  }

  private onTree(tree: WindowTree, windows: readonly XWindow[]): WindowTree {
    const { window, calls, place } = tree;
    if (this.knownPids.size >= MAX_KNOWN_WINDOWS) this.knownPids.clear();
    this.knownPids.set(window.id, calls.app.pid);
    const cached = this.windows.get(window.id);
    if (cached?.isFor(tree)) cached.shift = place.shift;
    else {
      const unwatched = isUnwatched(window, windows, this.watching, calls.app.toolkit);
      this.windows.set(window.id, new CachedWindow(tree, unwatched, performance.now()));
      this.dropEnded();
    }
    return tree;
  }

  private dropEnded(): void {
    const apps = this.apps();
    for (const [id, { link }] of this.windows) if (apps?.knownLink(link.busName) !== link) this.windows.delete(id);
  }

  private store(
    { windows, screen }: WindowReadContext,
    window: XWindow,
    { full, depth, detail, maxNodes }: ReadOptions,
    { answer, memory: cache, mark }: { answer: ReadAnswer; memory: AppLink['memory']; mark: ReadMark },
  ): void {
    if (answer.degraded || !cache.isUndisturbed(mark)) return;
    const windowState = windowStateOf(window, windows, screen);
    const options = { full, depth, detail, maxNodes };
    this.windows.get(window.id)?.store(readKind(options), { answer, options, version: cache.version, windowState });
  }
}

/** What else an answer depends on: the window as the system sees it, and the app's others, its menus among them. */
function windowStateOf(window: XWindow, windows: readonly XWindow[], screen: Box | undefined): string {
  return JSON.stringify([window.id, windows.filter((other) => other.pid === window.pid), screen]);
}

function readKind({ full, depth, detail, maxNodes }: ReadOptions): string {
  return `${full === true} ${depth} ${detail === true} ${maxNodes}`;
}

function grown({ x, y, width, height }: Box, margin: typeof BOUNDS_ERROR): Box {
  return {
    x: x - margin.around,
    y: y - margin.above,
    width: width + 2 * margin.around,
    height: height + margin.above + margin.around,
  };
}
