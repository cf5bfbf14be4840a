import { setTimeout as pause } from 'node:timers/promises';
import { Deadline, DesktopError } from '../../shared/index.js';
import { boundingBox, type Box, type Point } from '../../tree/index.js';
import {
  ActCheckpoints,
  type ActOptions,
  type ActStep,
  type CallOptions,
  type CheckpointDecision,
  type Caret,
  type HitTestOptions,
  type TreeSync,
  type Clipboard,
  type Driver,
  type DriverDescription,
  type EventStream,
  type Finding,
  type Found,
  type PatternAct,
  type PatternAnswer,
  type Screenshot,
  type CaptureArea,
  type ScreenshotOptions,
  type RangeAnswer,
  type RangeRequest,
  type ReadAnswer,
  type ReadOptions,
  type ReadScope,
  type TextAnswer,
  type WindowAnswer,
  type WindowChange,
  type WindowsAnswer,
} from '../contract/index.js';
import { capabilitiesOf, type DriverParts, NO_SCREENSHOT } from './capabilities.js';
import { ActionConnections } from './act/connections.js';
import { performAction } from './act/perform-action.js';
import { readElementCaret } from './act/by-text.js';
import { processState } from './processes.js';
import type { Apps } from './atspi/apps.js';
import { idOf, parseElementId } from './atspi/accessible.js';
import { findAtPoint } from './read/hit-test.js';
import { BusReconnector } from './events/reconnect.js';
import { busWindows, type BusWindows } from './read/window-tree.js';
import { capture } from './capture/index.js';
import { XClipboard } from './clipboard/clipboard.js';
import { LazyInputDevice } from './input/input-device.js';
import { watchUserInput } from './input/user-input.js';
import { examineSession } from './doctor.js';
import { RecentDrawings, RecentFocus } from './events/recent-activity.js';
import { readElementText } from './read/element.js';
import { EventHub } from './events/hub.js';
import { findFocused } from './read/focus.js';
import { readKeyBindings } from './read/key-bindings.js';
import { readPages } from './read/pages.js';
import { readRange } from './read/range.js';
import { reportCacheStats } from './cache/self-check.js';
import { TreeCache } from './cache/tree-cache.js';
import { windowNode } from './read/window.js';
import { changeWindow } from './window-control/change-window.js';
import type { XDisplay } from './x11/display.js';
import type { XWindow } from './x11/windows/window.js';

const VERSION = '1';
const DEFAULT_MAX_NODES = 5000;
const MAX_OWNERS = 10_000;
const RECONNECT_MS = 5000;
const KEY_ANSWERS_MS = 2000;
const INPUT_PENDING = 'the app has not processed all input yet';

export class LinuxDriver implements Driver {
  private readonly closing = new AbortController();
  /** The owner of each window, to distinguish a closed window from an app that died. */
  private readonly owners = new Map<string, { pid: number; app: string }>();

  private readonly hub: EventHub;
  private readonly treeCache: TreeCache;
  private readonly recentDrawings = new RecentDrawings();
  private readonly recentFocus = new RecentFocus();
  private readonly reconnector: BusReconnector;
  private actionConnections?: ActionConnections;
  private readonly checkpoints = new ActCheckpoints();
  private placesInProgress?: Promise<[XWindow[], Box | undefined]>;
  private readonly xClipboard?: XClipboard;
  readonly input?: LazyInputDevice;
  readonly userInput?: Driver['userInput'];
  readonly lost?: Promise<string>;

  constructor(private readonly parts: DriverParts) {
    const { display, env } = parts;
    this.openActionConnections();
    if (display) this.lost = new Promise((resolve) => display.onLost(({ message }) => resolve(message)));
    if (display) this.xClipboard = new XClipboard(env);
    if (display) {
      this.input = new LazyInputDevice(env, this.checkpoints, {
        focusChanges: () => this.recentFocus.changes,
        waitForKeyAnswers: async () => (await this.parts.apps?.waitForKeyAnswers(Deadline.in(KEY_ANSWERS_MS))) ?? false,
      });
    }
    if (display) {
      this.userInput = ({ signal, ...options }) =>
        watchUserInput(env, { ...options, signal: AbortSignal.any([signal, this.closing.signal]) });
    }
    this.reconnector = new BusReconnector(parts, () => {
      this.openActionConnections();
      void this.hub.start(true);
    });
    this.hub = new EventHub(parts, {
      onSignal: (incoming) => {
        this.treeCache.onSignal(incoming);
        this.recentFocus.signal(incoming);
      },
      onDrawing: (window, box) => {
        this.treeCache.onRedraw(window, box);
        if (window.pid !== undefined) this.recentDrawings.record(window.pid, box);
      },
      onLost: () => this.treeCache.onLost(),
      ensureBus: () => this.reconnector.ensureConnected(Deadline.in(RECONNECT_MS)),
    });
    const apps = (): Apps | undefined => this.parts.apps;
    this.treeCache = new TreeCache(this.hub, apps, async (id, deadline) => {
      const [context] = await Promise.all([this.readContext(deadline), this.hub.settle()]);
      const window = context.windows.find((candidate) => candidate.id === id);
      return window && { around: context, window };
    });
  }

