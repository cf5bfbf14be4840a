import type { Attributes, XEvent } from 'x11';
import { Deadline, DesktopError } from '../../../../shared/index.js';
import type { Box } from '../../../../tree/index.js';
import type { DriverEvent } from '../../../contract/index.js';
import { OwnPixels } from '../../capture/window-pixels.js';
import { withProcesses } from '../../processes.js';
import type { Atoms } from '../atoms.js';
import type { X11Client } from '../client.js';
import { DamageWatch } from '../damage.js';
import { EventQueue, Pace } from '../event-queue.js';
import { type Monitor, type MonitorSource, readMonitors } from '../monitors.js';
import { sameIn, windowChanges } from './changes.js';
import { CurrentList } from './list-cache.js';
import { listWindows, type WindowList } from './list.js';
import { PassedTitles } from './title-history.js';
import { windowIdOf, type XWindow } from './window.js';

export interface WatchedDisplay {
  parts: { client: X11Client; atoms: Atoms; monitors: MonitorSource };
  close(): void;
}

export interface WatchListener {
  tell(event: DriverEvent): void;
  /** Pixels of this window change, at once and part by part; `tell` says so once a tick. */
  drawing?(window: XWindow, box: Box): void;
}

export interface WatchOptions {
  damage?: boolean;
  /**
   * Lets the server keep each window's pixels apart from the start, so that windows tell what they draw also while
   * others cover them. Without it that begins when somebody asks for `ownPixels`: every window is drawn anew then,
   * which a person would see.
   */
  redirect?: boolean;
}

const STRUCTURE_OF_CHILDREN = 0x80000;
const STRUCTURE = 0x20000;
const PROPERTIES = 0x400000;
/** Storms (a window dragged about, a title that counts) cost one listing in this time. */
const LISTING_GAP_MS = 25;

/** Listens to the server, lists the windows when something about them changed, and tells the difference. */
export class WindowWatch {
  /** Whether covered windows have told what they draw since the first of them came. */
  redirected = false;
  private own?: OwnPixels;
  private owning?: Promise<OwnPixels | undefined>;
  private known = new Map<number, XWindow>();
  /** Ids of the windows whose drawing is told for sure. */
  private readonly attended = new Set<string>();
  private readonly listing = new Pace(LISTING_GAP_MS, () => this.list());
  private damage?: DamageWatch;
  /** Numbers of the windows whose every change is told for sure. */
  private readonly listened = new Set<number>();
  private readonly current: CurrentList;
  readonly titles: PassedTitles;

  constructor(
    private readonly display: WatchedDisplay,
    private readonly listener: WatchListener,
    private readonly options: WatchOptions,
  ) {
    const { atoms, client } = display.parts;
    this.titles = new PassedTitles(client, atoms);
    this.current = new CurrentList(atoms);
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
    client.raw.on('event', (event: XEvent) => this.heard(event));
    client.tell((x) => x.ChangeWindowAttributes(client.root, { eventMask: STRUCTURE_OF_CHILDREN | PROPERTIES }));
    this.known = byNumber(await listWindows(this.display.parts));
    if (this.options.redirect) await this.redirect();
    await this.attend([...this.known.keys()]);
    // What changed between the listing and the moment we began to attend to each window.
    await this.listing.run();
  }

  stop(): void {
    this.listing.stop();
    this.damage?.stop();
    this.attended.clear();
    this.display.close();
  }

  /** As last listed, front to back. */
  get windows(): XWindow[] {
    return [...this.known.values()];
  }

  /** As they are now, front to back; undefined when that takes a new list. */
  async windowsNow(): Promise<XWindow[] | undefined> {
    const now = await this.unchanged();
    return now && withProcesses(now.windows);
  }

  /** Where they are now, and on which monitors; of their processes what was known when they were last listed. */
  async placesNow(): Promise<{ windows: XWindow[]; monitors: Monitor[] } | undefined> {
    const now = await this.unchanged();
    return now && { windows: this.windows, monitors: now.monitors };
  }

  private async unchanged(): Promise<(Pick<WindowList, 'windows'> & { monitors: Monitor[] }) | undefined> {
    const { client, monitors: source } = this.display.parts;
    const pastManager = new Map<number, boolean>();
    // That a window goes past its manager from now on, or no more, is told by nothing but this.
    const ask = async (xid: number): Promise<void> => {
      const attributes = await client.askGone<Attributes>((x, reply) => x.GetWindowAttributes(xid, reply));
      if (attributes) pastManager.set(xid, attributes.overrideRedirect !== 0);
    };
    // The answers come after all events of what happened before.
    const [monitors] = await Promise.all([
      readMonitors(client, source),
      client.sync(),
      ...[...this.known.keys()].map(ask),
    ]);
    const windows = this.current.unchanged(monitors);
    const same = windows?.every(({ xid, overrideRedirect }) => pastManager.get(xid) === overrideRedirect);
    return same ? { windows: windows!, monitors } : undefined;
  }

