import type { ExtensionInfo, InputDevice, InputExtension, XEvent } from 'x11';
import { Deadline, debug, DesktopError } from '../../../shared/index.js';
import type { UserInputEvent, UserInputEvents, UserInputKind, UserInputOptions } from '../../contract/index.js';
import type { Environment } from '../session-bus.js';
import { internAtom } from '../x11/atoms.js';
import { type X11Client, XRequestError } from '../x11/client.js';
import { PendingEvents } from '../x11/event-queue.js';
import { connect } from './input-device.js';
import { ESCAPE } from './keysyms.js';

const OPEN_MS = 5000;
const MAPPING_NOTIFY = 34;
const WATCHED = ['RawKeyPress', 'RawKeyRelease', 'RawButtonPress', 'RawButtonRelease', 'RawMotion', 'RawTouchBegin'];
const DEVICES_CHANGED = 'HierarchyChanged';

/**
 * A person's input, until `signal` aborts. The server says from which device input comes, and has devices of its own
 * for what programs inject: that is not told, whoever injected it. A grab of the keyboard or pointer hides nothing.
 */
export function watchHumans(env: Environment, { signal, recentMs = 0 }: UserInputOptions): UserInputEvents {
  const pending = new PendingEvents<UserInputEvent>();
  const lost = (reason: string): void => pending.push('lost', { type: 'lost', reason, at: Date.now() });
  let client: X11Client | undefined;
  const stop = (): void => {
    client?.close();
    pending.end();
  };
  const start = async (): Promise<void> => {
    try {
      client = await connect(env, Deadline.in(OPEN_MS, signal));
      client.onLost((error) => {
        lost(error.message);
        stop();
      });
      const signs = new HumanSigns((kind) => pending.push(kind, { type: 'human', kind, at: Date.now() }));
      const deadline = Deadline.in(OPEN_MS, signal);
      await deadline.race(listen(client, signs), 'Listening to the devices');
      const idle = recentMs > 0 ? await deadline.race(idleMs(client), 'Asking for the last input') : Infinity;
      if (idle < recentMs) {
        const at = Date.now() - idle;
        for (const kind of ['motion', 'key'] as const) pending.push(kind, { type: 'human', kind, at });
      }
    } catch (error) {
      if (!signal.aborted) lost(error instanceof DesktopError ? error.message : String(error));
      stop();
    }
  };
  signal.addEventListener('abort', stop, { once: true });
  const ready = signal.aborted ? Promise.resolve(stop()) : start();
  return {
    ready,
    async *[Symbol.asyncIterator]() {
      try {
        yield* pending;
      } finally {
        signal.removeEventListener('abort', stop);
        stop();
      }
    },
  };
}

/** How long ago the last input came, from whatever device; a server that does not know says nothing of it. */
async function idleMs(client: X11Client): Promise<number> {
  const saver = await client.ask<ExtensionInfo>((x, reply) => x.QueryExtension('MIT-SCREEN-SAVER', reply));
  if (!saver.present) return Infinity;
  const request = Buffer.alloc(8);
  request[0] = saver.majorOpcode;
  request[1] = 1; // QueryInfo
  request.writeUInt16LE(2, 2);
  request.writeUInt32LE(client.root, 4);
  return client.askRaw(request, (body) => body.readUInt32LE(8));
}

async function listen(client: X11Client, signs: HumanSigns): Promise<void> {
  const extension = await client.extension('xinput');
  if (!extension?.xi2) {
    throw new DesktopError('not_supported', `Display ${client.name.text} does not say which device input comes from.`);
  }
  const knowledge = new Knowledge(client, extension);
  client.raw.on('event', (event: XEvent) => {
    if (event.type === MAPPING_NOTIFY) knowledge.askForKeys();
    else if (event.name === `XI${DEVICES_CHANGED}`) knowledge.askForDevices();
    else if (event.sourceId !== undefined) take(event, knowledge, signs);
  });
  client.tell(() =>
    extension.XISelectEvents(client.root, [
      { deviceId: extension.AllMasterDevices, mask: WATCHED },
      { deviceId: extension.AllDevices, mask: [DEVICES_CHANGED] },
    ]),
  );
  await Promise.all([knowledge.readKeys(), knowledge.readDevices()]);
  knowledge.complete = true;
}

function take({ name, sourceId, detail = 0, valuators = {} }: XEvent, known: Knowledge, signs: HumanSigns): void {
  if (!known.complete || known.devices.injected.has(sourceId!)) return;
  const now = performance.now();
  if (name === 'XIRawMotion') {
    const { pixel_width: width, pixel_height: height } = known.client.screen;
    signs.motion(known.devices.axes.get(sourceId!) ?? [], [valuators[0], valuators[1]], [width, height], now);
  } else if (name === 'XIRawKeyPress') signs.keyDown(detail, known.escapeKeys.has(detail), now);
  else if (name === 'XIRawKeyRelease') signs.keyUp(detail);
  else signs.button();
}

/** Which devices are for injection, and which keys are Escape; read again when the server says that it changed. */
class Knowledge {
  devices: Devices = { injected: new Set(), axes: new Map() };
  escapeKeys: ReadonlySet<number> = new Set();
  /** Before, nothing can be told apart. */
  complete = false;

  constructor(
    readonly client: X11Client,
    private readonly extension: InputExtension,
  ) {}

