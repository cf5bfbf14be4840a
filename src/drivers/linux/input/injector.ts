import { Deadline, debug, type Delivered, DesktopError } from '../../../shared/index.js';
import type { Point } from '../../../tree/index.js';
import type { Watch } from './release-guard.js';
import { send, type ServerState, type State } from './server-state.js';
import { UndoList } from './undo-list.js';
import {
  BUTTON_PRESS,
  BUTTON_RELEASE,
  fakeInput,
  fakeMotion,
  type FakeType,
  KEY_PRESS,
  KEY_RELEASE,
  setLocks,
} from './xtest-requests.js';

export interface Fake {
  type: FakeType;
  /** Key code or number of the button. */
  detail: number;
}

export const keyDown = (detail: number): Fake => ({ type: KEY_PRESS, detail });
export const keyUp = (detail: number): Fake => ({ type: KEY_RELEASE, detail });
export const buttonDown = (detail: number): Fake => ({ type: BUTTON_PRESS, detail });
export const buttonUp = (detail: number): Fake => ({ type: BUTTON_RELEASE, detail });

const HELD_WAIT_MS = 400;
const HELD_LOOK_MS = 20;
const TELL_LATER_MS = 100;
/** What is on its way is dealt with by then, or the server hangs. */
const ARRIVES_MS = 1000;
const MODIFIERS = ['Shift', 'Caps Lock', 'Ctrl', 'Alt', 'Num Lock', 'a modifier', 'the Windows key', 'AltGr'];

/** Sends input, and keeps account of what has to be undone: the watcher knows of it before the server does. */
export class Injector {
  readonly undo: UndoList;
  private telling?: NodeJS.Timeout;

  constructor(
    readonly server: ServerState,
    private readonly watch: Watch,
  ) {
    this.undo = new UndoList(server.opcodes);
  }

  /** What is down now, or what is about to be, is known to the watcher when this resolves. */
  note(): Promise<void> {
    return this.watch.tell(this.undo.undo);
  }

  /** All of it in one go; resolves when the server has dealt with it, with what `sync` asks it afterwards. */
  async send<T>(turn: Turn, fakes: readonly Fake[], sync: () => Promise<T>, wayBack?: Point): Promise<T> {
    for (const { type, detail } of fakes) {
      if (type === KEY_PRESS) this.undo.addKeys([detail]);
      if (type === BUTTON_PRESS) this.undo.addButton(detail, wayBack && this.motionTo(wayBack.x, wayBack.y));
    }
    await turn.race(this.note());
    turn.check();
    turn.delivered = turn.delivered === 'yes' ? 'yes' : 'unknown';
    for (const { type, detail } of fakes) this.put(fakeInput(this.server.opcodes, type, detail));
    // Also for who was told to stop: how much went out must be known.
    const answer = await Deadline.in(ARRIVES_MS).race(sync(), turn.what);
    turn.delivered = 'yes';
    return answer;
  }

  /** As `send`, for a list after which nothing is down any more. */
  async strike<T>(turn: Turn, fakes: readonly Fake[], sync: () => Promise<T>): Promise<T> {
    const answer = await this.send(turn, fakes, sync);
    this.released();
    return answer;
  }

  readonly sync = (): Promise<void> => this.server.client.sync();

  /**
   * Everything that was pressed has been let go of. The watcher may hear of it a little later: to let go of what
   * nobody holds does no harm. But nothing that is not dragged any more may be called off.
   */
  released(): void {
    const dragged = this.undo.released();
    clearTimeout(this.telling);
    if (dragged) this.tellSafely();
    else this.telling = setTimeout(() => this.tellSafely(), TELL_LATER_MS).unref();
  }

  private tellSafely(): void {
    this.note().catch((error: unknown) => debug('input', () => `not told: ${String(error)}`)); // Told again next time.
  }

  motion(x: number, y: number): void {
    this.put(this.motionTo(x, y));
  }

