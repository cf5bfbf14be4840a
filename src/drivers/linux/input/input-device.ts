import { Deadline, debug, DesktopError } from '../../../shared/index.js';
import type { Point } from '../../../tree/index.js';
import {
  OPEN_GATE,
  type ActCheckpoints,
  type ActOptions,
  type ActStep,
  type CallOptions,
  type Checkpointed,
  type CheckpointGate,
  type CheckpointName,
  type Chord,
  type ClickOptions,
  type DragOptions,
  type InputDevice,
  type PressOptions,
  type Typed,
  type TypeOptions,
} from '../../contract/index.js';
import type { Environment } from '../session-bus.js';
import { readAuthFile } from '../x11/authority.js';
import { X11Client } from '../x11/client.js';
import { noDisplayError } from '../x11/display-errors.js';
import { parseDisplayName } from '../x11/display.js';
import { Injector, InputTransaction } from './injector.js';
import { type AppActivity, Keyboard } from './keyboard.js';
import { Mouse } from './mouse.js';
import type { GuardSetup } from './release-guard-process.js';
import { ReleaseGuard } from './release-guard.js';
import { ServerState } from './server-state.js';
import { KEYSYM_READ_DELAY_MS } from './undo-list.js';
import { ignoreGrabs, useKeyboard } from './xtest-requests.js';

const RELEASE_MS = 1000;
const CLOSE_MS = 5000;
/** How long an app may take to process its input before its tree counts as older than the input. */
const INPUT_PROCESSED_MS = 700;

/** Names of acts in errors. */
const ACT_NAMES = {
  click: 'The click',
  drag: 'The drag',
  wheel: 'Turning the wheel',
  press: 'Pressing keys',
  type: 'Typing',
} as const;

/**
 * Mouse and keyboard of an X display. Acts run one at a time; each waits for the one before it. An act that waits at a
 * checkpoint keeps its turn.
 */
export class LinuxInputDevice {
  private readonly mouse: Mouse;
  private readonly keyboard: Keyboard;
  /** Resolves when the last queued act has ended. */
  private queue: Promise<void> = Promise.resolve();
  private released = new AbortController();
  private restoring?: NodeJS.Timeout;
  private closed = false;
  private lost = false;

  constructor(
    private readonly injector: Injector,
    private readonly guard: ReleaseGuard,
    apps?: AppActivity,
  ) {
    this.mouse = new Mouse(injector);
    this.keyboard = new Keyboard(injector, apps);
    injector.server.client.onLost(() => {
      this.lost = true;
      clearTimeout(this.restoring);
      guard.abandon();
    });
  }

  pointer({ deadline }: CallOptions): Promise<Point> {
    return deadline.race(
      this.injector.server.readState().then(({ pointer }) => pointer),
      'Reading the pointer position',
    );
  }

  move(to: Point, { deadline }: CallOptions): Promise<void> {
    return this.act('Moving the pointer', deadline, (tx) => this.mouse.move(tx, to));
  }

  click(at: Point, { deadline, ...request }: ClickOptions, gate = OPEN_GATE): Promise<void> {
    return this.act(ACT_NAMES.click, deadline, (tx) => this.mouse.click(tx, at, request, gate));
  }

  drag(from: Point, to: Point, { deadline, ...request }: DragOptions, gate = OPEN_GATE): Promise<void> {
    return this.act(ACT_NAMES.drag, deadline, (tx) => this.mouse.drag(tx, from, to, request, gate));
  }

  wheel(at: Point, notches: { x?: number; y?: number }, { deadline }: ActOptions, gate = OPEN_GATE): Promise<void> {
    return this.act(ACT_NAMES.wheel, deadline, (tx) => this.mouse.wheel(tx, at, notches, gate));
  }

  press(chords: readonly Chord[], { deadline, ...request }: PressOptions, gate = OPEN_GATE): Promise<void> {
    return this.act(ACT_NAMES.press, deadline, (tx) => this.keyboard.press(tx, chords, request, gate));
  }

  type(text: string, { deadline, ...request }: TypeOptions, gate = OPEN_GATE): Promise<Typed> {
    return this.act(ACT_NAMES.type, deadline, (tx) => this.keyboard.type(tx, text, request, gate));
  }

