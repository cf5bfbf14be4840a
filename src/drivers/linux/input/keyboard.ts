import { DesktopError } from '../../../shared/index.js';
import type { CheckpointGate, Chord, PressRequest, Typed, TypeRequest } from '../../contract/index.js';
import { AppPing, WindowManagerPing } from './flush-barrier.js';
import { type FakeInput, type Injector, keyDown, keyUp, type InputTransaction } from './injector.js';
import type { KeyboardMap, Stroke } from './keyboard-map.js';
import { isLock, keysymOfKey } from './keysyms.js';
import { missingKey } from './mouse.js';
import { changeMapping } from './xtest-requests.js';
import type { InputState } from './server-state.js';
import { groupConsecutive, TemporaryKeys, type TemporaryKeyPlan } from './temporary-keys.js';
import {
  chunkSizeFor,
  splitBeforeActing,
  splitIntoChunks,
  textToKeys,
  MAX_CHUNK,
  type TextKey,
} from './text-chunks.js';
import { KEYSYM_READ_DELAY_MS } from './undo-list.js';

const MAX_DELAY_MS = 2000;
/** Keys that are sent in one go. After them a focus change that was reported meanwhile stops the rest. */
const MAX_BURST = 8;
/** How long an app may take to process its pending keys before one of them is remapped. */
const SLOW_APP_MS = 3000;
/** How long a window manager may take to process a window that an app maps. */
const SLOW_MANAGER_MS = 2000;
/** From being shown to having keyboard focus. */
const FOCUS_DELAY_MS = 150;

/** The last known mapping and state of the server's keyboard. */
interface KeyboardReading {
  map: KeyboardMap;
  state: InputState;
}

/** What the accessibility bus knows about the apps that receive the keys. */
export interface AppActivity {
  /** How often an element of any app has got the focus. */
  focusChanges(): number;
  /** Waits until no app holds back a key that it has received. False if no app does that. */
  waitForKeyAnswers(): Promise<boolean>;
  /** Waits until the app with the active window has nothing left to do, but not long for an app that is never idle. */
  waitUntilIdle(): Promise<void>;
}

const NO_ACTIVITY: AppActivity = {
  focusChanges: () => 0,
  waitForKeyAnswers: async () => false,
  waitUntilIdle: async () => undefined,
};

/** Presses keys and types text. */
export class Keyboard {
  private readonly temporaryKeys = new TemporaryKeys();
  private readonly ping: AppPing;
  private readonly manager: WindowManagerPing;
  /** Windows that existed at the last key press. Kept between calls, since a call often presses only one key. */
  private knownWindows?: Set<number>;
  /** The last key may be handled later than events: an app may run a shortcut when it is idle. */
  private mayBePending = false;

  constructor(
    private readonly injector: Injector,
    private readonly apps: AppActivity = NO_ACTIVITY,
  ) {
    this.ping = new AppPing(injector.server.client);
    this.manager = new WindowManagerPing(injector.server.client);
  }

  async press(
    tx: InputTransaction,
    chords: readonly Chord[],
    { delayMs = 0 }: PressRequest,
    gate: CheckpointGate,
  ): Promise<void> {
    checkDelay(delayMs);
    const symbols = chords.map(({ key }) => keysymOfKey(key));
    for (const [index, { key, modifiers }] of chords.entries()) {
      if (index > 0 && delayMs > 0) await tx.sleep(delayMs);
      if (gate.wants('chunk') && (delayMs > 0 || index % MAX_CHUNK === 0)) {
        await this.waitUntilProcessed(tx, (this.knownWindows ??= await tx.race(this.windows())));
        await tx.race(gate.pass('chunk'));
      }
      this.mayBePending = isCommand(key, modifiers);
      const keysym = symbols[index]!;
      const { map, state } = await this.readWhenReleased(tx);
      const stroke = this.findStroke(map, keysym) ?? (await this.assignTemporaryKeys(tx, [keysym], map)).get(keysym)!;
      const held = modifiers.map((modifier) => map.modifierKey(modifier) ?? missingKey(modifier));
      const events = eventsOf(stroke, map, held);
      const strike = (): Promise<void> => this.injector.sendAndRelease(tx, events, this.injector.sync);
      await (isLock(keysym) ? strike() : this.injector.withLocks(tx, state, locksFor(state, map, [stroke]), strike));
      tx.details = { ...tx.details, pressed: index + 1 };
    }
  }

