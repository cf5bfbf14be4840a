import type { XEvent } from 'x11';
import { Deadline, DesktopError } from '../../../shared/index.js';
import type { DriverEvent } from '../../contract/index.js';
import type { Atoms } from './atoms.js';
import { DamageWatch } from './damage-watch.js';
import { EventQueue } from './event-queue.js';
import type { MonitorSource } from './monitors.js';
import { Pace } from './pace.js';
import { windowChanges } from './window-changes.js';
import { listWindows } from './windows.js';
import type { X11Client } from './x11-client.js';
import type { XWindow } from './x-window.js';

export interface WatchedDisplay {
  parts: { client: X11Client; atoms: Atoms; monitors: MonitorSource };
  close(): void;
}

/** `ready` resolves when changes from now on are told; it never rejects: a failure is a `lost` event. */
export interface WindowEvents extends AsyncIterable<DriverEvent> {
  readonly ready: Promise<void>;
}

const STRUCTURE_OF_CHILDREN = 0x80000;
const PROPERTIES = 0x400000;
const QUEUE_LIMIT = 2000;
const OPEN_MS = 5000;
/** Storms (a window dragged about, a title that counts) cost one listing in this time. */
const LISTING_GAP_MS = 25;

const RESTACKING: ReadonlySet<string> = new Set([
  'MapNotify',
  'UnmapNotify',
  'DestroyNotify',
  'ReparentNotify',
  'ConfigureNotify',
  'CirculateNotify',
]);

export function watchWindows(
  open: (deadline: Deadline) => Promise<WatchedDisplay>,
  signal: AbortSignal,
  options: { damage?: boolean } = {},
): WindowEvents {
  const lost = (reason: string): DriverEvent => ({ type: 'lost', at: Date.now(), reason });
  const queue = new EventQueue<DriverEvent>(QUEUE_LIMIT, () => lost('Events came faster than they were read.'));
  let watch: Watch | undefined;
  const stop = (): void => {
    watch?.stop();
    queue.end();
  };
  const start = async (): Promise<void> => {
    try {
      const display = await open(Deadline.in(OPEN_MS, signal));
      watch = new Watch(display, (event) => queue.push(event), options.damage ?? true);
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

/** Listens to the server, lists the windows when something about them changed, and tells the difference. */
class Watch {
  private known = new Map<number, XWindow>();
  private readonly listing = new Pace(LISTING_GAP_MS, () => this.list());
  private damage?: DamageWatch;
  private readonly telling: ReadonlySet<number>;

  constructor(
    private readonly display: WatchedDisplay,
    private readonly tell: (event: DriverEvent) => void,
    private readonly wantDamage: boolean,
  ) {
    const { atoms } = display.parts;
    this.telling = new Set([
      atoms._NET_CLIENT_LIST,
      atoms._NET_CLIENT_LIST_STACKING,
      atoms._NET_ACTIVE_WINDOW,
      atoms._NET_WM_NAME,
      atoms.WM_NAME,
      atoms._NET_WM_STATE,
      atoms.WM_STATE,
      atoms._NET_FRAME_EXTENTS,
      atoms._GTK_FRAME_EXTENTS,
      atoms._NET_SUPPORTING_WM_CHECK,
    ]);
  }

  async begin(): Promise<void> {
    const { client } = this.display.parts;
    const extension = this.wantDamage ? await client.extension('damage') : undefined;
    if (extension) this.damage = new DamageWatch(client, extension, (xid, box) => this.drawn(xid, box));
    client.raw.on('event', (event: XEvent) => this.heard(event));
    client.tell((x) => x.ChangeWindowAttributes(client.root, { eventMask: STRUCTURE_OF_CHILDREN | PROPERTIES }));
    this.known = await this.read();
    for (const xid of this.known.keys()) this.attend(xid);
    // What changed between the listing and the moment we began to attend to each window.
    await client.sync();
    await this.listing.run();
  }

  stop(): void {
    this.listing.stop();
    this.damage?.stop();
    this.display.close();
  }

  private heard(event: XEvent): void {
    if (event.name === 'DamageNotify') this.damage?.seen(event);
    else if (event.name === 'PropertyNotify' ? this.telling.has(event.atom ?? 0) : RESTACKING.has(event.name ?? '')) {
      this.listing.ask();
    }
  }

  private attend(xid: number): void {
    const { client } = this.display.parts;
    client.tell((x) => x.ChangeWindowAttributes(xid, { eventMask: PROPERTIES }));
    this.damage?.watch(xid);
  }

  private async read(): Promise<Map<number, XWindow>> {
    const windows = await listWindows(this.display.parts);
    return new Map(windows.map((window) => [window.xid, window]));
  }

  private async list(): Promise<void> {
    const after = await this.read();
    const before = this.known;
    this.known = after;
    let attended = false;
    for (const xid of after.keys()) {
      if (before.has(xid)) continue;
      this.attend(xid);
      attended = true;
    }
    for (const xid of before.keys()) if (!after.has(xid)) this.damage?.forget(xid);
    for (const event of windowChanges(before, after, Date.now())) this.tell(event);
    // A new window's title may have changed before we listened to it.
    if (attended) this.listing.ask();
  }

  private drawn(xid: number, box: { x: number; y: number; width: number; height: number }): void {
    const window = this.known.get(xid);
    if (!window) return;
    this.tell({
      type: 'damage',
      at: Date.now(),
      window: window.id,
      box,
      ...(window.pid !== undefined && { pid: window.pid }),
    });
  }
}
