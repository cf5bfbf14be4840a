import { DesktopError } from '../../../shared/index.js';
import type { Point } from '../../../tree/index.js';
import {
  MAX_MOVES_AWAY,
  type ActOptions,
  type ClickOptions,
  type DragOptions,
  type Modifier,
  type MouseButton,
} from '../../contract/index.js';
import { getOwner, setOwner } from '../clipboard/requests.js';
import { AppPing } from './flush-barrier.js';
import { internAtom } from '../x11/atoms.js';
import { buttonDown, buttonUp, type Fake, type Injector, keyDown, keyUp, type Turn } from './injector.js';
import { ESCAPE } from './keysyms.js';
import type { State } from './server-state.js';

const BUTTONS: Readonly<Record<MouseButton, number>> = { left: 1, middle: 2, right: 3 };
const WHEEL = { up: 4, down: 5, left: 6, right: 7 } as const;
/** Two clicks in the same millisecond are one to some toolkits. */
const CLICK_GAP_MS = 30;
/**
 * Two clicks on one spot are a double click to every toolkit if the second comes sooner, and only then; a third makes
 * a triple click if it comes within twice that time of the first.
 */
const DOUBLE_CLICK_MS = 520;
const DOUBLE_CLICK_PX = 12;
/** How long an app may take to come to a press of the button before it is asked what it pressed. */
const TAKES_NOTE_MS = 500;
const FRAME_MS = 20;
const NOBODY = 0;
const NOW = 0;
const MAX_CLICKS = 10;
const MAX_NOTCHES = 500;
const MAX_STEPS = 1000;
const MAX_STEP_MS = 1000;

/** The pointer and its buttons. */
export class Mouse {
  private last?: { at: Point; button: number; until: number };

  private readonly ping: AppPing;
  private xdnd?: number;

  constructor(private readonly injector: Injector) {
    this.ping = new AppPing(injector.server.client);
  }

  async move(turn: Turn, to: Point): Promise<void> {
    checkPoint(to, await turn.race(this.injector.server.look()));
    await this.goTo(turn, to);
  }

  async click(turn: Turn, at: Point, options: ClickOptions): Promise<void> {
    const { button = 'left', count = 1, modifiers = [], lastLook, held } = options;
    checkCount('count', count, MAX_CLICKS);
    const number = BUTTONS[button];
    const keys = await this.modifierKeys(turn, modifiers);
    await this.apart(turn, at, number);
    await this.aim(turn, at);
    if (lastLook) await turn.race(lastLook());
    const click = [buttonDown(number), buttonUp(number)];
    const began = performance.now();
    for (let nth = 1; nth <= count; nth++) {
      if (nth > 1) await turn.sleep(CLICK_GAP_MS);
      const before = nth === 1 ? keys.map(keyDown) : [];
      const after = nth === count ? keys.map(keyUp).reverse() : [];
      if (nth === 1 && held) await this.pressed(turn, keys, number, held);
      const rest = nth === 1 && held ? [buttonUp(number)] : [...before, ...click];
      await this.injector.send(turn, [...rest, ...after], this.injector.sync);
      turn.details = { ...turn.details, clicks: nth };
    }
    const until = Math.max(performance.now() + DOUBLE_CLICK_MS, count > 1 ? began + 2 * DOUBLE_CLICK_MS : 0);
    this.last = { at, button: number, until };
    this.injector.released();
  }

  /** Down, and known to be so by the app; what should not have been pressed is let go of elsewhere. */
  private async pressed(
    turn: Turn,
    keys: readonly number[],
    button: number,
    held: NonNullable<ClickOptions['held']>,
  ): Promise<void> {
    await this.injector.send(turn, [...keys.map(keyDown), buttonDown(button)], this.injector.sync);
    await this.noted(turn);
    let away = await turn.race(held());
    if (!away) return;
    for (let moves = 1; away; moves++) {
      this.injector.motion(away.x, away.y);
      await this.noted(turn);
      const { pointer } = await turn.race(this.injector.server.look());
      away = moves < MAX_MOVES_AWAY ? await turn.race(held(pointer)) : undefined;
    }
    await this.injector.strike(turn, [buttonUp(button), ...keys.map(keyUp).reverse()], this.injector.sync);
    // Most of what is let go of elsewhere has done nothing, but some act as soon as they are pressed.
    turn.delivered = 'unknown';
    throw new DesktopError('not_ready', 'The button was pressed and let go of elsewhere.');
  }

  /** In the middle of a frame GTK answers for events that it comes to only after it: so it is asked once more. */
  private async noted(turn: Turn): Promise<void> {
    await turn.race(this.ping.answered(TAKES_NOTE_MS, 'pointer'));
    await turn.sleep(FRAME_MS);
    await turn.race(this.ping.answered(TAKES_NOTE_MS, 'pointer'));
  }