  async type(tx: InputTransaction, text: string, request: TypeRequest, gate: CheckpointGate): Promise<Typed> {
    const { delayMs = 0, chunkSize = MAX_CHUNK } = request;
    checkDelay(delayMs);
    const keys = textToKeys(text);
    const pauses = gate.wants('chunk');
    const most = Math.min(chunkSizeFor(delayMs), Math.max(1, chunkSize));
    const chunks = pauses ? splitBeforeActing(keys, most) : splitIntoChunks(keys, most);
    const pausing = pauses ? await this.watchFocus(tx, gate) : undefined;
    let typed = 0;
    let reading: KeyboardReading | undefined;
    tx.details = { typed };
    let readAt = 0;
    // The user may hold a key by now.
    const expire = (paused: 'same window' | 'paused' | undefined): void => {
      if (paused === undefined || (paused === 'same window' && typed - readAt < MAX_CHUNK)) return;
      [reading, readAt] = [undefined, typed];
    };
    for (const chunk of chunks) {
      expire(await pausing?.(typed, true));
      for (let rest = chunk; rest.length > 0;) {
        expire(await pausing?.(typed, false));
        const due = pausing ? rest.slice(0, MAX_BURST) : rest;
        const batch = await this.planStrokes(tx, due, reading ?? (await this.readWhenReleased(tx)));
        reading = await this.typeStrokes(tx, batch, delayMs, (index) => {
          tx.details = { typed: (typed += rest[index]!.length) };
        });
        rest = rest.slice(batch.strokes.length);
      }
    }
    return { typed };
  }

  /**
   * The pauses of a text. The returned function pauses if a checkpoint is `due`, or if an element has got the focus
   * since the last one; then the keys that were sent may have moved it.
   */
  private async watchFocus(
    tx: InputTransaction,
    gate: CheckpointGate,
  ): Promise<(typed: number, due: boolean) => Promise<'same window' | 'paused' | undefined>> {
    const knownWindows = await tx.race(this.windows());
    if (this.mayBePending) await this.waitUntilProcessed(tx, knownWindows);
    let focusChanges = this.apps.focusChanges();
    let keyboardOwner: number | undefined;
    return async (typed, due) => {
      if (!due && focusChanges === this.apps.focusChanges()) return undefined;
      // Once: the checks that follow ask the app about its element.
      const opened = typed > 0 && (await this.waitUntilProcessed(tx, knownWindows, true));
      const owner = await tx.race(this.keyboardOwner());
      const sameWindow = typed > 0 && !opened && owner === keyboardOwner;
      keyboardOwner = owner;
      focusChanges = this.apps.focusChanges();
      await tx.race(gate.pass('chunk', { sent: typed, ...(sameWindow && { sameWindow }) }));
      return sameWindow ? 'same window' : 'paused';
    };
  }

  private async keyboardOwner(): Promise<number> {
    const { client } = this.injector.server;
    return (await client.request<{ focus: number }>((x, reply) => x.GetInputFocus(reply))).focus;
  }

  /** Finds strokes for these keys, or for as many of them as there are spare keys at once. */
  private async planStrokes(
    tx: InputTransaction,
    keys: readonly TextKey[],
    reading: KeyboardReading,
  ): Promise<KeyboardReading & { strokes: Stroke[] }> {
    const { map } = reading;
    const absent = keys.map(({ keysym }) => keysym).filter((keysym) => !this.findStroke(map, keysym));
    const added = absent.length > 0 ? await this.assignTemporaryKeys(tx, absent, map) : new Map<number, Stroke>();
    const found = keys.map(({ keysym }) => this.findStroke(map, keysym) ?? added.get(keysym));
    const count = found.includes(undefined) ? found.indexOf(undefined) : found.length;
    return { ...reading, strokes: found.slice(0, count) as Stroke[] };
  }