  /** Resolves when all later events will be received. */
  start(): Promise<void> {
    return this.hub.start();
  }

  describe(): DriverDescription {
    const { noDisplay, noApps, env } = this.parts;
    const lost = this.reconnector.lost ? this.reconnector.error : undefined;
    const capabilities = capabilitiesOf({ noDisplay, noApps, lost, wayland: Boolean(env.WAYLAND_DISPLAY) });
    return { kind: 'linux', name: 'linux-atspi', version: VERSION, capabilities };
  }

  async windows({ deadline }: CallOptions): Promise<WindowsAnswer> {
    const [{ windows, unresponsive: silent }, titles] = await Promise.all([
      this.allWindows(deadline),
      deadline.race(this.hub.titlesSoFar(), 'Listing the windows'),
    ]);
    const degraded = silent > 0 && { reason: `${silent} ${silent === 1 ? 'app does' : 'apps do'} not answer` };
    const passed = titles();
    return {
      windows: windows.map(windowNode),
      ...(passed.length > 0 && { passed }),
      ...(degraded && { degraded }),
    };
  }

  async read(scope: ReadScope, options: ReadOptions): Promise<ReadAnswer> {
    const { deadline } = options;
    const { idGeneration } = this.parts;
    const walk = { ...options, maxNodes: options.maxNodes ?? DEFAULT_MAX_NODES };
    void this.hub.start();
    const [context] = await Promise.all([this.readContext(deadline), this.hub.settle()]);
    if ('element' in scope) {
      const apps = await this.apps(deadline);
      return idGeneration.publicAnswer(
        await this.treeCache.element({ ...context, apps }, idGeneration.toBusId(scope.element), walk),
      );
    }
    const window = context.windows.find((candidate) => candidate.id === scope.window);
    if (!window) throw this.windowGoneError(scope.window);
    if (this.reconnector.lost) throw this.reconnector.error;
    const isCurrent = options.answered !== true || (await this.answersAfterInput(window, deadline));
    const answer = idGeneration.publicAnswer(await this.treeCache.window(context, window, walk));
    return isCurrent || answer.degraded ? answer : { ...answer, degraded: { reason: INPUT_PENDING } };
  }

  /** False if the app answers, but has not processed all input that was sent so far. A hung app is an error. */
  private async answersAfterInput(window: XWindow, deadline: Deadline): Promise<boolean> {
    const processed = window.placeless ? true : this.input?.isProcessed(window.xid, deadline);
    const [isProcessed = true] = await Promise.all([processed, this.treeCache.assertAnswers(window, deadline)]);
    await this.hub.settle();
    return isProcessed;
  }

  async atPoint(point: Point, { deadline, beneath = [] }: HitTestOptions): Promise<Found | undefined> {
    const [all, screen] = await this.places(deadline);
    const windows = all.filter(({ id }) => !beneath.includes(id));
    return this.withPublicIds(await findAtPoint({ apps: await this.apps(deadline), windows, screen, deadline }, point));
  }

  async focused({ deadline }: CallOptions): Promise<Found | undefined> {
    const [windows, screen] = await this.places(deadline);
    const context = { apps: await this.apps(deadline), windows, screen, deadline };
    return this.withPublicIds(await findFocused(context, (id) => this.recentFocus.isLast(id)));
  }

  async text(element: string, span: { start: number; end: number }, { deadline }: CallOptions): Promise<TextAnswer> {
    return readElementText(await this.apps(deadline), this.parts.idGeneration.toBusId(element), span, deadline);
  }

  async range(element: string, range: RangeRequest, { deadline }: CallOptions): Promise<RangeAnswer> {
    const [windows, screen] = await this.places(deadline);
    const { idGeneration } = this.parts;
    const apps = await this.apps(deadline);
    const answer = await readRange({ apps, windows, screen, deadline }, idGeneration.toBusId(element), range);
    return { ...answer, rows: idGeneration.publicNodes(answer.rows) };
  }

