import { DesktopError } from '../../../shared/index.js';
import type { Point } from '../../../tree/index.js';
import {
  MAX_CLICKS,
  MAX_MOVES_AWAY,
  type CheckpointGate,
  type ClickRequest,
  type DragRequest,
  type Modifier,
  type MouseButton,
} from '../../contract/index.js';
import { getSelectionOwner, setSelectionOwner } from '../x11/wire.js';
import { AppPing } from './flush-barrier.js';
import { internAtom } from '../x11/atoms.js';
import {
  buttonDown,
  buttonUp,
  type FakeInput,
  type Injector,
  keyDown,
  keyUp,
  type InputTransaction,
} from './injector.js';
import { ESCAPE } from './keysyms.js';
import type { InputState } from './server-state.js';

const BUTTONS: Readonly<Record<MouseButton, number>> = { left: 1, middle: 2, right: 3 };
const WHEEL = { up: 4, down: 5, left: 6, right: 7 } as const;
/** Some toolkits treat two clicks in the same millisecond as one. */
const CLICK_GAP_MS = 30;
/**
 * In every toolkit, two clicks at one point within this time are a double click, and later ones are not. A third click
 * makes a triple click if it comes within twice this time after the first.
 */
const DOUBLE_CLICK_MS = 520;
const DOUBLE_CLICK_PX = 12;
/** How long an app may take to process a button press before the hit target is checked. */
const PRESS_PROCESSED_MS = 500;
const FRAME_MS = 20;
const NO_OWNER = 0;
const CURRENT_TIME = 0;
const MAX_NOTCHES = 500;
const MAX_STEPS = 1000;
const MAX_STEP_MS = 1000;

/** Moves the pointer and presses its buttons. */
export class Mouse {
  private lastClick?: { at: Point; button: number; until: number };

  private readonly ping: AppPing;
  private xdndSelection?: number;

  constructor(private readonly injector: Injector) {
    this.ping = new AppPing(injector.server.client);
  }

  async move(tx: InputTransaction, to: Point): Promise<void> {
    checkPoint(to, await tx.race(this.injector.server.readState()));
    await this.moveAndVerify(tx, to);
  }

  async click(tx: InputTransaction, at: Point, request: ClickRequest, gate: CheckpointGate): Promise<void> {
    const { button = 'left', count = 1, modifiers = [] } = request;
    checkCount('count', count, MAX_CLICKS);
    const number = BUTTONS[button];
    const keys = await this.modifierKeys(tx, modifiers);
    await this.avoidDoubleClick(tx, at, number);
    await this.moveToTarget(tx, at);
    const click = [buttonDown(number), buttonUp(number)];
    const pauses = gate.wants('pressed');
    let began = 0;
    for (let nth = 1; nth <= count; nth++) {
      if (nth > 1) await this.waitBeforePress(tx, gate);
      if (gate.wants('ready')) await tx.race(gate.pass('ready', { sent: nth - 1 }));
      if (nth === 1) began = performance.now();
      const before = nth === 1 ? keys : [];
      const after = nth === count ? keys.map(keyUp).reverse() : [];
      if (pauses) await this.pressAndCheck(tx, before, keys, number, gate);
      const rest = pauses ? [buttonUp(number)] : [...before.map(keyDown), ...click];
      await this.injector.send(tx, [...rest, ...after], this.injector.sync);
      tx.details = { ...tx.details, clicks: nth };
    }
    const until = Math.max(performance.now() + DOUBLE_CLICK_MS, count > 1 ? began + 2 * DOUBLE_CLICK_MS : 0);
    this.lastClick = { at, button: number, until };
    this.injector.markReleased();
  }

  /** The check before a further press must see what the app made of the press before it. */
  private async waitBeforePress(tx: InputTransaction, gate: CheckpointGate): Promise<void> {
    const since = performance.now();
    if (gate.wants('ready')) await this.waitUntilProcessed(tx);
    const left = since + CLICK_GAP_MS - performance.now();
    if (left > 0) await tx.sleep(left);
  }