  /** The returned state holds for the keys that follow immediately, unless locks were changed for these. */
  private async typeStrokes(
    tx: InputTransaction,
    { map, state, strokes }: KeyboardReading & { strokes: Stroke[] },
    delayMs: number,
    onStruck: (index: number) => void,
  ): Promise<KeyboardReading | undefined> {
    const locks = locksFor(state, map, strokes);
    let reading: KeyboardReading | undefined;
    await this.injector.withLocks(tx, state, locks, async () => {
      const keys = strokes.map((stroke) => eventsOf(stroke, map));
      if (delayMs === 0) {
        reading = await this.injector.sendAndRelease(tx, keys.flat(), () => this.injector.server.readKeyboard());
        strokes.forEach((_, index) => onStruck(index));
        return;
      }
      for (const [index, events] of keys.entries()) {
        await this.injector.sendAndRelease(tx, events, this.injector.sync);
        onStruck(index);
        await tx.sleep(delayMs);
      }
    });
    const untouched = locks === state.locked && state.group === 0;
    return reading && untouched && reading.state.held === 0 ? reading : undefined;
  }

  /** Restores the temporary keys once apps have read their keysyms. True when nothing is left to restore. */
  async restore(tx: InputTransaction, patient: boolean): Promise<boolean> {
    if (this.temporaryKeys.keycodes.length === 0) return true;
    const wait = this.temporaryKeys.usedAt + KEYSYM_READ_DELAY_MS - performance.now();
    if (wait > 0 && patient) return false;
    if (wait > 0) await tx.sleep(wait);
    const answer = await tx.race(this.ping.waitForAnswer(patient ? KEYSYM_READ_DELAY_MS : SLOW_APP_MS));
    if (answer === 'timeout' && patient) return false;
    const { map } = await tx.race(this.injector.server.readKeyboard());
    const all = this.temporaryKeys.keycodes;
    for (const { first, values } of groupConsecutive([...this.temporaryKeys.formerKeysyms(map)])) {
      this.injector.sendRequests(changeMapping(first, values));
    }
    await tx.race(this.injector.server.client.sync());
    this.temporaryKeys.clear();
    this.injector.undo.dropFormerKeysyms(all);
    await this.injector.updateGuard();
    return true;
  }

  /** Keys with a temporary keysym are found only through `temporaryKeys`, since they may be about to lose it. */
  private findStroke(map: KeyboardMap, keysym: number): Stroke | undefined {
    const stroke = map.find(keysym);
    return stroke && this.temporaryKeys.keycodes.includes(stroke.keycode) ? undefined : stroke;
  }

  private async readWhenReleased(tx: InputTransaction): Promise<KeyboardReading> {
    let map: KeyboardMap | undefined;
    const state = await this.injector.waitUntilReleased(tx, 'keys', async () => {
      const reading = await this.injector.server.readKeyboard();
      map = reading.map;
      return reading.state;
    });
    return { map: map!, state };
  }

  private async assignTemporaryKeys(
    tx: InputTransaction,
    keysyms: readonly number[],
    map: KeyboardMap,
  ): Promise<Map<number, Stroke>> {
    const plan = this.temporaryKeys.plan(keysyms, map);
    if (plan.keys.size === 0) throw noSpareKey();
    if (plan.changes.length > 0) await this.applyPlan(tx, plan);
    this.temporaryKeys.markUsed(plan, performance.now());
    return new Map([...plan.keys].map(([keysym, keycode]) => [keysym, { keycode, shift: false, altGr: false }]));
  }

  /**
   * Keyboard focus shows where the next keys go only after the app has processed the earlier keys, and after a window
   * that it opened for them has appeared. True if there is such a window.
   */
  private async waitUntilProcessed(tx: InputTransaction, knownWindows: Set<number>, once = false): Promise<boolean> {
    // Twice: apps often postpone the effect of a key to the next iteration of their event loop.
    if ((await this.flushApp(tx)) && !once) await this.flushApp(tx);
    if (!once && (await tx.race(this.apps.waitForKeyAnswers())) && (await this.flushApp(tx))) await this.flushApp(tx);
    if (this.mayBePending) await tx.race(this.apps.waitUntilIdle());
    this.mayBePending = false;
    const opened = [...(await tx.race(this.windows()))].filter((window) => !knownWindows.has(window));
    for (const window of opened) knownWindows.add(window);
    if (opened.length === 0) return false;
    // Twice: the window manager learns by an event that it has moved focus to the new window.
    if (await tx.race(this.manager.waitForAnswer(SLOW_MANAGER_MS))) {
      await tx.race(this.manager.waitForAnswer(SLOW_MANAGER_MS));
    }
    await tx.sleep(FOCUS_DELAY_MS);
    // The app must also process its focus event.
    await this.flushApp(tx);
    return true;
  }

