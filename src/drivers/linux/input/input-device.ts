import { Deadline, debug, DesktopError } from '../../../shared/index.js';
import type { Point } from '../../../tree/index.js';
import type {
  ActOptions,
  CallOptions,
  Chord,
  ClickOptions,
  DragOptions,
  InputDevice,
  PressOptions,
  Typed,
  TypeOptions,
} from '../../contract/index.js';
import type { Environment } from '../session-bus.js';
import { readAuthFile } from '../x11/authority.js';
import { X11Client } from '../x11/client.js';
import { noDisplay } from '../x11/display-errors.js';
import { parseDisplayName } from '../x11/display.js';
import { Injector, Turn } from './injector.js';
import { Keyboard } from './keyboard.js';
import { Mouse } from './mouse.js';
import type { Greeting } from './release-guard-process.js';
import { Watch } from './release-guard.js';
import { ServerState } from './server-state.js';
import { APPS_READ_LATE_MS } from './undo-list.js';
import { ignoreGrabs, useKeyboard } from './xtest-requests.js';

const LET_GO_MS = 1000;
const CLOSE_MS = 5000;

/** Mouse and keys of an X display. One act at a time: the next one waits for its turn. */
export class LinuxHands implements InputDevice {
  private readonly mouse: Mouse;
  private readonly keyboard: Keyboard;
  /** Ends with the last act that was begun. */
  private line: Promise<void> = Promise.resolve();
  private released = new AbortController();
  private restoring?: NodeJS.Timeout;
  private closed = false;
  private lost = false;

  constructor(
    private readonly injector: Injector,
    private readonly watch: Watch,
  ) {
    this.mouse = new Mouse(injector);
    this.keyboard = new Keyboard(injector);
    injector.server.client.onLost(() => {
      this.lost = true;
      clearTimeout(this.restoring);
      watch.abandon();
    });
  }

  pointer({ deadline }: CallOptions): Promise<Point> {
    return deadline.race(
      this.injector.server.look().then(({ pointer }) => pointer),
      'Asking for the pointer',
    );
  }

  move(to: Point, { deadline }: CallOptions): Promise<void> {
    return this.act('Moving the pointer', deadline, (turn) => this.mouse.move(turn, to));
  }

  click(at: Point, options: ClickOptions): Promise<void> {
    return this.act('The click', options.deadline, (turn) => this.mouse.click(turn, at, options));
  }

  drag(from: Point, to: Point, options: DragOptions): Promise<void> {
    return this.act('The drag', options.deadline, (turn) => this.mouse.drag(turn, from, to, options));
  }

  wheel(at: Point, notches: { x?: number; y?: number }, options: ActOptions): Promise<void> {
    return this.act('Turning the wheel', options.deadline, (turn) => this.mouse.wheel(turn, at, notches, options));
  }

  press(chords: readonly Chord[], options: PressOptions): Promise<void> {
    return this.act('Pressing keys', options.deadline, (turn) => this.keyboard.press(turn, chords, options));
  }

  type(text: string, options: TypeOptions): Promise<Typed> {
    return this.act('Typing', options.deadline, (turn) => this.keyboard.type(turn, text, options));
  }

  async release(): Promise<void> {
    const before = this.released;
    this.released = new AbortController();
    before.abort();
    const { line } = this;
    await this.injector.letGo(Deadline.in(LET_GO_MS));
    await line;
  }

  /** Everything as it was found; the watcher does what is not done in time. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    clearTimeout(this.restoring);
    try {
      await this.release();
      await this.inTurn('Restoring the keys', Deadline.in(CLOSE_MS), (turn) => this.keyboard.restore(turn, false));
      await this.injector.note();
    } catch (error) {
      debug('input', () => `left to the watcher: ${String(error)}`); // It has the list, and the pipe closes now.
    }
    this.injector.server.client.close();
    await this.watch.end();
  }

  private async act<T>(what: string, deadline: Deadline, work: (turn: Turn) => Promise<T>): Promise<T> {
    if (this.closed) throw new DesktopError('cancelled', 'The hands of this desktop are closed.');
    try {
      return await this.inTurn(what, deadline, work);
    } finally {
      this.restoreSoon();
    }
  }

  private async inTurn<T>(what: string, deadline: Deadline, work: (turn: Turn) => Promise<T>): Promise<T> {
    const turn = new Turn(what, deadline, this.released.signal);
    const before = this.line;
    let leave = (): void => undefined;
    const mine = new Promise<void>((resolve) => (leave = resolve));
    this.line = before.then(() => mine);
    try {
      await turn.race(before);
      return await this.alone(turn, work);
    } finally {
      leave();
    }
  }

  private async alone<T>(turn: Turn, work: (turn: Turn) => Promise<T>): Promise<T> {
    try {
      return await work(turn);
    } catch (error) {
      await this.injector.letGo(Deadline.in(LET_GO_MS)).catch((failed: unknown) => {
        // The server does not answer or is gone; the failure that is told already says more.
        debug('input', () => `${turn.what}: letting go failed: ${String(failed)}`);
      });
      throw turn.failure(error);
    }
  }

  /** Symbols that were lent to spare keys go back when nothing has been typed for a while. */
  private restoreSoon(): void {
    clearTimeout(this.restoring);
    if (this.closed || this.lost) return;
    this.restoring = setTimeout(() => {
      const restore = (turn: Turn): Promise<boolean> => this.keyboard.restore(turn, true);
      this.inTurn('Restoring the keys', Deadline.in(CLOSE_MS), restore).then(
        (done) => done || this.restoreSoon(),
        (error: unknown) => {
          debug('input', () => `the keys are not restored yet: ${String(error)}`);
          this.restoreSoon(); // Stopped, or the server was busy: once more.
        },
      );
    }, APPS_READ_LATE_MS + 10);
    this.restoring.unref();
  }
}