  async readDevices(): Promise<void> {
    this.devices = await readDevices(this.client, this.extension);
  }

  async readKeys(): Promise<void> {
    const { min_keycode: first, max_keycode: last } = this.client.setup;
    const rows = await this.client.ask<number[][]>((x, reply) => x.GetKeyboardMapping(first, last - first + 1, reply));
    this.escapeKeys = new Set(rows.flatMap((row, index) => (row[0] === ESCAPE ? [first + index] : [])));
  }

  askForDevices(): void {
    this.readDevices().catch(dropped);
  }

  askForKeys(): void {
    this.readKeys().catch(dropped);
  }
}

/** The connection is gone; its owner tells. */
function dropped(error: unknown): void {
  debug('input', () => `devices not read: ${String(error)}`);
}

/** One direction in which a device moves. */
export interface Axis {
  /** The device says where it is, not how far it went. */
  absolute: boolean;
  min: number;
  max: number;
  value: number;
}

/** A desk that is bumped moves the mouse by less. */
const MOTION_PX = 4;
const MOTION_PAUSE_MS = 1000;
const MOTION_EVERY_MS = 50;
const DOUBLE_ESCAPE_MS = 500;

/** What a person's devices report, and what it means. Times are in milliseconds, of any clock. */
export class HumanSigns {
  private way = 0;
  private movedAt = -Infinity;
  private toldAt = -Infinity;
  private escapeAt = -Infinity;
  private readonly down = new Set<number>();

  constructor(private readonly tell: (kind: UserInputKind) => void) {}

  /** `axes` are those of the device, `values` what it reports; `screen` is how far the pointer can go each way. */
  motion(
    axes: readonly (Axis | undefined)[],
    values: readonly (number | undefined)[],
    screen: number[],
    now: number,
  ): void {
    const [x, y] = [0, 1].map((index) => distance(axes[index], values[index], screen[index] ?? 0));
    if (now - this.movedAt > MOTION_PAUSE_MS) this.way = 0;
    this.movedAt = now;
    this.way += Math.hypot(x!, y!);
    if (this.way < MOTION_PX || now - this.toldAt < MOTION_EVERY_MS) return;
    this.way = 0;
    this.toldAt = now;
    this.tell('motion');
  }

  button(): void {
    this.tell('button');
  }

  /** Escape twice is a wish to stop; Escape held down is not. */
  keyDown(keycode: number, escape: boolean, now: number): void {
    const repeated = this.down.has(keycode);
    this.down.add(keycode);
    this.tell('key');
    if (repeated) return;
    if (!escape) this.escapeAt = -Infinity;
    else if (now - this.escapeAt <= DOUBLE_ESCAPE_MS) {
      this.escapeAt = -Infinity;
      this.tell('stop');
    } else this.escapeAt = now;
  }

  keyUp(keycode: number): void {
    this.down.delete(keycode);
    this.tell('key');
  }
}

/** In pixels. An absolute device counts in steps of its own unless it says that it has no limits. */
function distance(axis: Axis | undefined, value: number | undefined, screen: number): number {
  if (value === undefined) return 0;
  if (!axis?.absolute) return value;
  const way = value - axis.value;
  axis.value = value;
  return axis.max > axis.min ? (way / (axis.max - axis.min)) * screen : way;
}

const VALUATOR = 2;
const ABSOLUTE = 1;

/** The devices through which programs inject input, and how all others move. */
export interface Devices {
  injected: ReadonlySet<number>;
  axes: ReadonlyMap<number, (Axis | undefined)[]>;
}

export async function readDevices(client: X11Client, extension: InputExtension): Promise<Devices> {
  const [devices, mark] = await Promise.all([
    client.ask<InputDevice[]>((_, reply) => extension.XIQueryDevice(extension.AllDevices, reply)),
    // Set by the server on its own devices for injection. Their names say it too, but any device can have any name.
    internAtom(client, 'XTEST Device', true),
  ]);
  const marked = await Promise.all(devices.map(({ deviceId }) => isMarked(client, extension, deviceId, mark)));
  return {
    injected: new Set(devices.filter((_, index) => marked[index]).map(({ deviceId }) => deviceId)),
    axes: new Map(devices.map((device) => [device.deviceId, axesOf(device)])),
  };
}

async function isMarked(
  client: X11Client,
  { majorOpcode }: InputExtension,
  id: number,
  mark: number,
): Promise<boolean> {
  if (mark === 0) return false;
  const request = Buffer.alloc(24);
  request[0] = majorOpcode;
  request[1] = 59; // XIGetProperty
  request.writeUInt16LE(6, 2);
  request.writeUInt16LE(id, 4);
  request.writeUInt32LE(mark, 8);
  request.writeUInt32LE(1, 20);
  try {
    return await client.askRaw(request, (body) => body.readUInt32LE(8) > 0 && body[24] === 1);
  } catch (error) {
    if (error instanceof XRequestError) return false; // Unplugged in the meantime: it reports nothing any more.
    throw error;
  }
}

function axesOf({ classes }: InputDevice): (Axis | undefined)[] {
  const axes: (Axis | undefined)[] = [];
  for (const { type, number, mode, min = 0, max = 0, value = 0 } of classes) {
    if (type === VALUATOR && number !== undefined && number < 2) {
      axes[number] = { absolute: mode === ABSOLUTE, min, max, value };
    }
  }
  return axes;
}
