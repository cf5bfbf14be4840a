import { DesktopError } from '../../../shared/index.js';
import type { Chord, PressOptions, Typed, TypeOptions } from '../../contract/index.js';
import { AppPing, WindowManagerPing } from './flush-barrier.js';
import { type Fake, type Injector, keyDown, keyUp, type Turn } from './injector.js';
import type { KeyboardMap, Stroke } from './keyboard-map.js';
import { isLock, keysymOfKey } from './keysyms.js';
import { missing } from './mouse.js';
import { changeMapping } from './xtest-requests.js';
import type { State } from './server-state.js';
import { runsOf, SpareKeys, type Plan } from './temporary-keys.js';
import { chunkFor, chunksOf, lettersOf, MAX_CHUNK, type Letter } from './text-chunks.js';
import { APPS_READ_LATE_MS } from './undo-list.js';

const MAX_DELAY_MS = 2000;
/** How long an app may take to come to the end of its keys before one of them gets another symbol. */
const SLOW_APP_MS = 3000;
/** How long a window manager may take to come to a window that an app wants to show. */
const SLOW_MANAGER_MS = 2000;
/** From being shown to having the keys. */
const WINDOW_COMES_UP_MS = 150;

/** What the server said last about its keyboard. */
interface Seen {
  map: KeyboardMap;
  state: State;
}

/** The keys. */
export class Keyboard {
  private readonly spare = new SpareKeys();
  private readonly ping: AppPing;
  private readonly manager: WindowManagerPing;
  /** Windows that were there when keys were pressed last: many a press is a call of its own. */
  private known?: Set<number>;

  constructor(private readonly injector: Injector) {
    this.ping = new AppPing(injector.server.client);
    this.manager = new WindowManagerPing(injector.server.client);
  }

  async press(turn: Turn, chords: readonly Chord[], { delayMs = 0, lastLook }: PressOptions): Promise<void> {
    checkDelay(delayMs);
    const symbols = chords.map(({ key }) => keysymOfKey(key));
    for (const [index, { modifiers }] of chords.entries()) {
      if (index > 0 && delayMs > 0) await turn.sleep(delayMs);
      if (lastLook && (delayMs > 0 || index % MAX_CHUNK === 0)) {
        await this.untilTaken(turn, (this.known ??= await turn.race(this.windows())));
        await turn.race(lastLook());
      }
      const keysym = symbols[index]!;
      const { map, state } = await this.free(turn);
      const stroke = this.find(map, keysym) ?? (await this.onSpare(turn, [keysym], map)).get(keysym)!;
      const held = modifiers.map((modifier) => map.modifier(modifier) ?? missing(modifier));
      const fakes = fakesOf(stroke, map, held);
      const strike = (): Promise<void> => this.injector.strike(turn, fakes, this.injector.sync);
      await (isLock(keysym) ? strike() : this.injector.withLocks(turn, state, locksFor(state, map, [stroke]), strike));
      turn.details = { ...turn.details, pressed: index + 1 };
    }
  }

  async type(turn: Turn, text: string, { delayMs = 0, goOn }: TypeOptions): Promise<Typed> {
    checkDelay(delayMs);
    let typed = 0;
    let seen: Seen | undefined;
    turn.details = { typed };
    const there = goOn ? await turn.race(this.windows()) : new Set<number>();
    for (const [nth, chunk] of chunksOf(lettersOf(text), chunkFor(delayMs)).entries()) {
      if (goOn) {
        if (nth > 0) await this.untilTaken(turn, there);
        if (!(await turn.race(goOn()))) return { typed, done: false };
        seen = undefined;
      }
      for (let rest = chunk; rest.length > 0;) {
        const some = await this.lay(turn, rest, seen ?? (await this.free(turn)));
        seen = await this.strikeAll(turn, some, delayMs, (index) => {
          turn.details = { typed: (typed += rest[index]!.length) };
        });
        rest = rest.slice(some.strokes.length);
      }
    }
    return { typed, done: true };
  }

