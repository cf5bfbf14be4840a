import {
  BUTTON_RELEASE,
  changeMapping,
  fakeInput,
  KEY_PRESS,
  KEY_RELEASE,
  setLocks,
  type Opcodes,
} from './xtest-requests.js';

/** Apps look up a key's symbol when they come to the event, not when it is sent. */
export const APPS_READ_LATE_MS = 200;

/** What would have to be sent to leave nothing behind; base64, as it goes through the watcher's pipe. */
export interface Undo {
  /** At once: keys, buttons, locks. */
  now: string;
  /** Once more, when the server has heard all of the owner: only what lets go. */
  again: string;
  /** When apps have read the symbols: keys that have other ones for the time being. */
  later: string;
}

/** Everything that is, or is about to be, other than we found it. */
export class UndoList {
  private readonly keys = new Set<number>();
  private readonly buttons = new Set<number>();
  private readonly symbols = new Map<number, readonly number[]>();
  private locks?: { mods: number; group: number };
  /** While something is dragged: the motion back to where it began. Let go elsewhere, it would stay or be dropped there. */
  private wayBack?: Buffer;
  /** While an app has something dragged and dropped: the key that calls it off. */
  private callOff?: number;

  constructor(private readonly opcodes: Opcodes) {}

  addKeys(keycodes: Iterable<number>): void {
    for (const keycode of keycodes) this.keys.add(keycode);
  }

  addButton(button: number, wayBack?: Buffer): void {
    this.buttons.add(button);
    if (wayBack !== undefined) this.wayBack = wayBack;
  }

  /** To anything but drag and drop the key would mean something else: it closes dialogs. */
  callOffWith(keycode: number): void {
    if (this.wayBack !== undefined) this.callOff = keycode;
  }

  /** All keys and buttons are up again. True when something was being dragged. */
  released(): boolean {
    const dragged = this.calledOff();
    this.keys.clear();
    this.buttons.clear();
    return dragged;
  }

  /** Once is enough: a second Escape would mean something else to the app. True when something was being dragged. */
  calledOff(): boolean {
    const dragged = this.wayBack !== undefined;
    this.wayBack = undefined;
    this.callOff = undefined;
    return dragged;
  }

  setLocks(former: { mods: number; group: number } | undefined): void {
    this.locks = former;
  }

  /** The key had these symbols before; the first time is what counts. */
  addSymbols(keycode: number, former: readonly number[]): void {
    if (!this.symbols.has(keycode)) this.symbols.set(keycode, former);
  }

  dropSymbols(keycodes: Iterable<number>): void {
    for (const keycode of keycodes) this.symbols.delete(keycode);
  }

  /** Keys before buttons: what is dragged is called off first. */
  get now(): Buffer {
    return this.list(this.callOff);
  }

  private list(callOff: number | undefined): Buffer {
    const fake = (type: Parameters<typeof fakeInput>[1], detail: number): Buffer =>
      fakeInput(this.opcodes, type, detail);
    const { wayBack } = this;
    return Buffer.concat([
      ...[...this.keys].map((keycode) => fake(KEY_RELEASE, keycode)),
      ...(callOff === undefined ? [] : [fake(KEY_PRESS, callOff), fake(KEY_RELEASE, callOff)]),
      ...(callOff === undefined && wayBack ? [wayBack] : []),
      ...[...this.buttons].map((button) => fake(BUTTON_RELEASE, button)),
      ...(this.locks ? [setLocks(this.opcodes, this.locks)] : []),
    ]);
  }

  get later(): Buffer {
    return Buffer.concat([...this.symbols].map(([keycode, row]) => changeMapping(keycode, [row])));
  }

  /** A key that calls something off is pressed once: the second time it would close the dialog. */
  get undo(): Undo {
    const [now, again, later] = [this.now, this.list(undefined), this.later];
    return { now: now.toString('base64'), again: again.toString('base64'), later: later.toString('base64') };
  }
}
