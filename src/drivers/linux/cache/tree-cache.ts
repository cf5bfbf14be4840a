import { Deadline, type DesktopError } from '../../../shared/index.js';
import type { Box } from '../../../tree/index.js';
import type { ReadAnswer } from '../../contract/index.js';
import { readRole, ROOT_PATH } from '../atspi/accessible.js';
import type { AppCalls, AppConnection } from '../atspi/app-connection.js';
import type { Apps } from '../atspi/apps.js';
import type { WalkOptions } from '../atspi/walk.js';
import type { Incoming } from '../dbus/message.js';
import { readElement } from '../read/element.js';
import { assertNotExiting, assertNotStopped, withAppErrors, type WindowTree } from '../read/window-tree.js';
import { readWindow, type ReadContext } from '../read/window.js';
import type { XWindow } from '../x11/windows/window.js';
import type { ReadMark } from './app-cache.js';
import { UNWATCHED_MS, isUnwatched, CachedWindow, type ChangeSource } from './cached-window.js';
import { BackgroundRefresh } from './refresh.js';
import { type FreshRead, CacheSelfCheck, type CacheStats } from './self-check.js';

/** With more objects than this, the bounds of an app are dropped. This bounds the memory. */
const MAX_OBJECTS = 10_000;

/**
 * GTK 3 sends the bounds of a widget whenever it lays it out, and those of its ancestors up to the window, even if
 * nothing moved (as long as a client listens to these signals, for example a screen reader). Repeated bounds are
 * ignored.
 */
export class RepeatedBounds {
  private readonly last = new WeakMap<object, Map<string, string>>();

  /** Whether the object sends the same bounds as the last time. `body` is the body of the signal. */
  isRepeat(app: object, path: string, body: readonly unknown[]): boolean {
    let known = this.last.get(app);
    if (!known || known.size >= MAX_OBJECTS) this.last.set(app, (known = new Map<string, string>()));
    const reported = JSON.stringify(body[3]) ?? '';
    const same = reported !== '' && known.get(path) === reported;
    known.set(path, reported);
    return same;
  }

  /** Call this after a gap in which signals were missed. */
  forget(app: object): void {
    this.last.delete(app);
  }
}

/** An inconsistent read is repeated up to this many times in total. */
const MAX_ROUNDS = 3;
const MAX_KNOWN_WINDOWS = 10_000;
const REFRESH_TIMEOUT_MS = 2_000;
/**
 * How far the reported bounds of an element may differ from where it is drawn, in pixels: above, and on the other
 * sides.
 */
const BOUNDS_ERROR = { above: 4, around: 4 };
/** GTK 4 may be off by its shadow. */
const BOUNDS_ERROR_GTK4 = { above: 40, around: 40 };
/** LibreOffice reports positions too high by its menu bar. */
const BOUNDS_ERROR_OFFICE = { above: 40, around: 8 };
const IGNORED_SIGNALS: ReadonlySet<string> = new Set(['TextCaretMoved', 'TextSelectionChanged']);

type ReadOptions = WalkOptions & { fresh?: boolean };
type BusReadContext = Omit<ReadContext, 'callsTo' | 'onTree'>;
type WindowReadContext = Omit<BusReadContext, 'apps'> & { apps?: Apps; noApps?: DesktopError };

/**
 * Reads windows and elements through the cached replies of their apps. Replies that may have changed are read again. If
 * nothing has changed, the last answer is returned as it is.
 */
export class TreeCache {
  readonly stats: CacheStats = { reads: 0, hits: 0, checks: 0, differences: 0 };
  readonly check: CacheSelfCheck;
  private readonly refresher: BackgroundRefresh;
  private readonly windows = new Map<string, CachedWindow>();
  /** Process ids of windows that had a tree, even if their app has left the bus since. */
  private readonly knownPids = new Map<string, number>();
  /** When the cache of an app was last cleared because no changes were reported. */
  private readonly clearedAt = new WeakMap<AppConnection, number>();

  private readonly repeatedBounds = new RepeatedBounds();
  /** The windows of each app at the last read. */
  private readonly windowIds = new WeakMap<AppConnection, string>();

