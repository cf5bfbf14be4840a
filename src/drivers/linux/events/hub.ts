import { debug, Deadline } from '../../../shared/index.js';
import type { Box } from '../../../tree/index.js';
import type { DriverEvent, EventStream, TitleChange } from '../../contract/index.js';
import type { OwnPixels } from '../capture/window-pixels.js';
import { eventFrom, focusWords, subscribe } from './signals.js';
import { DBus, type Incoming } from '../dbus/index.js';
import type { Parts } from '../driver.js';
import { FocusWindow } from '../read/focus.js';
import { MARKER } from '../private-desktop/home.js';
import { EventQueue } from '../x11/event-queue.js';
import type { WindowWatch, XWindow } from '../x11/index.js';

const QUEUE_LIMIT = 5000;
const CONNECT_MS = 2000;
const WATCH_MS = 5000;
/** A source that was lost is not looked for more often. */
const AGAIN_MS = 1000;

/** Who must know first: what is remembered is put in doubt before anybody hears of a change. */
export interface HubListener {
  /** Any signal of an app's object, also those that make no event. */
  signal(incoming: Incoming): void;
  drawing(window: XWindow, box: Box): void;
  /** Whatever happened from here on was not told. */
  lost(): void;
  /** Resolves when the accessibility bus is there again, or cannot be for now. */
  reach(): Promise<void>;
}

/**
 * The driver's one source of events: one connection to the accessibility bus (a storm of signals must not delay the
 * answers that a read waits for), one to the display, both for the life of the driver, and any number of streams.
 */