/** A connection of its own, as every part that listens or acts has one. */
export async function connect(env: Environment, deadline: Deadline): Promise<X11Client> {
  if (!env.DISPLAY) throw noDisplay(Boolean(env.WAYLAND_DISPLAY));
  return X11Client.connect(parseDisplayName(env.DISPLAY), await readAuthFile(env), deadline);
}

/** The hands for the display that `env` names (DISPLAY, XAUTHORITY, HOME). */
export async function openHands(env: Environment, deadline: Deadline): Promise<LinuxHands> {
  const client = await connect(env, deadline);
  try {
    const server = await deadline.race(ServerState.open(client), `The X server at ${client.name.text}`);
    const watch = await Watch.begin(greeting(server), deadline);
    return new LinuxHands(new Injector(server, watch), watch);
  } catch (error) {
    client.close();
    throw error;
  }
}

function greeting({ client, opcodes }: ServerState): Greeting {
  const { name, cookie } = client;
  // Goes with the connection: the watcher sees by it when the server has heard the last of us.
  const owner = client.raw.AllocID();
  client.tell((x) => x.CreatePixmap(owner, client.root, 1, 1, 1));
  return {
    door: {
      ...(name.socket ? { socket: name.socket } : { host: name.host, port: 6000 + name.number }),
      ...(cookie && { cookie: cookie.toString('base64') }),
    },
    hello: Buffer.concat([ignoreGrabs(opcodes), useKeyboard(opcodes)]).toString('base64'),
    owner,
  };
}

const OPEN_MS = 5_000;

/** Most desktops are only looked at: connection and watcher are made when the first act needs them. */
export class LazyHands implements InputDevice {
  private opening?: Promise<LinuxHands>;
  private closed = false;

  constructor(private readonly env: Environment) {}

  pointer(options: CallOptions): Promise<Point> {
    return this.use(options, (hands) => hands.pointer(options));
  }

  move(to: Point, options: CallOptions): Promise<void> {
    return this.use(options, (hands) => hands.move(to, options));
  }

  click(at: Point, options: ClickOptions): Promise<void> {
    return this.use(options, (hands) => hands.click(at, options));
  }

  drag(from: Point, to: Point, options: DragOptions): Promise<void> {
    return this.use(options, (hands) => hands.drag(from, to, options));
  }

  wheel(at: Point, notches: { x?: number; y?: number }, options: ActOptions): Promise<void> {
    return this.use(options, (hands) => hands.wheel(at, notches, options));
  }

  press(chords: readonly Chord[], options: PressOptions): Promise<void> {
    return this.use(options, (hands) => hands.press(chords, options));
  }

  type(text: string, options: TypeOptions): Promise<Typed> {
    return this.use(options, (hands) => hands.type(text, options));
  }

  async release(): Promise<void> {
    await (await this.opening?.catch(() => undefined))?.release();
  }

  async close(): Promise<void> {
    this.closed = true;
    // Hands that never opened hold nothing.
    await (await this.opening?.catch(() => undefined))?.close();
  }

  private async use<T>({ deadline }: { deadline: Deadline }, work: (hands: LinuxHands) => Promise<T>): Promise<T> {
    if (this.closed) throw new DesktopError('driver_unavailable', 'The driver was closed.');
    this.opening ??= this.open();
    return work(await deadline.race(this.opening, 'Opening the display for mouse and keys'));
  }

  private open(): Promise<LinuxHands> {
    const opening = openHands(this.env, Deadline.in(OPEN_MS));
    opening.catch(() => (this.opening = undefined));
    return opening;
  }
}
