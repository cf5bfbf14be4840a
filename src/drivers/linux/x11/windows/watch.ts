import type { Attributes, XEvent } from 'x11';
import { debug, Deadline, DesktopError } from '../../../../shared/index.js';
import type { Box } from '../../../../tree/index.js';
import type { DriverEvent } from '../../../contract/index.js';
import { WindowPixels } from '../../capture/window-pixels.js';
import { addProcessFacts } from '../../processes.js';
import { type Atoms, internNames } from '../atoms.js';
import type { X11Client } from '../client.js';
import { DamageWatch } from '../damage.js';
import { EventQueue, streamEvents, Throttle } from '../event-queue.js';
import { type Monitor, type MonitorSource, readMonitors } from '../monitors.js';
import { findSame, windowChanges } from './changes.js';
import { WindowListCache } from './list-cache.js';
import { listWindows, type WindowList } from './list.js';
import { ownerBase, readPids } from './properties.js';
import { TitleHistory } from './title-history.js';
import { windowIdOf, type XWindow } from './window.js';

interface WatchedDisplay {
  parts: { client: X11Client; atoms: Atoms; monitors: MonitorSource };
  close(): void;
}

export interface WatchListener {
  emit(event: DriverEvent): void;
  /** Called at once for each part of this window that changes; `emit` reports it once a tick. */
  drawing?(window: XWindow, box: Box): void;
}

export interface WatchOptions {
  damage?: boolean;
  /**
   * Makes the server keep each window's pixels separately from the start, so that covered windows also report what they
   * draw. Without it, that starts with the first call of `ownPixels`: every window is then redrawn, which the user
   * would see.
   */
  redirect?: boolean;
}

const SUBSTRUCTURE_NOTIFY = 0x80000;
const STRUCTURE_NOTIFY = 0x20000;
const PROPERTY_CHANGE = 0x400000;
/** During storms (a window being dragged, a title that counts) there is at most one list in this time. */
const LISTING_GAP_MS = 25;

/** Listens to the server, lists the windows when something about them changed, and reports the differences. */
export class WindowWatch {
  /** Whether covered windows have reported their drawing since before the first window was opened. */
  redirected = false;
  private pixels?: WindowPixels;
  private openingPixels?: Promise<WindowPixels | undefined>;
  private windowsByXid = new Map<number, XWindow>();
  /** The ids of the windows whose drawing is certain to be reported. */
  private readonly attendedIds = new Set<string>();
  private readonly listThrottle = new Throttle(LISTING_GAP_MS, () => this.list());
  private damage?: DamageWatch;
  /** The atom, while its owner is watched. */
  private clipboard?: number;
  /** The window numbers whose every change is certain to be reported. */
  private readonly watchedXids = new Set<number>();
  private readonly listCache: WindowListCache;
  readonly titles: TitleHistory;

  constructor(
    private readonly display: WatchedDisplay,
    private readonly listener: WatchListener,
    private readonly options: WatchOptions,
  ) {
    const { atoms, client } = display.parts;
    this.titles = new TitleHistory(client, atoms);
    this.listCache = new WindowListCache(atoms);
  }

  async begin(): Promise<void> {
    const { client } = this.display.parts;
    const extension = (this.options.damage ?? true) ? await client.extension('damage') : undefined;
    if (extension) {
      this.damage = new DamageWatch(client, extension, {
        drawing: (xid, box) => this.drawing(xid, box),
        drawn: (xid, boxes) => boxes.forEach((box) => this.drawn(xid, box)),
      });
    }
    client.raw.on('event', (event: XEvent) => this.handleEvent(event));
    client.send((x) => x.ChangeWindowAttributes(client.root, { eventMask: SUBSTRUCTURE_NOTIFY | PROPERTY_CHANGE }));
    await this.watchClipboard();
    this.windowsByXid = byXid(await listWindows(this.display.parts));
    if (this.options.redirect) await this.redirect();
    await this.selectEvents([...this.windowsByXid.keys()]);
    // For changes between the list and the moment when each window's events were selected.
    await this.listThrottle.run();
  }

  stop(): void {
    this.listThrottle.stop();
    this.damage?.stop();
    this.attendedIds.clear();
    this.display.close();
  }

  /** As in the last list, front to back. */
  get windows(): XWindow[] {
    return [...this.windowsByXid.values()];
  }