  /** Whether the app of this X window has processed all input that was sent so far. */
  isProcessed(window: number, deadline: Deadline): Promise<boolean> {
    return this.enqueue('Waiting for the app', deadline, (tx) =>
      this.mouse.waitUntilProcessed(tx, { window }, INPUT_PROCESSED_MS),
    );
  }

  async release(): Promise<void> {
    const before = this.released;
    this.released = new AbortController();
    before.abort();
    const { queue } = this;
    await this.injector.releaseAll(Deadline.in(RELEASE_MS));
    await queue;
  }

  /** Restores everything. The release guard does what is not finished in time. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    clearTimeout(this.restoring);
    try {
      await this.release();
      await this.enqueue('Restoring the keys', Deadline.in(CLOSE_MS), (tx) => this.keyboard.restore(tx, false));
      await this.injector.updateGuard();
    } catch (error) {
      // The guard has the undo list, and its pipe closes now.
      debug('input', () => `left to the release guard: ${String(error)}`);
    }
    this.injector.server.client.close();
    await this.guard.end();
  }

  private async act<T>(what: string, deadline: Deadline, work: (tx: InputTransaction) => Promise<T>): Promise<T> {
    if (this.closed) throw new DesktopError('cancelled', 'The input device of this desktop is closed.');
    try {
      return await this.enqueue(what, deadline, work);
    } finally {
      this.scheduleRestore();
    }
  }

  private async enqueue<T>(what: string, deadline: Deadline, work: (tx: InputTransaction) => Promise<T>): Promise<T> {
    const tx = new InputTransaction(what, deadline, this.released.signal);
    const before = this.queue;
    let finish = (): void => undefined;
    const own = new Promise<void>((resolve) => (finish = resolve));
    this.queue = before.then(() => own);
    try {
      await tx.race(before);
      return await this.runTransaction(tx, work);
    } finally {
      finish();
    }
  }

  private async runTransaction<T>(tx: InputTransaction, work: (tx: InputTransaction) => Promise<T>): Promise<T> {
    try {
      return await work(tx);
    } catch (error) {
      await this.injector.releaseAll(Deadline.in(RELEASE_MS)).catch((failed: unknown) => {
        // The server does not answer or is gone. The error thrown below explains more.
        debug('input', () => `${tx.what}: releasing keys and buttons failed: ${String(failed)}`);
      });
      throw tx.failure(error);
    }
  }

  /** Restores the temporary keys after typing has paused for a while. */
  private scheduleRestore(): void {
    clearTimeout(this.restoring);
    if (this.closed || this.lost) return;
    this.restoring = setTimeout(() => {
      const restore = (tx: InputTransaction): Promise<boolean> => this.keyboard.restore(tx, true);
      this.enqueue('Restoring the keys', Deadline.in(CLOSE_MS), restore).then(
        (done) => done || this.scheduleRestore(),
        (error: unknown) => {
          debug('input', () => `keys not restored yet: ${String(error)}`);
          this.scheduleRestore(); // The attempt was cancelled, or the server was busy. Try again.
        },
      );
    }, KEYSYM_READ_DELAY_MS + 10);
    this.restoring.unref();
  }
}

/** A separate connection: every part that listens or acts has its own. */
export async function connect(env: Environment, deadline: Deadline): Promise<X11Client> {
  if (!env.DISPLAY) throw noDisplayError(Boolean(env.WAYLAND_DISPLAY));
  return X11Client.connect(parseDisplayName(env.DISPLAY), await readAuthFile(env), deadline);
}

/** The input device of the display that `env` names (DISPLAY, XAUTHORITY, HOME). */
export async function openInputDevice(
  env: Environment,
  deadline: Deadline,
  apps?: AppActivity,
): Promise<LinuxInputDevice> {
  const client = await connect(env, deadline);
  try {
    const server = await deadline.race(ServerState.open(client), `The X server at ${client.name.text}`);
    const guard = await ReleaseGuard.start(guardSetup(server), deadline);
    return new LinuxInputDevice(new Injector(server, guard), guard, apps);
  } catch (error) {
    client.close();
    throw error;
  }
}