  async screenshot(area: CaptureArea | undefined, options: ScreenshotOptions): Promise<Screenshot> {
    if (this.parts.env.WAYLAND_DISPLAY) {
      throw new DesktopError('not_supported', NO_SCREENSHOT.reason, { retry: 'no', hint: NO_SCREENSHOT.fix });
    }
    return capture({ display: this.display(), own: () => this.hub.ownPixels() }, area, options);
  }

  releaseScreenshot(screenshot: Screenshot): void {
    this.parts.display?.shared.release(screenshot);
  }

  async waitForTreeSync(element: string, area: Box, { deadline, patient, at, pressedAt }: TreeSync): Promise<void> {
    const id = parseElementId(this.parts.idGeneration.toBusId(element));
    if (!id) return;
    const link = await (await this.apps(deadline)).connectByBusName(id.address[0], deadline);
    const { pid, toolkit, freshDialogs } = link;
    const dialogDelayMs = pressedAt === undefined ? freshDialogs.ignoresClicksForMs(idOf(id.address)) : 0;
    if (dialogDelayMs > 0) await deadline.race(pause(dialogDelayMs), 'The act');
    const { drawsAheadMs } = toolkit;
    const end = deadline.atMost(4 * drawsAheadMs);
    if (pressedAt !== undefined && drawsAheadMs > 0)
      await this.recentFocus.waitForFocus(
        id.address[0],
        pressedAt - performance.timeOrigin,
        deadline.atMost(2 * drawsAheadMs),
      );
    const startedAt = performance.now();
    // Chromium answers with the element that it found there last time, and only then hit-tests again.
    if (at && drawsAheadMs > 0) await this.atPoint(at, { deadline });
    const from = patient ? startedAt : startedAt - drawsAheadMs;
    await this.recentDrawings.waitUntilQuiet({ pid, area, from, drawsAheadMs, settle: () => this.hub.settle() }, end);
  }

  async caret(element: string, { deadline }: CallOptions): Promise<Caret | undefined> {
    return readElementCaret(await this.apps(deadline), this.parts.idGeneration.toBusId(element), deadline);
  }

  async pages(element: string, { deadline }: CallOptions): Promise<(string | null)[]> {
    return readPages(await this.apps(deadline), this.parts.idGeneration.toBusId(element), deadline);
  }

  async keyBindings(elements: readonly string[], { deadline }: CallOptions): Promise<string[][]> {
    const ids = elements.map((element) => this.parts.idGeneration.toBusId(element));
    return readKeyBindings(await this.apps(deadline), ids, deadline);
  }

  act(element: string, act: PatternAct, options: ActOptions): Promise<ActStep<PatternAnswer>> {
    return this.checkpoints.run(options, 'The act', async (gate, deadline) => {
      const apps = await this.apps(deadline);
      if (!this.actionConnections) throw new DesktopError('driver_unavailable', 'The accessibility bus is gone.');
      const place = { apps, connections: this.actionConnections };
      return performAction(place, this.parts.idGeneration.toBusId(element), act, { deadline }, gate);
    });
  }

  resume(token: string, decision: CheckpointDecision, options: CallOptions): Promise<ActStep<unknown>> {
    return this.checkpoints.resume(token, decision, options);
  }

  async changeWindow(id: string, change: WindowChange, { deadline }: CallOptions): Promise<WindowAnswer> {
    const { windows } = await this.allWindows(deadline);
    const window = windows.find((candidate) => candidate.id === id);
    if (!window) throw this.windowGoneError(id);
    if (window.placeless || !this.parts.display) {
      throw new DesktopError('not_supported', 'On Wayland no program may change the windows of other programs.', {
        retry: 'no',
        hint: 'Use a private desktop, where this works: deskproof desktop start',
      });
    }
    const { window: now, confirmedBy } = await changeWindow(this.display(), window, change, deadline);
    return { ...(now && { window: windowNode(now) }), ...(confirmedBy !== undefined && { confirmedBy }) };
  }

  get clipboard(): Clipboard | undefined {
    return this.xClipboard;
  }

  events({ signal }: { signal: AbortSignal }): EventStream {
    return this.hub.events(AbortSignal.any([signal, this.closing.signal]));
  }

  async doctor({ deadline }: CallOptions): Promise<Finding[]> {
    return [...(await examineSession(this.parts.env, deadline)), ...reportCacheStats(this.treeCache.stats)];
  }