  /** The current windows, front to back; undefined if that needs a new list. */
  async currentWindows(): Promise<XWindow[] | undefined> {
    const now = await this.cachedList();
    return now && addProcessFacts(now.windows);
  }

  /** The current positions and monitors. Process data is from the last list. */
  async currentBounds(): Promise<{ windows: XWindow[]; monitors: Monitor[] } | undefined> {
    const now = await this.cachedList();
    return now && { windows: this.windows, monitors: now.monitors };
  }

  private async cachedList(): Promise<(Pick<WindowList, 'windows'> & { monitors: Monitor[] }) | undefined> {
    const { client, monitors: source } = this.display.parts;
    const overrideRedirects = new Map<number, boolean>();
    // No event reports that a window's override-redirect flag changed, so it must be read.
    const readAttributes = async (xid: number): Promise<void> => {
      const attributes = await client.requestIfExists<Attributes>((x, reply) => x.GetWindowAttributes(xid, reply));
      if (attributes) overrideRedirects.set(xid, attributes.overrideRedirect !== 0);
    };
    // The replies arrive after the events of everything that happened before.
    const [monitors] = await Promise.all([
      readMonitors(client, source),
      client.sync(),
      ...[...this.windowsByXid.keys()].map(readAttributes),
    ]);
    const windows = this.listCache.get(monitors);
    const isSame = windows?.every(({ xid, overrideRedirect }) => overrideRedirects.get(xid) === overrideRedirect);
    return isSame ? { windows: windows!, monitors } : undefined;
  }

  /** Whether everything that this window draws from now on is reported. */
  reportsDrawingOf(id: string): boolean {
    return this.attendedIds.has(id);
  }

  /** Resolves when all current windows are known. */
  async catchUp(): Promise<void> {
    await this.listThrottle.run(); // This run may have started earlier.
    await this.listThrottle.run();
  }

  /** Resolves when all drawing so far was reported. */
  sync(): Promise<void> {
    return this.display.parts.client.sync();
  }

  /** Which pixels belong to which window; undefined if the server cannot keep them separately. */
  windowPixels(): Promise<WindowPixels | undefined> {
    return (this.openingPixels ??= this.openPixels());
  }

  /** The same, if they are kept already. */
  async openedPixels(): Promise<WindowPixels | undefined> {
    return this.openingPixels;
  }

  private async openPixels(): Promise<WindowPixels | undefined> {
    const { client } = this.display.parts;
    const [composite, damage] = await Promise.all([client.extension('composite'), client.extension('damage')]);
    if (!composite || !damage) return undefined;
    this.pixels = new WindowPixels(client, damage, composite);
    await this.pixels.begin();
    return this.pixels;
  }

  private async redirect(): Promise<void> {
    const first = this.windowsByXid.size === 0;
    this.redirected = (await this.windowPixels()) !== undefined && first;
  }

  /** The server reports each new owner of the clipboard, also an app that copies again. */
  private async watchClipboard(): Promise<void> {
    const { client } = this.display.parts;
    const [fixes, { CLIPBOARD }] = await Promise.all([client.extension('fixes'), internNames(client, ['CLIPBOARD'])]);
    if (!fixes) return;
    this.clipboard = CLIPBOARD;
    client.send(() => fixes.SelectSelectionInput(client.root, CLIPBOARD, fixes.SelectionEventMask.SetSelectionOwner));
  }

  /** The owner is identified at once: its window may be gone a moment later. */
  private clipboardTaken(owner: number): void {
    const { client } = this.display.parts;
    const at = Date.now();
    readPids(client, [owner]).then(
      (pids) => {
        const pid = pids.get(ownerBase(client, owner));
        this.listener.emit({ type: 'clipboard', at, ...(pid !== undefined && { pid }) });
      },
      (error: unknown) => debug('x', () => `the owner of the clipboard is unknown: ${String(error)}`),
    );
  }