  /** How to strike these letters, or as many of them as there are keys for at once. */
  private async lay(turn: Turn, letters: readonly Letter[], seen: Seen): Promise<Seen & { strokes: Stroke[] }> {
    const { map } = seen;
    const absent = letters.map(({ keysym }) => keysym).filter((keysym) => !this.find(map, keysym));
    const added = absent.length > 0 ? await this.onSpare(turn, absent, map) : new Map<number, Stroke>();
    const found = letters.map(({ keysym }) => this.find(map, keysym) ?? added.get(keysym));
    const count = found.includes(undefined) ? found.indexOf(undefined) : found.length;
    return { ...seen, strokes: found.slice(0, count) as Stroke[] };
  }

  /** What was seen at the end holds for the letters that follow at once, unless locks were changed for these. */
  private async strikeAll(
    turn: Turn,
    { map, state, strokes }: Seen & { strokes: Stroke[] },
    delayMs: number,
    onStruck: (index: number) => void,
  ): Promise<Seen | undefined> {
    const locks = locksFor(state, map, strokes);
    let seen: Seen | undefined;
    await this.injector.withLocks(turn, state, locks, async () => {
      const keys = strokes.map((stroke) => fakesOf(stroke, map));
      if (delayMs === 0) {
        seen = await this.injector.strike(turn, keys.flat(), () => this.injector.server.lookAtKeys());
        strokes.forEach((_, index) => onStruck(index));
        return;
      }
      for (const [index, fakes] of keys.entries()) {
        await this.injector.strike(turn, fakes, this.injector.sync);
        onStruck(index);
        await turn.sleep(delayMs);
      }
    });
    const untouched = locks === state.locked && state.group === 0;
    return seen && untouched && seen.state.held === 0 ? seen : undefined;
  }

  /** Once apps have read the symbols, keys get back what they had. True when nothing is left to restore. */
  async restore(turn: Turn, patient: boolean): Promise<boolean> {
    if (this.spare.keycodes.length === 0) return true;
    const wait = this.spare.usedAt + APPS_READ_LATE_MS - performance.now();
    if (wait > 0 && patient) return false;
    if (wait > 0) await turn.sleep(wait);
    const answer = await turn.race(this.ping.answered(patient ? APPS_READ_LATE_MS : SLOW_APP_MS));
    if (answer === 'no' && patient) return false;
    const { map } = await turn.race(this.injector.server.lookAtKeys());
    const all = this.spare.keycodes;
    for (const { first, values } of runsOf([...this.spare.formerSymbols(map)])) {
      this.injector.put(changeMapping(first, values));
    }
    await turn.race(this.injector.server.client.sync());
    this.spare.clear();
    this.injector.undo.dropSymbols(all);
    await this.injector.note();
    return true;
  }

  /** Keys that have a symbol of ours are found through `spare` alone: they may be about to lose it. */
  private find(map: KeyboardMap, keysym: number): Stroke | undefined {
    const stroke = map.find(keysym);
    return stroke && this.spare.keycodes.includes(stroke.keycode) ? undefined : stroke;
  }

  private async free(turn: Turn): Promise<Seen> {
    let map: KeyboardMap | undefined;
    const state = await this.injector.untilFree(turn, 'keys', async () => {
      const seen = await this.injector.server.lookAtKeys();
      map = seen.map;
      return seen.state;
    });
    return { map: map!, state };
  }

  private async onSpare(turn: Turn, keysyms: readonly number[], map: KeyboardMap): Promise<Map<number, Stroke>> {
    const plan = this.spare.plan(keysyms, map);
    if (plan.keys.size === 0) throw noRoom();
    if (plan.changes.length > 0) await this.change(turn, plan);
    this.spare.taken(plan, performance.now());
    return new Map([...plan.keys].map(([keysym, keycode]) => [keysym, { keycode, shift: false, altGr: false }]));
  }

