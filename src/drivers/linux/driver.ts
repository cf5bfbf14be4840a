import { setTimeout as pause } from 'node:timers/promises';
import { Deadline, DesktopError } from '../../shared/index.js';
import type { Box, Point } from '../../tree/index.js';
import type {
  ActOptions,
  CallOptions,
  Caret,
  TreeSync,
  Clipboard,
  Driver,
  DriverDescription,
  EventStream,
  Finding,
  Found,
  PatternAct,
  PatternAnswer,
  Screenshot,
  CaptureArea,
  ScreenshotOptions,
  RangeAnswer,
  RangeRequest,
  ReadAnswer,
  ReadOptions,
  ReadScope,
  TextAnswer,
  WindowAnswer,
  WindowChange,
  WindowsAnswer,
} from '../contract/index.js';
import { abilitiesOf, NO_PICTURE } from './capabilities.js';
import { ActLines, actOn, caretOf } from './act/index.js';
import { processState } from './atspi/app-connection.js';
import type { Apps } from './atspi/apps.js';
import { idOf, parseElementId } from './atspi/accessible.js';
import { findAtPoint } from './read/hit-test.js';
import { BusAgain, type IdEra } from './events/reconnect.js';
import { busWindows, type BusWindows } from './read/window-tree.js';
import { capture } from './capture/index.js';
import { XClipboard } from './clipboard/index.js';
import { LazyInputDevice, watchUserInput } from './input/index.js';
import { examineSession } from './doctor.js';
import { Drawings, FocusNews } from './events/recent-activity.js';
import { readElementText } from './read/element.js';
import { EventHub } from './events/hub.js';
import { findFocused } from './read/focus.js';
import { readRange } from './read/range.js';
import type { Environment } from './session-bus.js';
import { examineWarmth } from './cache/self-check.js';
import { WarmReads } from './cache/tree-cache.js';
import { windowNode } from './read/window.js';
import { changeWindow } from './window-control/index.js';
import type { Monitor, XDisplay, XWindow } from './x11/index.js';

const VERSION = '1';
const DEFAULT_MAX_NODES = 5000;
const MAX_OWNERS = 10_000;
const REACH_MS = 5000;

/** What the driver is made of; either may be missing, with the reason. */
export interface Parts {
  env: Environment;
  display?: XDisplay;
  noDisplay?: DesktopError;
  apps?: Apps;
  noApps?: DesktopError;
  /** Address of the accessibility bus, for the connection that events have to themselves. */
  busAddress?: string;
  /** Which of the buses that there were gave an id. */
  era: IdEra;
}

export class LinuxDriver implements Driver {
  private readonly closing = new AbortController();
  /** Whose a window was, to tell a closed window from an app that died. */
  private readonly owners = new Map<string, { pid: number; app: string }>();

  private readonly hub: EventHub;
  private readonly warm: WarmReads;
  private readonly drawings = new Drawings();
  private readonly focusNews = new FocusNews();
  private readonly again: BusAgain;
  private lines?: ActLines;
  private placesNow?: Promise<[XWindow[], Box | undefined]>;
  private readonly copied?: XClipboard;
  readonly hands?: LazyInputDevice;
  readonly humans?: Driver['humans'];
  readonly lost?: Promise<string>;

  constructor(private readonly parts: Parts) {
    const { display, env } = parts;
    this.openLines();
    if (display) this.lost = new Promise((resolve) => display.onLost(({ message }) => resolve(message)));
    if (display) this.copied = new XClipboard(env);
    if (display) this.hands = new LazyInputDevice(env);
    if (display) {
      this.humans = ({ signal, ...options }) =>
        watchUserInput(env, { ...options, signal: AbortSignal.any([signal, this.closing.signal]) });
    }
    this.again = new BusAgain(parts, () => {
      this.openLines();
      void this.hub.start(true);
    });
    this.hub = new EventHub(parts, {
      signal: (incoming) => {
        this.warm.signal(incoming);
        this.focusNews.signal(incoming);
      },
      drawing: (window, box) => {
        this.warm.drawing(window, box);
        if (window.pid !== undefined) this.drawings.note(window.pid, box);
      },
      lost: () => this.warm.lost(),
      reach: () => this.again.reach(Deadline.in(REACH_MS)),
    });
    const apps = (): Apps | undefined => this.parts.apps;
    this.warm = new WarmReads(this.hub, apps, async (id, deadline) => {
      const [around] = await Promise.all([this.around(deadline), this.hub.settle()]);
      const window = around.windows.find((candidate) => candidate.id === id);
      return window && { around, window };
    });
  }

  /** Resolves when what happens from now on is noticed. */
  start(): Promise<void> {
    return this.hub.start();
  }

  describe(): DriverDescription {
    const { noDisplay, noApps, env } = this.parts;
    const lost = this.again.lost ? this.again.error : undefined;
    const abilities = abilitiesOf({ noDisplay, noApps, lost, wayland: Boolean(env.WAYLAND_DISPLAY) });
    return { kind: 'linux', name: 'linux-atspi', version: VERSION, abilities };
  }