  /** Waits until the app has processed its pending input. False if the app does not answer pings. */
  private async flushApp(tx: InputTransaction): Promise<boolean> {
    const answer = await tx.race(this.ping.waitForAnswer(SLOW_APP_MS));
    if (answer === 'timeout') throw appHung();
    return answer === 'answered';
  }

  private async windows(): Promise<Set<number>> {
    const { client } = this.injector.server;
    const { children } = await client.request<{ children: number[] }>((x, reply) => x.QueryTree(client.root, reply));
    return new Set(children.filter((window) => window !== this.manager.window));
  }

  /** A key that the app has not processed yet would produce a wrong letter after a remap. In that case typing ends. */
  private async waitUntilKeysymsRead(tx: InputTransaction): Promise<void> {
    const answer = await tx.race(this.ping.waitForAnswer(SLOW_APP_MS));
    if (answer === 'unsupported') await tx.sleep(KEYSYM_READ_DELAY_MS);
    if (answer === 'timeout') throw appHung();
    if (answer === 'gone') throw windowGone();
  }

  private async applyPlan(tx: InputTransaction, plan: TemporaryKeyPlan): Promise<void> {
    if (plan.reuses) await this.waitUntilKeysymsRead(tx);
    for (const { keycode, former } of plan.changes) this.injector.undo.addFormerKeysyms(keycode, former);
    await tx.race(this.injector.updateGuard());
    tx.check();
    // Twice: a single keysym would be treated as the lowercase form of a letter.
    const rows = plan.changes.map(({ keycode, keysym }): [number, number[]] => [keycode, [keysym, keysym]]);
    for (const { first, values } of groupConsecutive(rows)) this.injector.sendRequests(changeMapping(first, values));
    // Before the next wait: if the call is cancelled from here on, these keys must be restored.
    this.temporaryKeys.markUsed(plan, performance.now());
    await tx.race(this.injector.server.client.sync());
    // A busy browser reads the new mapping after it has painted. A key that arrives earlier has no keysym.
    await tx.race(this.ping.waitForAnswer(KEYSYM_READ_DELAY_MS));
  }
}

/** Whether the key may do more than write a letter: move the focus or the caret, or open something. */
const isCommand = (key: string, modifiers: readonly string[]): boolean =>
  [...key].length > 1 || modifiers.some((modifier) => modifier !== 'shift');

/** The press and release events of one stroke, with the keys in `held` pressed around it. */
function eventsOf(stroke: Stroke, map: KeyboardMap, held: readonly number[] = []): FakeInput[] {
  const around = new Set(held);
  if (stroke.altGr) around.add(map.altGr!);
  if (stroke.shift) around.add(map.modifierKey('shift') ?? missingKey('Shift'));
  around.delete(stroke.keycode);
  const keys = [...around];
  return [...keys.map(keyDown), keyDown(stroke.keycode), keyUp(stroke.keycode), ...keys.reverse().map(keyUp)];
}

/** Num Lock stays as it is unless a keypad key needs it changed. All other locks are off. */
function locksFor(state: InputState, map: KeyboardMap, all: readonly Stroke[]): number {
  const wanted = all.find(({ numLock }) => numLock !== undefined)?.numLock;
  if (wanted === undefined) return state.locked & map.numLockMask;
  return wanted ? map.numLockMask : 0;
}

function checkDelay(delayMs: number): void {
  if (delayMs >= 0 && delayMs <= MAX_DELAY_MS) return;
  throw new DesktopError('bad_arguments', `delayMs is ${delayMs}; it must be between 0 and ${MAX_DELAY_MS}.`);
}

function appHung(): DesktopError {
  return new DesktopError('app_hung', 'The app does not process the text typed so far.', {
    hint: 'Run ui_snapshot to see what the app shows, then type the rest.',
  });
}

function windowGone(): DesktopError {
  return new DesktopError('target_changed', 'The window that had keyboard focus was closed.', {
    hint: 'Run ui_snapshot to see what has focus now, then type the rest.',
  });
}

function noSpareKey(): DesktopError {
  return new DesktopError('not_supported', 'No spare key is left for a character that the keyboard does not have.', {
    hint: 'Set the text instead of typing it, or paste it.',
  });
}