  /**
   * The focus tells where the next keys go only when the app has dealt with those before, and when a window that it
   * opened for them has come up.
   */
  private async untilTaken(turn: Turn, there: Set<number>): Promise<void> {
    // Twice: what a key asks for is often put off to the next round of the app's loop.
    if (await this.dealtWith(turn)) await this.dealtWith(turn);
    const opened = [...(await turn.race(this.windows()))].filter((window) => !there.has(window));
    for (const window of opened) there.add(window);
    if (opened.length === 0) return;
    // Twice: that it has given the keys to the new window comes back to it as news.
    if (await turn.race(this.manager.answered(SLOW_MANAGER_MS))) {
      await turn.race(this.manager.answered(SLOW_MANAGER_MS));
    }
    await turn.sleep(WINDOW_COMES_UP_MS);
    // And the app must have noticed that.
    await this.dealtWith(turn);
  }

  /** The app has come to the end of what was sent to it; false where it does not say. */
  private async dealtWith(turn: Turn): Promise<boolean> {
    const answer = await turn.race(this.ping.answered(SLOW_APP_MS));
    if (answer === 'no') throw tooSlow();
    return answer === 'yes';
  }

  private async windows(): Promise<Set<number>> {
    const { client } = this.injector.server;
    const { children } = await client.ask<{ children: number[] }>((x, reply) => x.QueryTree(client.root, reply));
    return new Set(children.filter((window) => window !== this.manager.window));
  }

  /** Keys that an app has not come to yet would get a wrong letter: then no more is typed. */
  private async untilRead(turn: Turn): Promise<void> {
    const answer = await turn.race(this.ping.answered(SLOW_APP_MS));
    if (answer === 'mute') await turn.sleep(APPS_READ_LATE_MS);
    if (answer === 'no') throw tooSlow();
    if (answer === 'gone') throw windowGone();
  }

  private async change(turn: Turn, plan: Plan): Promise<void> {
    if (plan.reuses) await this.untilRead(turn);
    for (const { keycode, former } of plan.changes) this.injector.undo.addSymbols(keycode, former);
    await turn.race(this.injector.note());
    turn.check();
    // Twice: one symbol alone would be taken for the small form of a letter.
    const rows = plan.changes.map(({ keycode, keysym }): [number, number[]] => [keycode, [keysym, keysym]]);
    for (const { first, values } of runsOf(rows)) this.injector.put(changeMapping(first, values));
    // At once: who is stopped from here on has these to give back.
    this.spare.taken(plan, performance.now());
    await turn.race(this.injector.server.client.sync());
    // A busy browser reads the new symbols after it has drawn: a key that comes before that has none.
    await turn.race(this.ping.answered(APPS_READ_LATE_MS));
  }
}

/** The presses and releases of one stroke, with `held` around it. */
function fakesOf(stroke: Stroke, map: KeyboardMap, held: readonly number[] = []): Fake[] {
  const around = new Set(held);
  if (stroke.altGr) around.add(map.altGr!);
  if (stroke.shift) around.add(map.modifier('shift') ?? missing('Shift'));
  around.delete(stroke.keycode);
  const keys = [...around];
  return [...keys.map(keyDown), keyDown(stroke.keycode), keyUp(stroke.keycode), ...keys.reverse().map(keyUp)];
}

/** Num Lock stays as it is unless a key of the key pad needs it otherwise; nothing else is locked. */
function locksFor(state: State, map: KeyboardMap, all: readonly Stroke[]): number {
  const wanted = all.find(({ numLock }) => numLock !== undefined)?.numLock;
  if (wanted === undefined) return state.locked & map.numLockMask;
  return wanted ? map.numLockMask : 0;
}

function checkDelay(delayMs: number): void {
  if (delayMs >= 0 && delayMs <= MAX_DELAY_MS) return;
  throw new DesktopError('bad_arguments', `delayMs is ${delayMs}; it can be 0 to ${MAX_DELAY_MS}.`);
}

function tooSlow(): DesktopError {
  return new DesktopError('app_hung', 'The app does not get on with what has been typed so far.', {
    hint: 'See what it shows, then type the rest.',
  });
}

function windowGone(): DesktopError {
  return new DesktopError('target_changed', 'The window that had the keys went away.', {
    hint: 'See what has them now, then type the rest.',
  });
}

function noRoom(): DesktopError {
  return new DesktopError('not_supported', 'No key is free to carry a character that the keyboard does not have.', {
    hint: 'Set the text instead of typing it, or paste it.',
  });
}