  constructor(
    private readonly watching: ChangeSource & { readonly live: boolean },
    private readonly apps: () => Apps | undefined,
    /** The current window and the context for reading it. Undefined if the window is gone. */
    placed: (id: string, deadline: Deadline) => Promise<{ around: WindowReadContext; window: XWindow } | undefined>,
  ) {
    const readFresh: FreshRead = async (id, options, deadline) => {
      const now = await placed(id, deadline);
      return now && this.readUncached(now.around, now.window, options);
    };
    this.check = new CacheSelfCheck(readFresh, this.stats);
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
    this.stats.reads++;
    const { fresh, full, depth, detail, maxNodes } = options;
    const kind = readKind(options);
    const unchanged = fresh ? undefined : this.cachedAnswer(context, window, kind);
    const answer = unchanged ?? (await this.readWindow(context, window, options));
    const cached = this.windows.get(window.id);
    if (!cached || fresh) return answer;
    if (unchanged) {
      cached.refreshes = 0;
      this.stats.hits++;
      this.check.schedule(window.id, cached, kind);
    }
    cached.lastOptions = { full, depth, detail, maxNodes };
    if (cached.link.cache.hasPending) this.refresher.onActivity(cached.link);
    return answer;
  }

  /**
   * Sends one call to the app of a window that may be answered from the cache. An app that hangs since its last event
   * looks like one that has nothing to do.
   */
  async assertAnswers({ id }: XWindow, deadline: Deadline): Promise<void> {
    const { link, top } = this.windows.get(id) ?? {};
    if (link && top !== undefined) await withAppErrors(link, () => readRole(link.until(deadline), top));
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
    if (tree && link && mark) this.store(context, window, options, { answer, memory: link.cache, mark });
    // The display may no longer know the process of the window.
    if (!tree && this.knownPids.has(window.id))
      await assertNotExiting({ pid: window.pid ?? this.knownPids.get(window.id) });
    // A window appears on the display before its app exposes it.
    if (!tree) link?.cache.invalidate({ type: 'event', path: ROOT_PATH, children: true });
    return answer;
  }

  /** A read without the cache, for comparison. */
  async readUncached(context: WindowReadContext, window: XWindow, options: WalkOptions): ReturnType<FreshRead> {
    const answer = await readWindow(context, window, options);
    return { answer, windowState: windowStateOf(window, context.windows, context.screen) };
  }

  async element(context: BusReadContext, id: string, options: ReadOptions): Promise<ReadAnswer> {
    return (await this.readConsistently(context, options, (readContext) => readElement(readContext, id, options)))
      .answer;
  }

  /** Handles an app's signal that one of its objects has changed. */
  onSignal(incoming: Incoming): void {
    const { sender, path, member } = incoming;
    const link = sender && path ? this.apps()?.knownConnection(sender) : undefined;
    if (!link || IGNORED_SIGNALS.has(member ?? '')) return;
    const isBounds = member === 'BoundsChanged' && link.toolkit.name === 'gtk3';
    if (isBounds && this.repeatedBounds.isRepeat(link, path!, incoming.body())) return;
    link.cache.invalidate({ type: 'event', path: path!, children: member === 'ChildrenChanged' });
    this.refresher.onActivity(link);
  }

  onRedraw(window: XWindow, box: Box): void {
    if (window.pid === undefined) return;
    for (const link of this.apps()?.knownConnections(window.pid) ?? []) {
      const { toolkit, cache: cache } = link;
      this.refresher.onActivity(link);
      if (toolkit.coordinates === 'screen') {
        const margin = toolkit.name === 'libreoffice' ? BOUNDS_ERROR_OFFICE : BOUNDS_ERROR;
        cache.invalidate({ type: 'redraw', box: grown(box, margin) });
        continue;
      }
      // GTK 4 reports coordinates relative to its window. The offset is known for windows that were read, not for
      // menus.
      const shift = this.windows.get(window.id)?.shift;
      const inWindow = shift && { ...box, x: box.x - shift.x, y: box.y - shift.y };
      cache.invalidate(inWindow ? { type: 'redraw', box: grown(inWindow, BOUNDS_ERROR_GTK4) } : { type: 'all' });
    }
  }