  /** Everything that this window draws from now on is told. */
  attends(id: string): boolean {
    return this.attended.has(id);
  }

  /** Resolves when all windows that are there now are known. */
  async catchUp(): Promise<void> {
    await this.listing.run(); // Perhaps one that began before.
    await this.listing.run();
  }

  /** Resolves when all that was drawn so far has been told. */
  sync(): Promise<void> {
    return this.display.parts.client.sync();
  }

  /** Which pixels are whose; undefined where the server cannot keep them apart. */
  ownPixels(): Promise<OwnPixels | undefined> {
    return (this.owning ??= this.keepApart());
  }

  private async keepApart(): Promise<OwnPixels | undefined> {
    const { client } = this.display.parts;
    const [composite, damage] = await Promise.all([client.extension('composite'), client.extension('damage')]);
    if (!composite || !damage) return undefined;
    this.own = new OwnPixels(client, damage, composite);
    await this.own.begin();
    return this.own;
  }

  private async redirect(): Promise<void> {
    const first = this.known.size === 0;
    this.redirected = (await this.ownPixels()) !== undefined && first;
  }

  private heard(event: XEvent): void {
    if (!isOfClient(event, this.display.parts.client.root) && this.own?.heard(event)) return;
    if (event.name === 'PropertyNotify') this.titles.changed(event.wid ?? 0, event.atom ?? 0);
    // A number may be given to another window at once, and nobody listens to that one yet.
    if (event.name === 'DestroyNotify' || event.name === 'CreateNotify') this.forget(event.wid ?? 0);
    if (event.name === 'DamageNotify') this.damage?.seen(event);
    else if (this.current.heard(event)) this.listing.ask();
  }

  private async attend(xids: readonly number[]): Promise<void> {
    const { client } = this.display.parts;
    for (const xid of xids) {
      client.tell((x) => x.ChangeWindowAttributes(xid, { eventMask: STRUCTURE | PROPERTIES }));
      this.damage?.watch(xid);
      // Before the server has done so: it is done before it answers anything else, and who goes meanwhile is forgotten.
      this.listened.add(xid);
      if (this.damage) this.attended.add(windowIdOf(xid));
    }
    await client.sync();
  }

  private forget(xid: number): void {
    this.damage?.forget(xid);
    this.listened.delete(xid);
    this.attended.delete(windowIdOf(xid));
  }

  private async list(): Promise<void> {
    const { mark } = this.current;
    const listened = new Set(this.listened);
    const list = await listWindows(this.display.parts);
    const after = byNumber(list);
    const before = this.known;
    this.known = after;
    for (const window of before.values()) if (!sameIn(after, window)) this.forget(window.xid);
    for (const event of windowChanges(before, after, Date.now())) this.listener.tell(event);
    this.current.keep(
      list,
      mark,
      [...after.keys()].every((xid) => listened.has(xid) && this.listened.has(xid)),
    );
    const came = [...after.keys()].filter((xid) => !this.listened.has(xid));
    if (came.length === 0) return;
    await this.attend(came);
    // A new window's title may have changed before we listened to it.
    this.listing.ask();
  }

  private drawing(xid: number, box: Box): void {
    const window = this.known.get(xid);
    if (window) this.listener.drawing?.(window, box);
  }

  private drawn(xid: number, box: Box): void {
    const window = this.known.get(xid);
    if (!window) return;
    this.listener.tell({
      type: 'damage',
      at: Date.now(),
      window: window.id,
      box,
      ...(window.pid !== undefined && { pid: window.pid }),
    });
  }
}

const byNumber = ({ windows }: WindowList): Map<number, XWindow> =>
  new Map(withProcesses(windows).map((window) => [window.xid, window]));

/** Told because a window itself is listened to, and not as one of the root's children. */
function isOfClient({ name, event, wid }: XEvent, root: number): boolean {
  if (name === 'ConfigureNotify') return wid !== root;
  return event !== undefined && event !== root;
}

/** `ready` resolves when changes from now on are told; it never rejects: a failure is a `lost` event. */
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
  const queue = new EventQueue<DriverEvent>(QUEUE_LIMIT, () => lost('Events came faster than they were read.'));
  let watch: WindowWatch | undefined;
  const stop = (): void => {
    watch?.stop();
    queue.end();
  };
  const start = async (): Promise<void> => {
    try {
      const display = await open(Deadline.in(OPEN_MS, signal));
      watch = new WindowWatch(display, { tell: (event) => queue.push(event) }, options);
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
  signal.addEventListener('abort', stop, { once: true });
  const ready = signal.aborted ? Promise.resolve(stop()) : start();
  return {
    ready,
    async *[Symbol.asyncIterator]() {
      try {
        yield* queue;
      } finally {
        signal.removeEventListener('abort', stop);
        stop();
      }
    },
  };
}
