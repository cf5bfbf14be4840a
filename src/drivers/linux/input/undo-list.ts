import {
  BUTTON_RELEASE,
  changeMapping,
  fakeInput,
  KEY_PRESS,
  KEY_RELEASE,
  setLocks,
  type Opcodes,
} from './xtest-requests.js';

/** Apps look up a key's keysym when they process the event, not when it is sent. */
export const KEYSYM_READ_DELAY_MS = 200;

/** The requests that undo everything we changed. Base64, since they go through the release guard's pipe. */
export interface Undo {
  /** Sent at once: keys, buttons, locks. */
  now: string;
  /** Sent again after the server has read everything from the owner: only releases. */
  again: string;
  /** Sent after apps have read the keysyms: restores remapped keys. */
  later: string;
}

/** Everything that differs, or is about to differ, from the state that we found. */
export class UndoList {
  private readonly keys = new Set<number>();
  private readonly buttons = new Set<number>();
  private readonly formerKeysyms = new Map<number, readonly number[]>();
  private locks?: { mods: number; group: number };
  /**
   * During a drag: the motion back to its origin. Released elsewhere, the dragged object would stay or be dropped
   * there.
   */
  private motionToOrigin?: Buffer;
  /** During a drag and drop: the key that cancels it. */
  private cancelKey?: number;

  constructor(private readonly opcodes: Opcodes) {}

  addKeys(keycodes: Iterable<number>): void {
    for (const keycode of keycodes) this.keys.add(keycode);
  }

  addButton(button: number, motionToOrigin?: Buffer): void {
    this.buttons.add(button);
    if (motionToOrigin !== undefined) this.motionToOrigin = motionToOrigin;
  }

  /** Only for drag and drop. Otherwise the key has another meaning: it closes dialogs. */
  setDragCancelKey(keycode: number): void {
    if (this.motionToOrigin !== undefined) this.cancelKey = keycode;
  }

  /** All keys and buttons are released. True if a drag was in progress. */
  markReleased(): boolean {
    const dragged = this.clearDrag();
    this.keys.clear();
    this.buttons.clear();
    return dragged;
  }

  /**
   * Forgets the drag after it was cancelled: a second Escape would mean something else to the app. True if a drag was
   * in progress.
   */
  clearDrag(): boolean {
    const dragged = this.motionToOrigin !== undefined;
    this.motionToOrigin = undefined;
    this.cancelKey = undefined;
    return dragged;
  }

  setLocks(former: { mods: number; group: number } | undefined): void {
    this.locks = former;
  }

  /** The former keysyms of a key. Only the first call for a key counts. */
  addFormerKeysyms(keycode: number, former: readonly number[]): void {
    if (!this.formerKeysyms.has(keycode)) this.formerKeysyms.set(keycode, former);
  }

  dropFormerKeysyms(keycodes: Iterable<number>): void {
    for (const keycode of keycodes) this.formerKeysyms.delete(keycode);
  }

  /** Keys come before buttons, so that a drag is cancelled before its button is released. */
  get now(): Buffer {
    return this.releaseRequests(this.cancelKey);
  }

  private releaseRequests(cancelKey: number | undefined): Buffer {
    const fake = (type: Parameters<typeof fakeInput>[1], detail: number): Buffer =>
      fakeInput(this.opcodes, type, detail);
    const { motionToOrigin } = this;
    return Buffer.concat([
      ...[...this.keys].map((keycode) => fake(KEY_RELEASE, keycode)),
      ...(cancelKey === undefined ? [] : [fake(KEY_PRESS, cancelKey), fake(KEY_RELEASE, cancelKey)]),
      ...(cancelKey === undefined && motionToOrigin ? [motionToOrigin] : []),
      ...[...this.buttons].map((button) => fake(BUTTON_RELEASE, button)),
      ...(this.locks ? [setLocks(this.opcodes, this.locks)] : []),
    ]);
  }

  get later(): Buffer {
    return Buffer.concat([...this.formerKeysyms].map(([keycode, row]) => changeMapping(keycode, [row])));
  }

  /** The second list does not press the cancel key again: a second Escape would close the dialog. */
  get undo(): Undo {
    const [now, again, later] = [this.now, this.releaseRequests(undefined), this.later];
    return { now: now.toString('base64'), again: again.toString('base64'), later: later.toString('base64') };
  }
}