function guardSetup({ client, opcodes }: ServerState): GuardSetup {
  const { name, cookie } = client;
  // The server destroys this pixmap with our connection. That is how the release guard detects that the server has read
  // our last request.
  const owner = client.raw.AllocID();
  client.send((x) => x.CreatePixmap(owner, client.root, 1, 1, 1));
  return {
    address: {
      ...(name.socket ? { socket: name.socket } : { host: name.host, port: 6000 + name.number }),
      ...(cookie && { cookie: cookie.toString('base64') }),
    },
    setupRequests: Buffer.concat([ignoreGrabs(opcodes), useKeyboard(opcodes)]).toString('base64'),
    ownerDrawable: owner,
  };
}

const OPEN_MS = 5_000;

/** Opens the connection and starts the release guard on the first act. Most desktops are only read. */
export class LazyInputDevice implements InputDevice {
  private opening?: Promise<LinuxInputDevice>;
  private closed = false;

  constructor(
    private readonly env: Environment,
    private readonly checkpoints: ActCheckpoints,
    private readonly apps?: AppActivity,
  ) {}

  pointer(options: CallOptions): Promise<Point> {
    return this.use(options, (device) => device.pointer(options));
  }

  move(to: Point, options: CallOptions): Promise<void> {
    return this.use(options, (device) => device.move(to, options));
  }

  click(at: Point, options: ClickOptions): Promise<ActStep<null>> {
    return this.act('click', options, (device, call, gate) => device.click(at, { ...options, ...call }, gate));
  }

  drag(from: Point, to: Point, options: DragOptions): Promise<ActStep<null>> {
    return this.act('drag', options, (device, call, gate) => device.drag(from, to, { ...options, ...call }, gate));
  }

  wheel(at: Point, notches: { x?: number; y?: number }, options: ActOptions): Promise<ActStep<null>> {
    return this.act('wheel', options, (device, call, gate) => device.wheel(at, notches, { ...options, ...call }, gate));
  }

  press(chords: readonly Chord[], options: PressOptions): Promise<ActStep<null>> {
    return this.act('press', options, (device, call, gate) => device.press(chords, { ...options, ...call }, gate));
  }

  type(text: string, options: TypeOptions): Promise<ActStep<Typed>> {
    return this.checkpoints.run(options, ACT_NAMES.type, (gate, deadline) =>
      this.use({ deadline }, (device) => device.type(text, { ...options, deadline }, gate)),
    );
  }

  /** Whether the app of this X window has processed all input. A device that never opened has sent none. */
  async isProcessed(window: number, deadline: Deadline): Promise<boolean> {
    const device = this.closed ? undefined : await this.opening?.catch(() => undefined);
    return device ? device.isProcessed(window, deadline) : true;
  }

  async release(): Promise<void> {
    await (await this.opening?.catch(() => undefined))?.release();
  }

  async close(): Promise<void> {
    this.closed = true;
    // An input device that never opened holds nothing.
    await (await this.opening?.catch(() => undefined))?.close();
  }

  private act(
    name: keyof typeof ACT_NAMES,
    options: Checkpointed<CheckpointName> & CallOptions,
    work: (device: LinuxInputDevice, call: CallOptions, gate: CheckpointGate) => Promise<void>,
  ): Promise<ActStep<null>> {
    return this.checkpoints.run(options, ACT_NAMES[name], async (gate, deadline) => {
      await this.use({ deadline }, (device) => work(device, { deadline }, gate));
      return null;
    });
  }

  private async use<T>(
    { deadline }: { deadline: Deadline },
    work: (device: LinuxInputDevice) => Promise<T>,
  ): Promise<T> {
    if (this.closed) throw new DesktopError('driver_unavailable', 'The driver was closed.');
    this.opening ??= this.open();
    return work(await deadline.race(this.opening, 'Opening the display for mouse and keyboard'));
  }

  private open(): Promise<LinuxInputDevice> {
    const opening = openInputDevice(this.env, Deadline.in(OPEN_MS), this.apps);
    opening.catch(() => (this.opening = undefined));
    return opening;
  }
}