  /**
   * Presses the button and waits until the app has processed it. If the wrong element was pressed, releases the button
   * elsewhere, and all `keys`. `before`: the keys that are not held yet.
   */
  private async pressAndCheck(
    tx: InputTransaction,
    before: readonly number[],
    keys: readonly number[],
    button: number,
    gate: CheckpointGate,
  ): Promise<void> {
    await this.injector.send(tx, [...before.map(keyDown), buttonDown(button)], this.injector.sync);
    await this.waitUntilProcessed(tx);
    let away = await tx.race(gate.pressed());
    if (!away) return;
    for (let moves = 1; away; moves++) {
      this.injector.motion(away.x, away.y);
      await this.waitUntilProcessed(tx);
      const { pointer } = await tx.race(this.injector.server.readState());
      away = moves < MAX_MOVES_AWAY ? await tx.race(gate.pressed(pointer)) : undefined;
    }
    await this.injector.sendAndRelease(tx, [buttonUp(button), ...keys.map(keyUp).reverse()], this.injector.sync);
    // Most elements do nothing when the button is released elsewhere, but some act on the press.
    tx.delivered = 'unknown';
    throw new DesktopError('not_ready', 'The button was pressed and then released elsewhere.');
  }

  /**
   * False if the app does not answer in time. During a frame, GTK answers a ping before it has processed the events of
   * that frame. So it is pinged again after the frame. An app that does not support the ping is not waited for.
   */
  async waitUntilProcessed(
    tx: InputTransaction,
    whose: 'pointer' | { window: number } = 'pointer',
    timeoutMs = PRESS_PROCESSED_MS,
  ): Promise<boolean> {
    const first = await tx.race(this.ping.waitForAnswer(timeoutMs, whose));
    await tx.sleep(FRAME_MS);
    const second = await tx.race(this.ping.waitForAnswer(timeoutMs, whose));
    return first !== 'timeout' && second !== 'timeout';
  }

  /**
   * A drag that fails is released where it began, so a slider, a selection or a window edge is back in its former
   * place. Drag and drop is cancelled with Escape instead, which in any other drag would close a dialog.
   */
  async drag(tx: InputTransaction, from: Point, to: Point, request: DragRequest, gate: CheckpointGate): Promise<void> {
    const { steps = 10, stepMs = 16, button = 'left' } = request;
    checkCount('steps', steps, MAX_STEPS);
    if (!(stepMs >= 0 && stepMs <= MAX_STEP_MS))
      throw badArguments(`stepMs is ${stepMs}; it must be between 0 and ${MAX_STEP_MS}.`);
    const number = BUTTONS[button];
    const { map, state } = await tx.race(this.injector.server.readKeyboard());
    checkPoint(to, state);
    await this.avoidDoubleClick(tx, from, number);
    await this.moveToTarget(tx, from);
    if (gate.wants('ready')) await tx.race(gate.pass('ready'));
    const escape = map.find(ESCAPE)?.keycode;
    const dropped = await tx.race(this.watchForDragAndDrop(escape !== undefined));
    await this.injector.send(tx, [buttonDown(number)], this.injector.sync, from);
    let isCancellable = false;
    for (let step = 1; step <= steps; step++) {
      await tx.sleep(stepMs);
      const part = step / steps;
      tx.check();
      this.injector.motion(interpolate(from.x, to.x, part), interpolate(from.y, to.y, part));
      if (isCancellable || !(await tx.race(dropped()))) continue;
      isCancellable = true;
      await this.injector.setDragCancelKey(tx, escape!);
    }
    // An app that receives the last motion and the release together drops at the previous position.
    await tx.sleep(stepMs);
    if (gate.wants('drop')) await tx.race(gate.pass('drop'));
    await this.injector.sendAndRelease(tx, [buttonUp(number)], this.injector.sync);
  }

  /**
   * The app that starts a drag and drop becomes the owner of this selection. The former owner often keeps it, so it is
   * cleared first.
   */
  private async watchForDragAndDrop(possible: boolean): Promise<() => Promise<boolean>> {
    const { client } = this.injector.server;
    if (!possible) return async () => false;
    this.xdndSelection ??= await internAtom(client, 'XdndSelection');
    this.injector.sendRequests(setSelectionOwner(NO_OWNER, this.xdndSelection, CURRENT_TIME));
    const request = getSelectionOwner(this.xdndSelection);
    return () => client.requestRaw(request, (body) => body.readUInt32LE(0) !== NO_OWNER);
  }

