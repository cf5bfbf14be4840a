import { debug, Deadline } from '../../../shared/index.js';
import type { Box } from '../../../tree/index.js';
import type { DriverEvent, EventStream, TitleChange } from '../../contract/index.js';
import type { WindowPixels } from '../capture/window-pixels.js';
import { toDriverEvent, readFocusDetails, subscribe } from './signals.js';
import { DBus } from '../dbus/connection.js';
import type { Incoming } from '../dbus/message.js';
import type { DriverParts } from '../capabilities.js';
import { FocusWindowFinder } from '../read/focus.js';
import { MARKER } from '../private-desktop/home.js';
import { EventQueue } from '../x11/event-queue.js';
import type { WindowWatch } from '../x11/windows/watch.js';
import type { XWindow } from '../x11/windows/window.js';

const QUEUE_LIMIT = 5000;
const CONNECT_MS = 2000;
const WATCH_MS = 5000;
/** Minimum time between attempts to reopen a lost source. */
const RETRY_MS = 1000;

/** Gets every event before the streams do, so that caches are invalidated before a caller learns of a change. */
interface HubListener {
  /** Any signal of an app's object, even if it produces no event. */
  onSignal(incoming: Incoming): void;
  onDrawing(window: XWindow, box: Box): void;
  /** From here on, events were missed. */
  onLost(): void;
  /** Resolves when the accessibility bus is connected again, or cannot be connected for now. */
  ensureBus(): Promise<void>;
}

/**
 * The driver's one source of events: one connection to the accessibility bus (a flood of signals must not delay the
 * replies that a read waits for), one to the display, both for the life of the driver, and any number of streams.
 */