export class EventHub {
  private readonly streams = new Set<EventQueue<DriverEvent>>();
  private starting?: Promise<void>;
  private triedAt = -Infinity;
  private bus?: DBus;
  private watch?: WindowWatch;
  private closed = false;
  private why = 'the driver was closed';
  private readonly focusWindow = new FocusWindow(
    () => this.parts.apps,
    () => this.watch?.windows ?? [],
  );
  /** Each focus is told after the one before it, however long their words took. */
  private focusTold: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly parts: Parts,
    private readonly listener: HubListener,
  ) {}

  /** Nothing that an app announces, and no window, is missed; as far as there is a bus and a display. */
  get live(): boolean {
    const { display } = this.parts;
    return !this.closed && (this.bus !== undefined || !this.hasBus) && (this.watch !== undefined || !display);
  }

  /** Everything that this window draws is told. */
  attends(window: string): boolean {
    return this.live && this.watch?.attends(window) === true;
  }

  /** Windows tell what they draw also while others cover them. */
  get seesCovered(): boolean {
    return this.watch?.redirected === true;
  }

  /** Which pixels are whose; undefined where the server cannot keep windows apart, or is lost. */
  async ownPixels(): Promise<OwnPixels | undefined> {
    await this.start();
    return this.watch?.ownPixels();
  }

  /** While it is gone, windows and pixels are still told. */
  private get hasBus(): boolean {
    return this.parts.apps?.bus.closed === false;
  }

  /** Resolves when it is live, or has failed to be; what is lost is looked for again now and then, or `atOnce`. */
  start(atOnce = false): Promise<void> {
    if (this.live || this.closed) return Promise.resolve();
    if (!this.starting && !atOnce && performance.now() - this.triedAt < AGAIN_MS) return Promise.resolve();
    this.triedAt = performance.now();
    this.starting ??= this.open().finally(() => (this.starting = undefined));
    return this.starting;
  }

  /** The windows as they are now; undefined when only a new list can tell. */
  windowsNow(): ReturnType<WindowWatch['windowsNow']> {
    return unlessGone(async () => this.watch?.windowsNow());
  }

  /** The same without a look at their processes, and with the monitors. */
  placesNow(): ReturnType<WindowWatch['placesNow']> {
    return unlessGone(async () => this.watch?.placesNow());
  }

  /** What to call when a list is there: titles that windows had since the last one. Empty while nobody watches. */
  async titlesSoFar(): Promise<() => TitleChange[]> {
    const { watch } = this;
    await unlessGone(async () => watch?.titles.known());
    return () => watch?.titles.take() ?? [];
  }

  /** Resolves when all that was drawn so far has been noticed. */
  async settle(): Promise<void> {
    await unlessGone(async () => this.watch?.sync());
  }

  events(signal: AbortSignal): EventStream {
    const queue = new EventQueue<DriverEvent>(QUEUE_LIMIT, () => lost('more events than could be taken'));
    const end = (): void => {
      this.streams.delete(queue);
      queue.end();
    };
    const begin = async (): Promise<void> => {
      this.streams.add(queue);
      await this.start();
      // What was there before is known, so that its end will be told.
      await this.watch?.catchUp();
      if (this.live || !this.streams.has(queue)) return;
      queue.push(lost(this.why));
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
      const results = await Promise.allSettled([this.listener.reach().then(() => this.listen()), this.watchDisplay()]);
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    } catch (error) {
      this.lose((error as Error).message);
    }
    if (this.closed) this.disconnect();
  }

  private async listen(): Promise<void> {
    const { busAddress } = this.parts;
    if (this.bus || !busAddress || !this.hasBus) return;
    const bus = await DBus.connect(busAddress, { timeoutMs: CONNECT_MS });
    bus.onSignal((incoming) => this.heard(bus, incoming));
    try {
      await subscribe(bus);
    } catch (error) {
      bus.close();
      throw error;
    }
    bus.onClose(() => this.bus === bus && this.lose('the accessibility bus is gone', 'bus'));
    this.bus = bus;
  }

  private async watchDisplay(): Promise<void> {
    const { display, env } = this.parts;
    if (this.watch || !display) return;
    const listener = {
      tell: (event: DriverEvent) => this.tell(event),
      drawing: (window: XWindow, box: Box) => this.listener.drawing(window, box),
      lost: (error: Error) => this.lose(error.message),
    };
    this.watch = await display.watch(listener, { redirect: Boolean(env[MARKER]) }, Deadline.in(WATCH_MS));
  }

  private heard(bus: DBus, incoming: Incoming): void {
    this.listener.signal(incoming);
    if (this.streams.size === 0) return;
    const event = eventFrom(incoming, Date.now());
    if (!event) return;
    if ('element' in event) event.element = this.parts.era.out(event.element);
    const pid = incoming.sender && this.parts.apps?.knownPid(incoming.sender);
    if (pid) event.pid = pid;
    if (event.type !== 'focus') return this.tell(event);
    const place = this.watch ? this.focusWindow.of([incoming.sender!, incoming.path!], bus) : undefined;
    const { now = 0 } = this.watch?.titles ?? {};
    this.focusTold = Promise.all([focusWords(bus, incoming), place, this.focusTold]).then(async ([words, where]) => {
      const same = await this.keptTitle(now, where?.window);
      this.tell({ ...event, ...where, ...(same && words) });
    });
  }

  /** Words that were read while the window got another title may be those of a window that nobody may see. */
  private async keptTitle(since: number, window: string | undefined): Promise<boolean> {
    const titles = this.watch?.titles;
    if (!titles) return true;
    try {
      await titles.known();
      return !titles.changedSince(since, window);
    } catch (error) {
      debug('events', () => `the display is gone: ${String(error)}`); // `lost` is told by the watch itself.
      return false;
    }
  }

  private tell(event: DriverEvent): void {
    for (const queue of this.streams) queue.push(event);
    if (event.type === 'window') this.focusWindow.changed();
  }

  /** Without its bus the display is still watched: what was redirected before apps began could not be so once more. */
  private lose(reason: string, what: 'bus' | 'all' = 'all'): void {
    if (this.closed) return;
    this.why = reason;
    if (what === 'bus') this.bus = undefined;
    else this.disconnect();
    this.listener.lost();
    this.tell(lost(reason));
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

function lost(reason: string): DriverEvent {
  return { type: 'lost', at: Date.now(), reason };
}

/** That the display is gone is told by the watch itself, and to whoever lists. */
async function unlessGone<T>(asked: () => Promise<T>): Promise<T | undefined> {
  try {
    return await asked();
  } catch (error) {
    debug('events', () => `the display is gone: ${String(error)}`);
    return undefined;
  }
}
