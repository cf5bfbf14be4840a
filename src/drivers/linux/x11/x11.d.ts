/** The small part of npm `x11` that the driver uses; the package has no types of its own. */
declare module 'x11' {
  import type { EventEmitter } from 'node:events';
  import type { Socket } from 'node:net';

  /** An error reply of the server has its code in `error`; other errors are failures of the connection. */
  export interface XServerError extends Error {
    error?: number;
    majorOpcode?: number;
  }

  /** Returns true if the error was handled; otherwise the client emits it. */
  export type Reply<T> = (error: XServerError | null | undefined, value: T) => boolean;

  export interface Property {
    type: number;
    format: number;
    bytesAfter: number;
    data: Buffer;
  }
  export interface Tree {
    root: number;
    parent: number;
    children: number[];
  }
  export interface Attributes {
    visual: number;
    /** 1 InputOutput, 2 InputOnly. */
    klass: number;
    /** 0 unmapped, 1 unviewable, 2 viewable. */
    mapState: number;
    overrideRedirect: number;
  }
  export interface Geometry {
    depth: number;
    xPos: number;
    yPos: number;
    width: number;
    height: number;
    borderWidth: number;
  }
  export interface Translated {
    child: number;
    destX: number;
    destY: number;
  }
  export interface ExtensionInfo {
    present: number;
    majorOpcode: number;
    firstEvent: number;
  }
  export interface Visual {
    red_mask: number;
    green_mask: number;
    blue_mask: number;
  }
  export interface Screen {
    root: number;
    root_visual: number;
    pixel_width: number;
    pixel_height: number;
    root_depth: number;
    depths: Record<string, Record<string, Visual>>;
  }
  export interface Setup {
    screen: Screen[];
    vendor: string;
    release: number;
    resource_mask: number;
    /** 0 least significant byte first, 1 most significant byte first. */
    image_byte_order: number;
    format: Record<string, { bits_per_pixel: number; scanline_pad: number }>;
  }
  export interface XEvent {
    name?: string;
    /** The window that the event was selected on, in events about another window's position. */
    event?: number;
    wid?: number;
    wid1?: number;
    parent?: number;
    atom?: number;
    /** PropertyNotify: 0 new or changed, 1 deleted. */
    state?: number;
    overrideRedirect?: number;
    width?: number;
    height?: number;
    borderWidth?: number;
    drawable?: number;
    damage?: number;
    /** XFixes: the new owner of a selection; 0 if it has none now. */
    owner?: number;
    selection?: number;
    area?: { x: number; y: number; w: number; h: number };
    geometry?: { x: number; y: number; w: number; h: number };
  }

  export interface ResExtension {
    QueryClientIds(
      specs: { client: number; mask: number }[],
      reply: Reply<{ client: number; mask: number; value: number[] }[]>,
    ): void;
  }
  export interface DamageExtension {
    ReportLevel: { DeltaRectangles: number };
    Create(damage: number, drawable: number, level: number): void;
    Destroy(damage: number): void;
    Subtract(damage: number, repair: number, parts: number): void;
  }
  export interface CompositeExtension {
    Redirect: { Automatic: number };
    RedirectSubwindows(window: number, update: number): void;
    NameWindowPixmap(window: number, pixmap: number): void;
  }
  export interface CursorImage {
    x: number;
    y: number;
    width: number;
    height: number;
    /** The hot spot, relative to the top left corner. */
    xhot: number;
    yhot: number;
    /** 4 bytes per pixel: blue, green, red, alpha; colours are premultiplied with alpha. */
    cursorImage: Buffer;
  }
  export interface FixesExtension {
    SelectionEventMask: { SetSelectionOwner: number };
    SelectSelectionInput(window: number, selection: number, mask: number): void;
    GetCursorImage(reply: Reply<CursorImage>): void;
  }
  export interface ShmSegment {
    buffer: Buffer;
    size: number;
    getImage(
      drawable: number,
      x: number,
      y: number,
      width: number,
      height: number,
      planeMask: number,
      format: number,
      offset: number,
      reply: Reply<{ depth: number; size: number }>,
    ): void;
    detach(done?: () => void): void;
  }
  export interface ShmExtension {
    createSegment(size: number, reply: Reply<ShmSegment>): void;
  }
  export interface Extensions {
    res: ResExtension;
    damage: DamageExtension;
    composite: CompositeExtension;
    shm: ShmExtension;
    fixes: FixesExtension;
  }

  export interface Client extends EventEmitter {
    seq_num: number;
    replies: Record<number, [((body: Buffer, detail: number) => unknown) | null, Reply<never>]>;
    pack_stream: { stats: { packets: number; writes: number }; put(bytes: Buffer): void; submit(reply: boolean): void };
    GetProperty(
      remove: 0,
      window: number,
      name: number,
      type: number,
      offset: number,
      length: number,
      reply: Reply<Property>,
    ): void;
    QueryTree(window: number, reply: Reply<Tree>): void;
    GetWindowAttributes(window: number, reply: Reply<Attributes>): void;
    GetGeometry(window: number, reply: Reply<Geometry>): void;
    TranslateCoordinates(from: number, to: number, x: number, y: number, reply: Reply<Translated>): void;
    GetInputFocus(reply: Reply<{ focus: number }>): void;
    QueryExtension(name: string, reply: Reply<ExtensionInfo>): void;
    GetImage(
      format: number,
      drawable: number,
      x: number,
      y: number,
      width: number,
      height: number,
      planeMask: number,
      reply: Reply<{ depth: number; data: Buffer }>,
    ): void;
    ChangeWindowAttributes(window: number, values: { eventMask: number }): void;
    /** Called for a request without a reply whose caller wants to know that it succeeded. */
    _scheduleVoidSync(sequence: number): void;
    /** Called for every packet: notifies those callers up to `sequence` of success. */
    _sweepVoid(sequence: number): void;
    GrabServer(): void;
    UngrabServer(): void;
    FreePixmap(pixmap: number): void;
    SendEvent(window: number, propagate: 0 | 1, eventMask: number, event: Buffer): void;
    ClearArea(window: number, x: number, y: number, width: number, height: number, exposures: 0 | 1): void;
    AllocID(): number;
    ReleaseID(id: number): void;
    require<K extends keyof Extensions>(name: K, reply: Reply<Extensions[K]>): void;
    terminate(): void;
  }

  export interface SharedMemory {
    flavor: 'fd';
    zeroCopy: false;
    create(size: number): { size: number; fd: number; buffer: Buffer };
    commit(): void;
    sync(): void;
    destroy(segment: { fd: number }): void;
  }
  export interface ClientOptions {
    /** `:0`; only its syntax matters if a stream is given. */
    display: string;
    stream: Socket;
    auth: { name: string; data: string | Buffer };
    disableBigRequests?: boolean;
    bufferRequests?: { flushOnReply?: boolean; maxDelay?: number };
    shm?: SharedMemory | false;
  }
  export function createClient(options: ClientOptions, done: (error: Error | undefined, setup: Setup) => void): Client;
}

declare module 'x11/lib/fdpass.js' {
  import type { Socket } from 'node:net';
  /** A local socket that can also send file descriptors; null if this Node does not support that. */
  export function connect(path: string): Socket | null;
}