  /** From now on changes are not reported. */
  onLost(): void {
    for (const link of this.apps()?.knownConnections() ?? []) {
      link.cache.clear();
      this.repeatedBounds.forget(link);
    }
  }

  /** The cached answer for a window, if nothing that it depends on has changed. */
  private cachedAnswer({ windows, screen }: WindowReadContext, window: XWindow, kind: string): ReadAnswer | undefined {
    const cached = this.windows.get(window.id);
    if (!cached || this.apps()?.knownConnection(cached.link.busName) !== cached.link) return undefined;
    assertNotStopped(window);
    this.prepare(cached.link, windows);
    const answer = cached.answers.get(kind);
    if (!answer || answer.version !== cached.link.cache.version) return undefined;
    if (answer.windowState !== windowStateOf(window, windows, screen)) return undefined;
    return { ...answer.answer, calls: 0 };
  }

  /** Reads, and repeats the read if it mixed replies from before and after a change. */
  private async readConsistently<A extends WindowReadContext>(
    context: A,
    { fresh }: ReadOptions,
    read: (context: A & Pick<ReadContext, 'callsTo'>) => Promise<ReadAnswer>,
  ): Promise<{ answer: ReadAnswer; link?: AppConnection; mark?: ReadMark }> {
    let calls = 0;
    for (let round = 1; ; round++) {
      let link: AppConnection | undefined;
      let mark: ReadMark | undefined;
      const callsTo: NonNullable<ReadContext['callsTo']> = (app, deadline): AppCalls => {
        link = app;
        mark = this.prepare(app, context.windows);
        return app.until(deadline, fresh ? 'refresh' : 'use');
      };
      const answer = await read({ ...context, callsTo });
      calls += answer.calls;
      const inconsistent = link && mark && link.cache.isInconsistent(mark);
      if (!inconsistent) return { answer: { ...answer, calls }, link, mark };
      if (round === MAX_ROUNDS || fresh) return { answer: { ...answer, calls } };
    }
  }

  private prepare(link: AppConnection, windows: readonly XWindow[]): ReadMark {
    const now = performance.now();
    if (!this.watching.live && now - (this.clearedAt.get(link) ?? -Infinity) > UNWATCHED_MS) {
      link.cache.clear();
      this.clearedAt.set(link, now);
    }
    for (const [id, cached] of this.windows) {
      if (cached.link !== link) continue;
      const window = windows.find((candidate) => candidate.id === id);
      if (window) cached.reconcile(window, isUnwatched(window, windows, this.watching, link.toolkit), now);
      else this.dropWindow(id, cached);
    }
    const ids = windows.flatMap(({ id, pid }) => (pid === link.pid ? [id] : [])).join(' ');
    if (ids !== this.windowIds.get(link))
      link.cache.invalidate({ type: 'event', path: ROOT_PATH, children: true }, now);
    this.windowIds.set(link, ids);
    return link.cache.begin(now);
  }

  private dropWindow(id: string, cached: CachedWindow): void {
    this.windows.delete(id);
    cached.link.cache.invalidateWindow(cached.top);
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
    for (const [id, { link }] of this.windows)
      if (apps?.knownConnection(link.busName) !== link) this.windows.delete(id);
  }

  private store(
    { windows, screen }: WindowReadContext,
    window: XWindow,
    { full, depth, detail, maxNodes }: ReadOptions,
    { answer, memory: cache, mark }: { answer: ReadAnswer; memory: AppConnection['cache']; mark: ReadMark },
  ): void {
    if (answer.degraded || !cache.isUndisturbed(mark)) return;
    const windowState = windowStateOf(window, windows, screen);
    const options = { full, depth, detail, maxNodes };
    this.windows.get(window.id)?.store(readKind(options), { answer, options, version: cache.version, windowState });
  }
}

/**
 * Everything else that an answer depends on: the window in the window system, and the app's other windows, including
 * its menus.
 */
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
