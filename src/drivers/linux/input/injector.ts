import { Deadline, debug, type Delivered, DesktopError } from '../../../shared/index.js';
import type { Point } from '../../../tree/index.js';
import type { ReleaseGuard } from './release-guard.js';
import { sendRequests, type ServerState, type InputState } from './server-state.js';
import { UndoList } from './undo-list.js';
import {
  BUTTON_PRESS,
  BUTTON_RELEASE,
  fakeInput,
  fakeMotion,
  type FakeInputType,
  KEY_PRESS,
  KEY_RELEASE,
  setLocks,
} from './xtest-requests.js';

export interface FakeInput {
  type: FakeInputType;
  /** Key code or button number. */
  detail: number;
}

export const keyDown = (detail: number): FakeInput => ({ type: KEY_PRESS, detail });
export const keyUp = (detail: number): FakeInput => ({ type: KEY_RELEASE, detail });
export const buttonDown = (detail: number): FakeInput => ({ type: BUTTON_PRESS, detail });
export const buttonUp = (detail: number): FakeInput => ({ type: BUTTON_RELEASE, detail });

const HELD_WAIT_MS = 400;
const HELD_POLL_MS = 20;
const GUARD_UPDATE_DELAY_MS = 100;
/** The server processes pending requests within this time, or it hangs. */
const DELIVERY_MS = 1000;
const MODIFIER_NAMES = ['Shift', 'Caps Lock', 'Ctrl', 'Alt', 'Num Lock', 'a modifier', 'the Windows key', 'AltGr'];

/**
 * Sends input and keeps the list of what must be undone. The release guard learns about each press before the server
 * does.
 */
export class Injector {
  readonly undo: UndoList;
  private updateTimer?: NodeJS.Timeout;

  constructor(
    readonly server: ServerState,
    private readonly guard: ReleaseGuard,
  ) {
    this.undo = new UndoList(server.opcodes);
  }

  /** When this resolves, the release guard knows everything that is pressed or about to be pressed. */
  updateGuard(): Promise<void> {
    return this.guard.update(this.undo.undo);
  }

  /**
   * Sends all events in one go. Resolves when the server has processed them, with the result of `sync`, which runs
   * after them.
   */
  async send<T>(
    tx: InputTransaction,
    events: readonly FakeInput[],
    sync: () => Promise<T>,
    dragOrigin?: Point,
  ): Promise<T> {
    for (const { type, detail } of events) {
      if (type === KEY_PRESS) this.undo.addKeys([detail]);
      if (type === BUTTON_PRESS) this.undo.addButton(detail, dragOrigin && this.motionTo(dragOrigin.x, dragOrigin.y));
    }
    await tx.race(this.updateGuard());
    tx.check();
    tx.delivered = tx.delivered === 'yes' ? 'yes' : 'unknown';
    for (const { type, detail } of events) this.sendRequests(fakeInput(this.server.opcodes, type, detail));
    // Waits even if the call was cancelled: the caller must learn how much was delivered.
    const result = await Deadline.in(DELIVERY_MS).race(sync(), tx.what);
    tx.delivered = 'yes';
    return result;
  }

  /** Like `send`, for events that leave nothing pressed. */
  async sendAndRelease<T>(tx: InputTransaction, events: readonly FakeInput[], sync: () => Promise<T>): Promise<T> {
    const result = await this.send(tx, events, sync);
    this.markReleased();
    return result;
  }

  readonly sync = (): Promise<void> => this.server.client.sync();

  /**
   * Everything is released. The release guard may learn this a little later, since releasing a key that is not pressed
   * does no harm. Only a finished drag must be reported at once, so that the guard does not cancel it.
   */
  markReleased(): void {
    const dragged = this.undo.markReleased();
    clearTimeout(this.updateTimer);
    if (dragged) this.updateGuardSafely();
    else this.updateTimer = setTimeout(() => this.updateGuardSafely(), GUARD_UPDATE_DELAY_MS).unref();
  }

  private updateGuardSafely(): void {
    // The next update sends it again.
    this.updateGuard().catch((error: unknown) => debug('input', () => `release guard not updated: ${String(error)}`));
  }

  motion(x: number, y: number): void {
    this.sendRequests(this.motionTo(x, y));
  }

  private motionTo(x: number, y: number): Buffer {
    return fakeMotion(this.server.opcodes, this.server.client.root, x, y);
  }

  /** The app has started a drag and drop; this key cancels it. */
  async setDragCancelKey(tx: InputTransaction, escape: number): Promise<void> {
    this.undo.setDragCancelKey(escape);
    await tx.race(this.updateGuard());
  }

  sendRequests(bytes: Buffer): void {
    sendRequests(this.server.client, bytes);
  }

  /** Restores keys, buttons and locks. Only for failed transactions: a successful one releases its own keys. */
  async releaseAll(deadline: Deadline): Promise<void> {
    this.sendRequests(this.undo.now);
    if (this.undo.clearDrag()) this.updateGuardSafely();
    await deadline.race(this.server.client.sync(), 'Releasing keys and buttons');
    this.undo.setLocks(undefined);
    this.markReleased();
  }

  /** If the user holds Shift, our act would mean something else. Waits a short time for its release. */
  async waitUntilReleased(
    tx: InputTransaction,
    what: 'keys' | 'keys and buttons',
    readState: () => Promise<InputState>,
  ): Promise<InputState> {
    const end = performance.now() + HELD_WAIT_MS;
    for (;;) {
      const state = await tx.race(readState());
      const buttons = what === 'keys' ? 0 : state.buttons;
      if (state.held === 0 && buttons === 0) return state;
      if (performance.now() >= end) throw heldError(state.held, buttons);
      await tx.sleep(HELD_POLL_MS);
    }
  }

  /** Runs `work` in the first layout with only the wanted locks set, then restores the former locks and layout. */
  async withLocks<T>(tx: InputTransaction, state: InputState, mods: number, work: () => Promise<T>): Promise<T> {
    if (state.locked === mods && state.group === 0) return work();
    this.undo.setLocks({ mods: state.locked, group: state.group });
    await tx.race(this.updateGuard());
    tx.check();
    this.sendRequests(setLocks(this.server.opcodes, { mods, group: 0 }));
    const restore = (): void => {
      this.sendRequests(setLocks(this.server.opcodes, { mods: state.locked, group: state.group }));
      this.undo.setLocks(undefined);
    };
    const result = await work().catch((error: unknown) => {
      restore();
      throw error;
    });
    restore();
    // The act ends when the locks are back: the user, or another client, must not see them changed.
    await Deadline.in(DELIVERY_MS).race(this.sync(), tx.what);
    return result;
  }
}

function heldError(modifiers: number, buttons: number): DesktopError {
  const names = MODIFIER_NAMES.filter((_, index) => modifiers & (1 << index));
  if (buttons) names.push('a mouse button');
  return new DesktopError('not_ready', `The user is holding down ${names.join(' and ')}.`, {
    hint: 'Wait until it is released. If another program left it pressed, press and release it once.',
    retry: 'after',
    retryAfter: 'it is released',
  });
}

/** One act of the input device from start to end: its deadline, and what was delivered so far. */
export class InputTransaction {
  readonly deadline: Deadline;
  /** `unknown` from the moment that something is sent until the server has processed it. */
  delivered: Delivered = 'no';
  /** Added to the error if the act fails. */
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

  sleep(ms: number): Promise<void> {
    return this.deadline.sleep(ms, this.what);
  }

  /** The same error with the actual delivery state. */
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