  private motionTo(x: number, y: number): Buffer {
    return fakeMotion(this.server.opcodes, this.server.client.root, x, y);
  }

  /** An app has something dragged and dropped by now: this key calls it off. */
  async isDropped(turn: Turn, escape: number): Promise<void> {
    this.undo.callOffWith(escape);
    await turn.race(this.note());
  }

  put(bytes: Buffer): void {
    send(this.server.client, bytes);
  }

  /** Keys, buttons and locks as they were. Not for a turn that goes well: that one lets go by itself. */
  async letGo(deadline: Deadline): Promise<void> {
    this.put(this.undo.now);
    if (this.undo.calledOff()) this.tellSafely();
    await deadline.race(this.server.client.sync(), 'Letting go');
    this.undo.setLocks(undefined);
    this.released();
  }

  /** A person's Shift would make another act of ours: waits a little for it to be let go. */
  async untilFree(turn: Turn, what: 'keys' | 'keys and buttons', look: () => Promise<State>): Promise<State> {
    const end = performance.now() + HELD_WAIT_MS;
    for (;;) {
      const state = await turn.race(look());
      const buttons = what === 'keys' ? 0 : state.buttons;
      if (state.held === 0 && buttons === 0) return state;
      if (performance.now() >= end) throw held(state.held, buttons);
      await turn.sleep(HELD_LOOK_MS);
    }
  }

  /** Runs `work` with nothing locked but what is wanted, in the first layout; then all is as it was. */
  async withLocks<T>(turn: Turn, state: State, mods: number, work: () => Promise<T>): Promise<T> {
    if (state.locked === mods && state.group === 0) return work();
    this.undo.setLocks({ mods: state.locked, group: state.group });
    await turn.race(this.note());
    turn.check();
    this.put(setLocks(this.server.opcodes, { mods, group: 0 }));
    try {
      return await work();
    } finally {
      this.put(setLocks(this.server.opcodes, { mods: state.locked, group: state.group }));
      this.undo.setLocks(undefined);
    }
  }
}

function held(modifiers: number, buttons: number): DesktopError {
  const names = MODIFIERS.filter((_, index) => modifiers & (1 << index));
  if (buttons) names.push('a mouse button');
  return new DesktopError('not_ready', `Somebody holds ${names.join(' and ')} down.`, {
    hint: 'Wait until it is let go. If nobody holds it, another program left it pressed: press and release it once.',
    retry: 'after',
    retryAfter: 'it is let go',
  });
}

/** One act of the hands, from its beginning to its end: how long it may take, and what has gone out so far. */
export class Turn {
  readonly deadline: Deadline;
  /** `unknown` from the moment that something is sent until the server has dealt with it. */
  delivered: Delivered = 'no';
  /** For the error, should there be one. */
  details: Record<string, unknown> = {};

  constructor(
    readonly what: string,
    deadline: Deadline,
    released: AbortSignal,
  ) {
    const signal = deadline.signal ? AbortSignal.any([deadline.signal, released]) : released;
    this.deadline = Deadline.in(deadline.remaining(), signal);
  }

  check(): void {
    this.deadline.throwIfOver(this.what);
  }

  race<T>(work: Promise<T>): Promise<T> {
    return this.deadline.race(work, this.what);
  }

  async sleep(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    try {
      await this.race(new Promise<void>((resolve) => (timer = setTimeout(resolve, ms))));
    } finally {
      clearTimeout(timer);
    }
  }

  /** The same failure, with the truth about what went out. */
  failure(error: unknown): unknown {
    if (!(error instanceof DesktopError) || (this.delivered === 'no' && Object.keys(this.details).length === 0)) {
      return error;
    }
    const { hint, retryAfter } = error;
    return new DesktopError(error.code, error.message, {
      ...(hint !== undefined && { hint }),
      ...(this.delivered === 'no' && { retry: error.retry, ...(retryAfter !== undefined && { retryAfter }) }),
      delivered: this.delivered,
      details: { ...error.details, ...this.details },
      cause: error,
    });
  }
}