  async close(): Promise<void> {
    this.closing.abort();
    this.checkpoints.close();
    this.reconnector.close();
    this.treeCache.close();
    this.hub.close();
    this.actionConnections?.close();
    this.xClipboard?.close();
    await this.input?.close();
    this.parts.apps?.close();
    this.parts.apps?.bus.close();
    this.parts.display?.close();
  }

  private withPublicIds(found: Found | undefined): Found | undefined {
    return found && { ...found, path: this.parts.idGeneration.publicNodes(found.path) };
  }

  private openActionConnections(): void {
    const { apps, busAddress } = this.parts;
    this.actionConnections?.close();
    if (apps && busAddress !== undefined) this.actionConnections = new ActionConnections(apps.bus, busAddress);
  }

  private async apps(deadline: Deadline): Promise<Apps> {
    await this.reconnector.ensureConnected(deadline);
    if (this.parts.apps && !this.reconnector.lost) return this.parts.apps;
    throw this.parts.noApps ?? this.reconnector.error;
  }

  private display(): XDisplay {
    if (this.closing.signal.aborted) throw new DesktopError('driver_unavailable', 'The driver was closed.');
    if (this.parts.display) return this.parts.display;
    throw (
      this.parts.noDisplay ??
      new DesktopError('driver_unavailable', 'There is no display.', { hint: 'Run deskproof doctor to see why.' })
    );
  }

  private async readContext(deadline: Deadline) {
    const [[windows, screen]] = await Promise.all([this.places(deadline), this.reconnector.ensureConnected(deadline)]);
    return { apps: this.parts.apps, noApps: this.parts.noApps, windows, screen, deadline };
  }

  /** A snapshot of many windows starts all its reads at once, so they share one list of windows and monitors. */
  private places(deadline: Deadline): Promise<[XWindow[], Box | undefined]> {
    if (!this.placesInProgress) {
      this.placesInProgress = this.listPlaces(deadline);
      setImmediate(() => (this.placesInProgress = undefined));
    }
    return deadline.race(this.placesInProgress, 'Listing the windows');
  }

  /** Leaves out the programs of the windows, which are not needed here and take time to find out. */
  private async listPlaces(deadline: Deadline): Promise<[XWindow[], Box | undefined]> {
    const wayland = Boolean(this.parts.env.WAYLAND_DISPLAY);
    const now = wayland ? undefined : await deadline.race(this.hub.placesNow(), 'Listing the windows');
    if (now) return [now.windows, screenOf(now.monitors)];
    return Promise.all([this.xWindows(deadline), this.screen(deadline)]);
  }

  private async xWindows(deadline: Deadline): Promise<XWindow[]> {
    return (await this.allWindows(deadline)).windows;
  }

  /** From the X server; on Wayland also, or only, from the apps. */
  private async allWindows(deadline: Deadline): Promise<BusWindows> {
    const wayland = Boolean(this.parts.env.WAYLAND_DISPLAY) && this.parts.apps !== undefined;
    const fromX = this.parts.display || !wayland ? await this.windowsOnDisplay(deadline) : [];
    const fromApps = wayland
      ? await busWindows(await this.apps(deadline), fromX, deadline)
      : { windows: [], unresponsive: 0 };
    const windows = [...fromX, ...fromApps.windows];
    for (const { id, pid, app } of windows) if (pid !== undefined) this.owners.set(id, { pid, app });
    if (this.owners.size > MAX_OWNERS) this.owners.clear();
    return { windows, unresponsive: fromApps.unresponsive };
  }

  private async windowsOnDisplay(deadline: Deadline): Promise<XWindow[]> {
    const display = this.display();
    const same = await deadline.race(this.hub.windowsNow(), 'Listing the windows');
    return same ?? display.windows(deadline);
  }

  /** The error for a window that is gone: it was closed, or its app ended. */
  private windowGoneError(id: string): DesktopError {
    const owner = this.owners.get(id);
    if (owner && processState(owner.pid) === undefined) {
      return new DesktopError('process_gone', 'The app has ended.', {
        hint: 'Start it again, then take a new snapshot.',
        retry: 'no',
        details: { pid: owner.pid },
      });
    }
    return new DesktopError('element_not_found', 'That window is closed.', { hint: 'List the windows again.' });
  }

  /** The box around all monitors; nothing outside of it is visible. */
  private async screen(deadline: Deadline): Promise<Box | undefined> {
    if (!this.parts.display) return undefined;
    return screenOf(await this.display().monitors(deadline));
  }
}

function screenOf(monitors: readonly { bounds: Box }[]): Box | undefined {
  return monitors.length === 0 ? undefined : boundingBox(monitors.map(({ bounds }) => bounds));
}
