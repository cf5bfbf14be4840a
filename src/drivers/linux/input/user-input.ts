import type { ExtensionInfo, InputDevice, InputExtension, XEvent } from 'x11';
import { Deadline, debug, DesktopError } from '../../../shared/index.js';
import type { UserInputEvent, UserInputEvents, UserInputKind, UserInputOptions } from '../../contract/index.js';
import type { Environment } from '../session-bus.js';
import { internAtom } from '../x11/atoms.js';
import { type X11Client, XRequestError } from '../x11/client.js';
import { LatestEvents, streamEvents } from '../x11/event-queue.js';
import { encodeNumbers } from '../x11/wire.js';
import { connect } from './input-device.js';
import { ESCAPE } from './keysyms.js';

const OPEN_MS = 5000;
const MAPPING_NOTIFY = 34;
const SCREEN_SAVER_QUERY_INFO = 1;
const XI_GET_PROPERTY = 59;
const WATCHED_EVENTS = [
  'RawKeyPress',
  'RawKeyRelease',
  'RawButtonPress',
  'RawButtonRelease',
  'RawMotion',
  'RawTouchBegin',
];
const DEVICES_CHANGED = 'HierarchyChanged';

/**
 * The user's input, until `signal` aborts. The server reports the source device of each input, and has its own devices
 * for injected input. Input from those is ignored, no matter which program injected it. A grab of the keyboard or
 * pointer hides nothing.
 */
export function watchUserInput(env: Environment, { signal, recentMs = 0 }: UserInputOptions): UserInputEvents {
  const pending = new LatestEvents<UserInputEvent>();
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
      const classifier = new UserInputClassifier((kind) =>
        pending.push(kind, { type: 'userInput', kind, at: Date.now() }),
      );
      const deadline = Deadline.in(OPEN_MS, signal);
      await deadline.race(listenToDevices(client, classifier), 'Listening to the input devices');
      const idle = recentMs > 0 ? await deadline.race(idleMs(client), 'Reading the time of the last input') : Infinity;
      if (idle < recentMs) {
        const at = Date.now() - idle;
        for (const kind of ['motion', 'key'] as const) pending.push(kind, { type: 'userInput', kind, at });
      }
    } catch (error) {
      if (!signal.aborted) lost(error instanceof DesktopError ? error.message : String(error));
      stop();
    }
  };
  return streamEvents(signal, { events: pending, start, stop });
}

/** The time since the last input from any device. Infinity if the server does not support the query. */
async function idleMs(client: X11Client): Promise<number> {
  const saver = await client.request<ExtensionInfo>((x, reply) => x.QueryExtension('MIT-SCREEN-SAVER', reply));
  if (!saver.present) return Infinity;
  const request = encodeNumbers(saver.majorOpcode, SCREEN_SAVER_QUERY_INFO, client.root);
  return client.requestRaw(request, (body) => body.readUInt32LE(8));
}

async function listenToDevices(client: X11Client, classifier: UserInputClassifier): Promise<void> {
  const extension = await client.extension('xinput');
  if (!extension?.xi2) {
    throw new DesktopError(
      'not_supported',
      `Display ${client.name.text} does not report which device input comes from.`,
    );
  }
  const info = new DeviceInfo(client, extension);
  client.raw.on('event', (event: XEvent) => {
    if (event.type === MAPPING_NOTIFY) info.refreshKeys();
    else if (event.name === `XI${DEVICES_CHANGED}`) info.refreshDevices();
    else if (event.sourceId !== undefined) classifyEvent(event, info, classifier);
  });
  client.send(() =>
    extension.XISelectEvents(client.root, [
      { deviceId: extension.AllMasterDevices, mask: WATCHED_EVENTS },
      { deviceId: extension.AllDevices, mask: [DEVICES_CHANGED] },
    ]),
  );
  await Promise.all([info.readKeys(), info.readDevices()]);
  info.complete = true;
}

function classifyEvent(
  { name, sourceId, detail = 0, valuators = {} }: XEvent,
  info: DeviceInfo,
  classifier: UserInputClassifier,
): void {
  if (!info.complete || info.devices.injected.has(sourceId!)) return;
  const now = performance.now();
  if (name === 'XIRawMotion') {
    const { pixel_width: width, pixel_height: height } = info.client.screen;
    classifier.motion(info.devices.axes.get(sourceId!) ?? [], [valuators[0], valuators[1]], [width, height], now);
  } else if (name === 'XIRawKeyPress') classifier.keyDown(detail, info.escapeKeys.has(detail), now);
  else if (name === 'XIRawKeyRelease') classifier.keyUp(detail);
  else classifier.button();
}