export class EventHub {
  private readonly streams = new Set<EventQueue<DriverEvent>>();
  private starting?: Promise<void>;
  private triedAt = -Infinity;
  private bus?: DBus;
  private watch?: WindowWatch;
  private closed = false;
  private lostReason = 'the driver was closed';
  private readonly focusWindow = new FocusWindowFinder(
    () => this.parts.apps,
    () => this.watch?.windows ?? [],
  );
  /** Keeps focus events in order, however long it took to read their details. */
  private lastFocusEvent: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly parts: DriverParts,
    private readonly listener: HubListener,
  ) {}

  /** True if no announcement of an app and no window is missed, as far as there is a bus and a display. */
  get live(): boolean {
    const { display } = this.parts;
    return !this.closed && (this.bus !== undefined || !this.hasBus) && (this.watch !== undefined || !display);
  }

  /** True if all drawing of this window is reported. */
  attends(window: string): boolean {
    return this.live && this.watch?.reportsDrawingOf(window) === true;
  }

  /** True if windows report their drawing even while other windows cover them. */
  get seesCovered(): boolean {
    return this.watch?.redirected === true;
  }

  /**
   * Per-window pixels with their owners; undefined if the server cannot keep windows apart, or is lost. With `passive`
   * also if it does not keep them apart yet: to begin with it redraws every window.
   */
  async ownPixels(passive = false): Promise<WindowPixels | undefined> {
    await this.start();
    return passive ? this.watch?.openedPixels() : this.watch?.windowPixels();
  }

  /** Without the bus, windows and pixels are still reported. */
  private get hasBus(): boolean {
    return this.parts.apps?.bus.closed === false;
  }

  /**
   * Resolves when the hub is live or has failed to be. Reopens lost sources from time to time, or now with `atOnce`.
   */
  start(atOnce = false): Promise<void> {
    if (this.live || this.closed) return Promise.resolve();
    if (!this.starting && !atOnce && performance.now() - this.triedAt < RETRY_MS) return Promise.resolve();
    this.triedAt = performance.now();
    this.starting ??= this.open().finally(() => (this.starting = undefined));
    return this.starting;
  }

  /** The current windows; undefined if a new list is needed. */
  windowsNow(): ReturnType<WindowWatch['currentWindows']> {
    return undefinedIfGone(async () => this.watch?.currentWindows());
  }

  /** The same without their processes, and with the monitors. */
  placesNow(): ReturnType<WindowWatch['currentBounds']> {
    return undefinedIfGone(async () => this.watch?.currentBounds());
  }

  /**
   * Returns a function to call after a list was read: the titles that windows had since the previous list. Empty if the
   * display is not watched.
   */
  async titlesSoFar(): Promise<() => TitleChange[]> {
    const { watch } = this;
    await undefinedIfGone(async () => watch?.titles.waitForTitles());
    return () => watch?.titles.takeChanges() ?? [];
  }

  /** Resolves when all drawing so far has been registered. */
  async settle(): Promise<void> {
    await undefinedIfGone(async () => this.watch?.sync());
  }

  events(signal: AbortSignal): EventStream {
    const queue = new EventQueue<DriverEvent>(QUEUE_LIMIT, () => lostEvent('too many unread events'));
    const end = (): void => {
      this.streams.delete(queue);
      queue.end();
    };
    const begin = async (): Promise<void> => {
      this.streams.add(queue);
      await this.start();
      // Learns the current windows, so that closing one of them is reported.
      await this.watch?.catchUp();
      if (this.live || !this.streams.has(queue)) return;
      queue.push(lostEvent(this.lostReason));
      end();
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
    const ready = signal.aborted ? Promise.resolve() : begin();
    return { ready, [Symbol.asyncIterator]: () => queue[Symbol.asyncIterator]() };
  }

  close(): void {
    this.closed = true;
    this.disconnect();
    for (const queue of this.streams) queue.end();
    this.streams.clear();
  }

  private async open(): Promise<void> {
    try {
      const results = await Promise.allSettled([
        this.listener.ensureBus().then(() => this.listen()),
        this.watchDisplay(),
      ]);
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    } catch (error) {
      this.handleLoss((error as Error).message);
    }
    if (this.closed) this.disconnect();
  }

  private async listen(): Promise<void> {
    const { busAddress } = this.parts;
    if (this.bus || !busAddress || !this.hasBus) return;
    const bus = await DBus.connect(busAddress, { timeoutMs: CONNECT_MS });
    bus.onSignal((incoming) => this.handleSignal(bus, incoming));
    try {
      await subscribe(bus);
    } catch (error) {
      bus.close();
      throw error;
    }
    bus.onClose(() => this.bus === bus && this.handleLoss('the accessibility bus is gone', 'bus'));
    this.bus = bus;
  }

  private async watchDisplay(): Promise<void> {
    const { display, env } = this.parts;
    if (this.watch || !display) return;
    const listener = {
      emit: (event: DriverEvent) => this.emit(event),
      drawing: (window: XWindow, box: Box) => this.listener.onDrawing(window, box),
      lost: (error: Error) => this.handleLoss(error.message),
    };
    this.watch = await display.watch(listener, { redirect: Boolean(env[MARKER]) }, Deadline.in(WATCH_MS));
  }

  private handleSignal(bus: DBus, incoming: Incoming): void {
    this.listener.onSignal(incoming);
    if (this.streams.size === 0) return;
    const event = toDriverEvent(incoming, Date.now());
    if (!event) return;
    if ('element' in event) event.element = this.parts.idGeneration.toPublicId(event.element);
    const pid = incoming.sender && this.parts.apps?.knownPid(incoming.sender);
    if (pid) event.pid = pid;
    if (event.type !== 'focus') return this.emit(event);
    const place = this.watch ? this.focusWindow.of([incoming.sender!, incoming.path!], bus) : undefined;
    const { now = 0 } = this.watch?.titles ?? {};
    this.lastFocusEvent = Promise.all([readFocusDetails(bus, incoming), place, this.lastFocusEvent]).then(
      async ([details, focused]) => {
        const titleUnchanged = await this.titleUnchanged(now, focused?.window);
        this.emit({ ...event, ...focused, ...(titleUnchanged && details) });
      },
    );
  }

  /** Details that were read while the title of the window changed may belong to a hidden window. */
  private async titleUnchanged(since: number, window: string | undefined): Promise<boolean> {
    const titles = this.watch?.titles;
    if (!titles) return true;
    try {
      await titles.waitForTitles();
      return !titles.changedSince(since, window);
    } catch (error) {
      debug('events', () => `the display is gone: ${String(error)}`); // The watch itself reports `lost`.
      return false;
    }
  }

  private emit(event: DriverEvent): void {
    for (const queue of this.streams) queue.push(event);
    if (event.type === 'window') this.focusWindow.changed();
  }

  /**
   * Without the bus the display is still watched: windows can be redirected only before apps start, so this could not
   * be restored.
   */
  private handleLoss(reason: string, what: 'bus' | 'all' = 'all'): void {
    if (this.closed) return;
    this.lostReason = reason;
    if (what === 'bus') this.bus = undefined;
    else this.disconnect();
    this.listener.onLost();
    this.emit(lostEvent(reason));
    for (const queue of this.streams) queue.end();
    this.streams.clear();
  }

  private disconnect(): void {
    const { bus, watch } = this;
    this.bus = undefined;
    this.watch = undefined;
    bus?.close();
    watch?.stop();
  }
}

function lostEvent(reason: string): DriverEvent {
  return { type: 'lost', at: Date.now(), reason };
}

/** The watch itself reports the lost display, and so does the next list of windows. */
async function undefinedIfGone<T>(asked: () => Promise<T>): Promise<T | undefined> {
  try {
    return await asked();
  } catch (error) {
    debug('events', () => `the display is gone: ${String(error)}`);
    return undefined;
  }
}