  private handleEvent(event: XEvent): void {
    if (event.name === 'SelectionNotify') {
      if (event.selection === this.clipboard && event.owner) this.clipboardTaken(event.owner);
      return;
    }
    if (!isSelectedOnWindow(event, this.display.parts.client.root) && this.pixels?.handleEvent(event)) return;
    if (event.name === 'PropertyNotify') this.titles.handleChange(event.wid ?? 0, event.atom ?? 0);
    // The number may be reused for another window at once, whose events are not selected yet.
    if (event.name === 'DestroyNotify' || event.name === 'CreateNotify') this.unwatch(event.wid ?? 0);
    if (event.name === 'DamageNotify') this.damage?.handleEvent(event);
    else if (this.listCache.handleEvent(event)) this.listThrottle.request();
  }

  private async selectEvents(xids: readonly number[]): Promise<void> {
    const { client } = this.display.parts;
    for (const xid of xids) {
      client.send((x) => x.ChangeWindowAttributes(xid, { eventMask: STRUCTURE_NOTIFY | PROPERTY_CHANGE }));
      this.damage?.watch(xid);
      // Added before the server has processed it: the server processes it before it answers anything else, and windows
      // that close in the meantime are removed.
      this.watchedXids.add(xid);
      if (this.damage) this.attendedIds.add(windowIdOf(xid));
    }
    await client.sync();
  }

  private unwatch(xid: number): void {
    this.damage?.unwatch(xid);
    this.watchedXids.delete(xid);
    this.attendedIds.delete(windowIdOf(xid));
  }

  private async list(): Promise<void> {
    const { revision } = this.listCache;
    const listened = new Set(this.watchedXids);
    const list = await listWindows(this.display.parts);
    const after = byXid(list);
    const before = this.windowsByXid;
    this.windowsByXid = after;
    for (const window of before.values()) if (!findSame(after, window)) this.unwatch(window.xid);
    for (const event of windowChanges(before, after, Date.now())) this.listener.emit(event);
    this.listCache.store(
      list,
      revision,
      [...after.keys()].every((xid) => listened.has(xid) && this.watchedXids.has(xid)),
    );
    const added = [...after.keys()].filter((xid) => !this.watchedXids.has(xid));
    if (added.length === 0) return;
    await this.selectEvents(added);
    // A new window's title may have changed before its events were selected.
    this.listThrottle.request();
  }

  private drawing(xid: number, box: Box): void {
    const window = this.windowsByXid.get(xid);
    if (window) this.listener.drawing?.(window, box);
  }

  private drawn(xid: number, box: Box): void {
    const window = this.windowsByXid.get(xid);
    if (!window) return;
    this.listener.emit({
      type: 'damage',
      at: Date.now(),
      window: window.id,
      box,
      ...(window.pid !== undefined && { pid: window.pid }),
    });
  }
}

const byXid = ({ windows }: WindowList): Map<number, XWindow> =>
  new Map(addProcessFacts(windows).map((window) => [window.xid, window]));

/** The event was selected on the window itself, not on the root for its children. */
function isSelectedOnWindow({ name, event, wid }: XEvent, root: number): boolean {
  if (name === 'ConfigureNotify') return wid !== root;
  return event !== undefined && event !== root;
}

/** `ready` resolves when all later changes are reported. It never rejects: a failure is a `lost` event. */
export interface WindowEvents extends AsyncIterable<DriverEvent> {
  readonly ready: Promise<void>;
}

const QUEUE_LIMIT = 2000;
const OPEN_MS = 5000;

export function watchWindows(
  open: (deadline: Deadline) => Promise<WatchedDisplay>,
  signal: AbortSignal,
  options: WatchOptions = {},
): WindowEvents {
  const lost = (reason: string): DriverEvent => ({ type: 'lost', at: Date.now(), reason });
  const queue = new EventQueue<DriverEvent>(QUEUE_LIMIT, () => lost('Events arrived faster than they were read.'));
  let watch: WindowWatch | undefined;
  const stop = (): void => {
    watch?.stop();
    queue.end();
  };
  const start = async (): Promise<void> => {
    try {
      const display = await open(Deadline.in(OPEN_MS, signal));
      watch = new WindowWatch(display, { emit: (event) => queue.push(event) }, options);
      display.parts.client.onLost((error) => {
        queue.push(lost(error.message));
        stop();
      });
      if (signal.aborted) return stop();
      await watch.begin();
    } catch (error) {
      if (!signal.aborted) queue.push(lost(error instanceof DesktopError ? error.message : String(error)));
      stop();
    }
  };
  return streamEvents(signal, { events: queue, start, stop });
}