  async windows({ deadline }: CallOptions): Promise<WindowsAnswer> {
    const [{ windows, silent }, titles] = await Promise.all([
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
    const { era } = this.parts;
    const walk = { ...options, maxNodes: options.maxNodes ?? DEFAULT_MAX_NODES };
    void this.hub.start();
    const [around] = await Promise.all([this.around(deadline), this.hub.settle()]);
    if ('element' in scope) {
      const apps = await this.apps(deadline);
      return era.answer(await this.warm.element({ ...around, apps }, era.in(scope.element), walk));
    }
    const window = around.windows.find((candidate) => candidate.id === scope.window);
    if (!window) throw this.closed(scope.window);
    if (this.again.lost) throw this.again.error;
    return era.answer(await this.warm.window(around, window, walk));
  }

  async atPoint(point: Point, { deadline }: CallOptions): Promise<Found | undefined> {
    const [windows, screen] = await this.places(deadline);
    return this.given(await findAtPoint({ apps: await this.apps(deadline), windows, screen, deadline }, point));
  }

  async focused({ deadline }: CallOptions): Promise<Found | undefined> {
    const [windows, screen] = await this.places(deadline);
    return this.given(await findFocused({ apps: await this.apps(deadline), windows, screen, deadline }));
  }

  async text(element: string, span: { start: number; end: number }, { deadline }: CallOptions): Promise<TextAnswer> {
    return readElementText(await this.apps(deadline), this.parts.era.in(element), span, deadline);
  }

  async range(element: string, range: RangeRequest, { deadline }: CallOptions): Promise<RangeAnswer> {
    const [windows, screen] = await this.places(deadline);
    const { era } = this.parts;
    const apps = await this.apps(deadline);
    const answer = await readRange({ apps, windows, screen, deadline }, era.in(element), range);
    return { ...answer, rows: era.nodes(answer.rows) };
  }

  async picture(area: CaptureArea | undefined, options: ScreenshotOptions): Promise<Screenshot> {
    if (this.parts.env.WAYLAND_DISPLAY) {
      throw new DesktopError('not_supported', NO_PICTURE.reason, { retry: 'no', hint: NO_PICTURE.fix });
    }
    return capture({ display: this.display(), own: () => this.hub.ownPixels() }, area, options);
  }

  async caughtUp(element: string, area: Box, { deadline, patient, at, pressedAt }: TreeSync): Promise<void> {
    const id = parseElementId(this.parts.era.in(element));
    if (!id) return;
    const link = await (await this.apps(deadline)).linkByBusName(id.address[0], deadline);
    const { pid, toolkit, freshDialogs } = link;
    const deaf = pressedAt === undefined ? freshDialogs.deafFor(idOf(id.address)) : 0;
    if (deaf > 0) await deadline.race(pause(deaf), 'The act');
    const ahead = toolkit.drawsAheadMs;
    const end = deadline.atMost(4 * ahead);
    if (pressedAt !== undefined && ahead > 0)
      await this.focusNews.after(id.address[0], pressedAt, deadline.atMost(2 * ahead));
    const asked = performance.now();
    // Chromium answers with what it found there the last time, and only then looks again.
    if (at && ahead > 0) await this.atPoint(at, { deadline });
    while (!end.over) {
      await this.hub.settle();
      const unseen = patient ? ahead / 2 - (performance.now() - asked) : 0;
      const wait = Math.max(unseen, ahead - this.drawings.since(pid, area));
      if (wait <= 0) return;
      await new Promise((resolve) => setTimeout(resolve, Math.min(wait, end.remaining())));
    }
  }

  async caret(element: string, { deadline }: CallOptions): Promise<Caret | undefined> {
    return caretOf(await this.apps(deadline), this.parts.era.in(element), deadline);
  }

  async act(element: string, act: PatternAct, options: ActOptions): Promise<PatternAnswer> {
    const apps = await this.apps(options.deadline);
    if (!this.lines) throw new DesktopError('driver_unavailable', 'The accessibility bus is gone.');
    return actOn({ apps, lines: this.lines }, this.parts.era.in(element), act, options);
  }

  async changeWindow(id: string, change: WindowChange, { deadline }: CallOptions): Promise<WindowAnswer> {
    const { windows } = await this.allWindows(deadline);
    const window = windows.find((candidate) => candidate.id === id);
    if (!window) throw this.closed(id);
    if (window.placeless || !this.parts.display) {
      throw new DesktopError('not_supported', 'On Wayland no program may change the windows of others.', {
        retry: 'no',
        hint: 'a private desktop can: deskproof desktop start',
      });
    }
    const { window: now, confirmedBy } = await changeWindow(this.display(), window, change, deadline);
    return { ...(now && { window: windowNode(now) }), ...(confirmedBy !== undefined && { confirmedBy }) };
  }

  get clipboard(): Clipboard | undefined {
    return this.copied;
  }

  events({ signal }: { signal: AbortSignal }): EventStream {
    return this.hub.events(AbortSignal.any([signal, this.closing.signal]));
  }

  async doctor({ deadline }: CallOptions): Promise<Finding[]> {
    return [...(await examineSession(this.parts.env, deadline)), ...examineWarmth(this.warm.numbers)];
  }

  async close(): Promise<void> {
    this.closing.abort();
    this.again.close();
    this.warm.close();
    this.hub.close();
    this.lines?.close();
    this.copied?.close();
    await this.hands?.close();
    this.parts.apps?.close();
    this.parts.apps?.bus.close();
    this.parts.display?.close();
  }

  private given(found: Found | undefined): Found | undefined {
    return found && { ...found, path: this.parts.era.nodes(found.path) };
  }

  private openLines(): void {
    const { apps, busAddress } = this.parts;
    this.lines?.close();
    if (apps && busAddress !== undefined) this.lines = new ActLines(apps.bus, busAddress);
  }

  private async apps(deadline: Deadline): Promise<Apps> {
    await this.again.reach(deadline);
    if (this.parts.apps && !this.again.lost) return this.parts.apps;
    throw this.parts.noApps ?? this.again.error;
  }

  private display(): XDisplay {
    if (this.closing.signal.aborted) throw new DesktopError('driver_unavailable', 'The driver was closed.');
    if (this.parts.display) return this.parts.display;
    throw (
      this.parts.noDisplay ??
      new DesktopError('driver_unavailable', 'There is no display.', { hint: 'deskproof doctor' })
    );
  }

  private async around(deadline: Deadline) {
    const [[windows, screen]] = await Promise.all([this.places(deadline), this.again.reach(deadline)]);
    return { apps: this.parts.apps, noApps: this.parts.noApps, windows, screen, deadline };
  }

  /** A look at many windows begins all its reads at once: one list of windows and monitors serves them all. */
  private places(deadline: Deadline): Promise<[XWindow[], Box | undefined]> {
    if (!this.placesNow) {
      this.placesNow = this.listPlaces(deadline);
      setImmediate(() => (this.placesNow = undefined));
    }
    return deadline.race(this.placesNow, 'Listing the windows');
  }

  /** Which programs they belong to is of no matter here, and takes a while to find out. */
  private async listPlaces(deadline: Deadline): Promise<[XWindow[], Box | undefined]> {
    const wayland = Boolean(this.parts.env.WAYLAND_DISPLAY);
    const now = wayland ? undefined : await deadline.race(this.hub.placesNow(), 'Listing the windows');
    if (now) return [now.windows, boxAround(now.monitors)];
    return Promise.all([this.xWindows(deadline), this.screen(deadline)]);
  }

  private async xWindows(deadline: Deadline): Promise<XWindow[]> {
    return (await this.allWindows(deadline)).windows;
  }

  /** From the X server; on Wayland also, or only, from the apps themselves. */
  private async allWindows(deadline: Deadline): Promise<BusWindows> {
    const wayland = Boolean(this.parts.env.WAYLAND_DISPLAY) && this.parts.apps !== undefined;
    const fromX = this.parts.display || !wayland ? await this.displayed(deadline) : [];
    const fromApps = wayland
      ? await busWindows(await this.apps(deadline), fromX, deadline)
      : { windows: [], silent: 0 };
    const windows = [...fromX, ...fromApps.windows];
    for (const { id, pid, app } of windows) if (pid !== undefined) this.owners.set(id, { pid, app });
    if (this.owners.size > MAX_OWNERS) this.owners.clear();
    return { windows, silent: fromApps.silent };
  }

  private async displayed(deadline: Deadline): Promise<XWindow[]> {
    const display = this.display();
    const same = await deadline.race(this.hub.windowsNow(), 'Listing the windows');
    return same ?? display.windows(deadline);
  }

  /** A window that is no more: closed, or its app died with it. */
  private closed(id: string): DesktopError {
    const owner = this.owners.get(id);
    if (owner && processState(owner.pid) === undefined) {
      return new DesktopError('process_gone', 'The app has ended.', {
        hint: 'Start it again, then look again.',
        retry: 'no',
        details: { pid: owner.pid },
      });
    }
    return new DesktopError('element_not_found', 'That window is closed.', { hint: 'List the windows again.' });
  }

  /** The box around all monitors: what lies outside of it nobody sees. */
  private async screen(deadline: Deadline): Promise<Box | undefined> {
    if (!this.parts.display) return undefined;
    return boxAround(await this.display().monitors(deadline));
  }
}

function boxAround(monitors: readonly Monitor[]): Box | undefined {
  const boxes = monitors.map(({ bounds }) => bounds);
  if (boxes.length === 0) return undefined;
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}