/** Which devices inject input, and which keys are Escape. Read again when the server reports a change. */
class DeviceInfo {
  devices: Devices = { injected: new Set(), axes: new Map() };
  escapeKeys: ReadonlySet<number> = new Set();
  /** Until this is true, user input cannot be distinguished from injected input. */
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
    const rows = await this.client.request<number[][]>((x, reply) =>
      x.GetKeyboardMapping(first, last - first + 1, reply),
    );
    this.escapeKeys = new Set(rows.flatMap((row, index) => (row[0] === ESCAPE ? [first + index] : [])));
  }

  refreshDevices(): void {
    this.readDevices().catch(logReadFailure);
  }

  refreshKeys(): void {
    this.readKeys().catch(logReadFailure);
  }
}

/** The connection is lost; its owner reports that. */
function logReadFailure(error: unknown): void {
  debug('input', () => `input devices not read: ${String(error)}`);
}

/** One axis of a device. */
export interface Axis {
  /** The device reports positions, not distances. */
  absolute: boolean;
  min: number;
  max: number;
  value: number;
}

/** A bumped desk moves the mouse by less. */
const MOTION_PX = 4;
const MOTION_PAUSE_MS = 1000;
const MOTION_EVERY_MS = 50;
const DOUBLE_ESCAPE_MS = 500;

/** Classifies the reports of the user's devices. Times are in milliseconds, of any clock. */
export class UserInputClassifier {
  private travelled = 0;
  private lastMotionAt = -Infinity;
  private reportedAt = -Infinity;
  private escapeAt = -Infinity;
  private readonly down = new Set<number>();

  constructor(private readonly report: (kind: UserInputKind) => void) {}

  /**
   * `axes` are the device's axes, `values` its reported values; `screen` is the size of the screen in each direction.
   */
  motion(
    axes: readonly (Axis | undefined)[],
    values: readonly (number | undefined)[],
    screen: number[],
    now: number,
  ): void {
    const [x, y] = [0, 1].map((index) => distance(axes[index], values[index], screen[index] ?? 0));
    if (now - this.lastMotionAt > MOTION_PAUSE_MS) this.travelled = 0;
    this.lastMotionAt = now;
    this.travelled += Math.hypot(x!, y!);
    if (this.travelled < MOTION_PX || now - this.reportedAt < MOTION_EVERY_MS) return;
    this.travelled = 0;
    this.reportedAt = now;
    this.report('motion');
  }

  button(): void {
    this.report('button');
  }

  /** Escape twice is an emergency stop. Escape held down is not. */
  keyDown(keycode: number, escape: boolean, now: number): void {
    const repeated = this.down.has(keycode);
    this.down.add(keycode);
    this.report('key');
    if (repeated) return;
    if (!escape) this.escapeAt = -Infinity;
    else if (now - this.escapeAt <= DOUBLE_ESCAPE_MS) {
      this.escapeAt = -Infinity;
      this.report('stop');
    } else this.escapeAt = now;
  }

  keyUp(keycode: number): void {
    this.down.delete(keycode);
    this.report('key');
  }
}

/** In pixels. An absolute device counts in its own units unless it reports no limits. */
function distance(axis: Axis | undefined, value: number | undefined, screen: number): number {
  if (value === undefined) return 0;
  if (!axis?.absolute) return value;
  const way = value - axis.value;
  axis.value = value;
  return axis.max > axis.min ? (way / (axis.max - axis.min)) * screen : way;
}

const VALUATOR = 2;
const ABSOLUTE = 1;

/** The devices that inject input, and the axes of all devices. */
interface Devices {
  injected: ReadonlySet<number>;
  axes: ReadonlyMap<number, (Axis | undefined)[]>;
}

export async function readDevices(client: X11Client, extension: InputExtension): Promise<Devices> {
  const [devices, property] = await Promise.all([
    client.request<InputDevice[]>((_, reply) => extension.XIQueryDevice(extension.AllDevices, reply)),
    // The server sets this property on its own devices for injection. Their names also show it, but any device can have
    // any name.
    internAtom(client, 'XTEST Device', true),
  ]);
  const isMarked = await Promise.all(
    devices.map(({ deviceId }) => isInjectionDevice(client, extension, deviceId, property)),
  );
  return {
    injected: new Set(devices.filter((_, index) => isMarked[index]).map(({ deviceId }) => deviceId)),
    axes: new Map(devices.map((device) => [device.deviceId, axesOf(device)])),
  };
}

async function isInjectionDevice(
  client: X11Client,
  { majorOpcode }: InputExtension,
  id: number,
  property: number,
): Promise<boolean> {
  if (property === 0) return false;
  const request = encodeNumbers(majorOpcode, XI_GET_PROPERTY, id, property, 0, 0, 1);
  try {
    return await client.requestRaw(request, (body) => body.readUInt32LE(8) > 0 && body[24] === 1);
  } catch (error) {
    if (error instanceof XRequestError) return false; // Unplugged since: it sends no more reports.
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
