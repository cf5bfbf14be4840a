import type { ExtensionInfo, InputExtension, XEvent } from 'x11';
import { debug, Deadline, DesktopError } from '../../../shared/index.js';
import type { X11Client } from '../x/x11-client.js';
import type { HumanEvent, HumanEvents, HumanOptions } from '../../contract/index.js';
import { HumanSigns } from './human-signs.js';
import { readDevices, type Devices } from './input-devices.js';
import { ESCAPE } from './keysyms.js';
import type { Environment } from '../session.js';
import { connect } from './open-hands.js';
import { PendingEvents } from './pending-events.js';

const OPEN_MS = 5000;
const MAPPING_NOTIFY = 34;
const WATCHED = ['RawKeyPress', 'RawKeyRelease', 'RawButtonPress', 'RawButtonRelease', 'RawMotion', 'RawTouchBegin'];
const DEVICES_CHANGED = 'HierarchyChanged';

/**
 * A person's input, until `signal` aborts. The server says from which device input comes, and has devices of its own
 * for what programs inject: that is not told, whoever injected it. A grab of the keyboard or pointer hides nothing.
 */
export function watchHumans(env: Environment, { signal, recentMs = 0 }: HumanOptions): HumanEvents {
  const pending = new PendingEvents<HumanEvent>();
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