  /**
   * What is dragged and cannot be brought to its end is let go of where it began: a slider, a selection, a window edge
   * is there again as it was. Drag and drop is called off by Escape, which would close a dialog in any other drag.
   */
  async drag(turn: Turn, from: Point, to: Point, options: DragOptions): Promise<void> {
    const { steps = 10, stepMs = 16, button = 'left', lastLook, beforeDrop } = options;
    checkCount('steps', steps, MAX_STEPS);
    if (!(stepMs >= 0 && stepMs <= MAX_STEP_MS)) throw wrong(`stepMs is ${stepMs}; it can be 0 to ${MAX_STEP_MS}.`);
    const number = BUTTONS[button];
    const { map, state } = await turn.race(this.injector.server.lookAtKeys());
    checkPoint(to, state);
    await this.apart(turn, from, number);
    await this.aim(turn, from);
    if (lastLook) await turn.race(lastLook());
    const escape = map.find(ESCAPE)?.keycode;
    const dropped = await turn.race(this.dropBegins(escape !== undefined));
    await this.injector.send(turn, [buttonDown(number)], this.injector.sync, from);
    let told = false;
    for (let step = 1; step <= steps; step++) {
      await turn.sleep(stepMs);
      const part = step / steps;
      turn.check();
      this.injector.motion(between(from.x, to.x, part), between(from.y, to.y, part));
      if (told || !(await turn.race(dropped()))) continue;
      told = true;
      await this.injector.isDropped(turn, escape!);
    }
    // An app that is told of the last motion and the release at once drops where it was before.
    await turn.sleep(stepMs);
    if (beforeDrop) await turn.race(beforeDrop());
    await this.injector.strike(turn, [buttonUp(number)], this.injector.sync);
  }

  /** Who begins a drag and drop owns this selection from then on; the last one's owner often keeps it, and loses it here. */
  private async dropBegins(possible: boolean): Promise<() => Promise<boolean>> {
    const { client } = this.injector.server;
    if (!possible) return async () => false;
    this.xdnd ??= await internAtom(client, 'XdndSelection');
    this.injector.put(setOwner(NOBODY, this.xdnd, NOW));
    const asked = getOwner(this.xdnd);
    return () => client.askRaw(asked, (body) => body.readUInt32LE(0) !== NOBODY);
  }

  async wheel(
    turn: Turn,
    at: Point,
    { x = 0, y = 0 }: { x?: number; y?: number },
    { lastLook }: Pick<ActOptions, 'lastLook'>,
  ): Promise<void> {
    for (const notches of [x, y]) {
      if (Number.isInteger(notches) && Math.abs(notches) <= MAX_NOTCHES) continue;
      throw wrong(`The wheel turns by whole notches, at most ${MAX_NOTCHES}; ${notches} is none of these.`);
    }
    await this.aim(turn, at);
    if (lastLook) await turn.race(lastLook());
    const turned = (notches: number, back: number, on: number): Fake[] =>
      Array.from({ length: Math.abs(notches) }, () => (notches < 0 ? back : on)).flatMap((button) => [
        buttonDown(button),
        buttonUp(button),
      ]);
    const fakes = [...turned(y, WHEEL.up, WHEEL.down), ...turned(x, WHEEL.left, WHEEL.right)];
    if (fakes.length > 0) await this.injector.strike(turn, fakes, this.injector.sync);
  }

  /** Nobody holds anything, and the pointer is there. */
  private async aim(turn: Turn, at: Point): Promise<void> {
    const { pointer } = await this.injector.untilFree(turn, 'keys and buttons', async () => {
      const state = await this.injector.server.look();
      checkPoint(at, state);
      return state;
    });
    // Where a menu was closed an app may not know that the pointer is over it again, and takes back a press that comes
    // before it does (GTK 4): a motion tells it, as before every click of a hand.
    if (pointer.x === at.x && pointer.y === at.y) this.injector.motion(at.x > 0 ? at.x - 1 : at.x + 1, at.y);
    await this.goTo(turn, at);
  }

  private async goTo(turn: Turn, { x, y }: Point): Promise<void> {
    turn.check();
    this.injector.motion(x, y);
    const { pointer } = await turn.race(this.injector.server.look());
    if (pointer.x === x && pointer.y === y) return;
    throw new DesktopError('not_ready', `The pointer does not stay at ${x},${y}: it is at ${pointer.x},${pointer.y}.`, {
      hint: 'A person moves it, or a program keeps it in its window. Try again.',
    });
  }

  /** A click is told from the one before it by the time between them: one click must not become a double click. */
  private async apart(turn: Turn, at: Point, button: number): Promise<void> {
    const { last } = this;
    if (!last || last.button !== button) return;
    if (Math.max(Math.abs(last.at.x - at.x), Math.abs(last.at.y - at.y)) > DOUBLE_CLICK_PX) return;
    const wait = last.until - performance.now();
    if (wait > 0) await turn.sleep(wait);
  }

  private async modifierKeys(turn: Turn, modifiers: readonly Modifier[]): Promise<number[]> {
    if (modifiers.length === 0) return [];
    const { map } = await turn.race(this.injector.server.lookAtKeys());
    return [...new Set(modifiers)].map((modifier) => map.modifier(modifier) ?? missing(modifier));
  }
}

export function missing(key: string): never {
  throw new DesktopError('not_supported', `The keyboard of this display has no ${key} key.`);
}

function checkPoint({ x, y }: Point, { screen }: State): void {
  const inside = Number.isInteger(x) && Number.isInteger(y) && x >= 0 && y >= 0;
  if (inside && x < screen.width && y < screen.height) return;
  throw new DesktopError('bad_arguments', `${x},${y} is not a point of the screen.`, {
    hint: `Whole numbers from 0,0 to ${screen.width - 1},${screen.height - 1}.`,
  });
}

function checkCount(name: string, value: number, most: number): void {
  if (!Number.isInteger(value) || value < 1 || value > most)
    throw wrong(`${name} is ${value}; it can be 1 to ${most}.`);
}

const between = (from: number, to: number, part: number): number => Math.round(from + (to - from) * part);
const wrong = (message: string): DesktopError => new DesktopError('bad_arguments', message);