  async wheel(
    tx: InputTransaction,
    at: Point,
    { x = 0, y = 0 }: { x?: number; y?: number },
    gate: CheckpointGate,
  ): Promise<void> {
    for (const notches of [x, y]) {
      if (Number.isInteger(notches) && Math.abs(notches) <= MAX_NOTCHES) continue;
      throw badArguments(
        `The wheel turns by whole notches, at most ${MAX_NOTCHES} in each direction; it cannot turn by ${notches}.`,
      );
    }
    await this.moveToTarget(tx, at);
    if (gate.wants('ready')) await tx.race(gate.pass('ready'));
    const turned = (notches: number, back: number, on: number): FakeInput[] =>
      Array.from({ length: Math.abs(notches) }, () => (notches < 0 ? back : on)).flatMap((button) => [
        buttonDown(button),
        buttonUp(button),
      ]);
    const events = [...turned(y, WHEEL.up, WHEEL.down), ...turned(x, WHEEL.left, WHEEL.right)];
    if (events.length > 0) await this.injector.sendAndRelease(tx, events, this.injector.sync);
  }

  /** Waits until no key or button is held, and moves the pointer to the target. */
  private async moveToTarget(tx: InputTransaction, at: Point): Promise<void> {
    const { pointer } = await this.injector.waitUntilReleased(tx, 'keys and buttons', async () => {
      const state = await this.injector.server.readState();
      checkPoint(at, state);
      return state;
    });
    // After a menu closes, an app may not know yet that the pointer is over it again. It then discards a press that
    // comes too early (GTK 4). A motion informs it, as before every click with a real mouse.
    if (pointer.x === at.x && pointer.y === at.y) this.injector.motion(at.x > 0 ? at.x - 1 : at.x + 1, at.y);
    await this.moveAndVerify(tx, at);
  }

  private async moveAndVerify(tx: InputTransaction, { x, y }: Point): Promise<void> {
    tx.check();
    this.injector.motion(x, y);
    const { pointer } = await tx.race(this.injector.server.readState());
    if (pointer.x === x && pointer.y === y) return;
    throw new DesktopError('not_ready', `The pointer does not stay at ${x},${y}; it is at ${pointer.x},${pointer.y}.`, {
      hint: 'The user is moving it, or a program confines it to its window. Try again.',
    });
  }

  /**
   * Toolkits detect double clicks by the time between two clicks. Waits long enough that two single clicks stay
   * separate.
   */
  private async avoidDoubleClick(tx: InputTransaction, at: Point, button: number): Promise<void> {
    const { lastClick: last } = this;
    if (!last || last.button !== button) return;
    if (Math.max(Math.abs(last.at.x - at.x), Math.abs(last.at.y - at.y)) > DOUBLE_CLICK_PX) return;
    const wait = last.until - performance.now();
    if (wait > 0) await tx.sleep(wait);
  }

  private async modifierKeys(tx: InputTransaction, modifiers: readonly Modifier[]): Promise<number[]> {
    if (modifiers.length === 0) return [];
    const { map } = await tx.race(this.injector.server.readKeyboard());
    return [...new Set(modifiers)].map((modifier) => map.modifierKey(modifier) ?? missingKey(modifier));
  }
}

export function missingKey(key: string): never {
  throw new DesktopError('not_supported', `The keyboard of this display has no ${key} key.`);
}

function checkPoint({ x, y }: Point, { screen }: InputState): void {
  const inside = Number.isInteger(x) && Number.isInteger(y) && x >= 0 && y >= 0;
  if (inside && x < screen.width && y < screen.height) return;
  throw new DesktopError('bad_arguments', `${x},${y} is not on the screen.`, {
    hint: `Use whole numbers from 0,0 to ${screen.width - 1},${screen.height - 1}.`,
  });
}

function checkCount(name: string, value: number, most: number): void {
  if (!Number.isInteger(value) || value < 1 || value > most)
    throw badArguments(`${name} is ${value}; it must be between 1 and ${most}.`);
}

const interpolate = (from: number, to: number, part: number): number => Math.round(from + (to - from) * part);
const badArguments = (message: string): DesktopError => new DesktopError('bad_arguments', message);
