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
} from '../../drivers/contract/index.js';
import { Deadline, type Delivered, DesktopError } from '../../shared/index.js';
import { contains, type Point, type WindowInfo } from '../../tree/index.js';
import type { CallView } from '../visibility/call-view.js';
import type { UserActivity, Use } from './user-activity.js';

/** How far an act has come. */
export interface SoFar {
  /** `12 of 40 characters went in` */
  words?: string;
  details?: Record<string, unknown>;
}

/** Ends what the hands do when the person takes mouse or keyboard. */
export interface Cut {
  deadline: Deadline;
  /** It was the person who ended it. */
  readonly made: boolean;
  end(): void;
}

/** One act's manners towards the person at the same mouse and keyboard: they come first. */
export class InputArbiter {
  /** The worst of all that the act has sent so far. */
  private sent: Delivered = 'no';

  constructor(
    private readonly desktop: CallView,
    private readonly window: WindowInfo | undefined,
    /** Until when the act may begin or go on. */
    private readonly ready: Deadline,
    private readonly deadline: Deadline,
  ) {}

  private get person(): UserActivity {
    return this.desktop.user;
  }

  /** Something of the act has gone out, or may have. */
  went(delivered: Delivered): void {
    if (delivered !== 'no' && this.sent !== 'yes') this.sent = delivered;
  }

  /** Before mouse and keys: until the person has let go. What was begun goes on only if they left it as it was. */
  async beforeInput(soFar: SoFar = {}): Promise<void> {
    await this.person.watched(this.deadline);
    if (this.person.unwatched !== undefined && this.desktop.kind === 'seat') throw unwatched(this.person.unwatched);
    if (!this.person.busy) return;
    const use = this.person.lastUse!;
    const began = performance.now();
    this.checkKeys(use, soFar);
    if (!(await this.person.quiet(this.ready))) throw this.stillBusy(use, began, soFar);
    this.checkKeys(use, soFar);
    if (this.sent !== 'no' && use.kinds.has('button')) await this.checkPlace(use, soFar);
  }

  /** Before what needs neither: it waits only if the person works in that window. */
  async beforePattern(window: string): Promise<void> {
    await this.person.watched(this.deadline);
    if (!this.person.busy) return;
    const use = this.person.lastUse!;
    const { windows } = await this.desktop.listWindows(this.deadline);
    const theirs = await this.windowsOf(use, windows);
    if (!theirs.has(rootOf(window, windows))) return;
    const began = performance.now();
    if (!(await this.person.quiet(this.ready))) throw this.stillBusy(use, began);
  }

  cut(within: Deadline): Cut {
    const { signal } = within;
    const ending = new AbortController();
    const abort = (): void => ending.abort();
    let made = false;
    const stop = this.person.onUse(() => {
      made = true;
      abort();
    });
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
    return {
      deadline: Deadline.in(within.remaining(), ending.signal),
      get made() {
        return made && signal?.aborted !== true;
      },
      end: () => {
        stop();
        signal?.removeEventListener('abort', abort);
      },
    };
  }

  /** The person came in while something was under way that cannot be taken up again. */
  interrupted(error: DesktopError, soFar: SoFar): DesktopError {
    return this.changed(this.person.lastUse, 'so it was ended there', soFar, error);
  }

  /** Their keys went where ours go. */
  private checkKeys(use: Use, soFar: SoFar): void {
    if (this.sent === 'no' || !use.kinds.has('key')) return;
    throw this.changed(use, 'so it does not go on by itself', soFar);
  }

  /** A click may have moved the caret in our window, or taken the focus away from it. */
  private async checkPlace(use: Use, soFar: SoFar): Promise<void> {
    const { windows } = await this.desktop.listWindows(this.deadline);
    const ours = this.window && rootOf(this.window.id, windows);
    const there = windows.find(({ active }) => active);
    const moved = ours === undefined || !there || rootOf(there.id, windows) !== ours;
    if (!moved && !(await this.windowsOf(use, windows)).has(ours)) return;
    throw this.changed(use, 'so it does not go on by itself', soFar);
  }

  private stillBusy(use: Use, began: number, { words, details }: SoFar = {}): DesktopError {
    const ms = performance.now() - began;
    const waited = ms > 100 ? `, for ${Math.round(ms)} ms` : '';
    const done = words === undefined ? '' : `; ${words}`;
    const fresh = this.sent === 'no';
    return new DesktopError('not_ready', `The person is using ${devices(use)}${waited}${done}.`, {
      delivered: this.sent,
      ...(fresh && { retry: 'after' as const, retryAfter: 'they have let go of mouse and keyboard' }),
      hint: 'wait a little; they come first.',
      ...(details && { details }),
    });
  }

  private changed(use: Use | undefined, why: string, { words, details }: SoFar, cause?: unknown): DesktopError {
    const done = words === undefined ? '' : `; ${words}`;
    return new DesktopError('target_changed', `The person used ${devices(use)} during the act, ${why}${done}.`, {
      delivered: this.sent,
      retry: 'no',
      hint: 'look what is there now: ui_snapshot.',
      ...(details && { details }),
      ...(cause !== undefined && { cause }),
    });
  }

  /** Where the person is: keys go to the active window, the mouse is over one. */
  private async windowsOf({ kinds }: Use, windows: readonly WindowInfo[]): Promise<ReadonlySet<string>> {
    const found: (WindowInfo | undefined)[] = [];
    const mouse = kinds.has('motion') || kinds.has('button');
    if (kinds.has('key')) found.push(windows.find(({ active }) => active));
    const at = mouse ? await this.desktop.driver.hands?.pointer({ deadline: this.deadline }) : undefined;
    if (at) {
      const under = ({ visible, minimised, bounds }: WindowInfo): boolean =>
        visible && !minimised && bounds !== undefined && contains(bounds, at);
      found.push(windows.find(under));
    } else if (mouse) found.push(windows.find(({ active }) => active));
    return new Set(found.filter((one) => one !== undefined).map(({ id }) => rootOf(id, windows)));
  }
}

/** Dialogs and menus belong to a window; what happens to them happens to it. */
function rootOf(id: string, windows: readonly WindowInfo[]): string {
  let here = windows.find((window) => window.id === id);
  for (let steps = windows.length; here?.of !== undefined && steps > 0; steps--) {
    const owner = windows.find(({ ref }) => ref === here!.of);
    if (!owner) break;
    here = owner;
  }
  return here?.id ?? id;
}

const BOTH = 'mouse and keyboard';

function devices(use: Use | undefined): string {
  const mouse = use?.kinds.has('motion') === true || use?.kinds.has('button') === true;
  if (mouse && use?.kinds.has('key')) return BOTH;
  return mouse ? 'the mouse' : use?.kinds.has('key') ? 'the keyboard' : BOTH;
}

function unwatched(reason: string): DesktopError {
  const why = reason.replace(/[.\s]+$/, '');
  const message = `Nobody can tell whether the person is using mouse or keyboard (${why}), so they are left alone.`;
  return new DesktopError('not_ready', message, {
    hint: 'acts that need neither still work: method "pattern". deskproof doctor tells more.',
  });
}

/** Keys between two looks at where they go. */
const LOOK_EVERY = 32;

/**
 * Mouse and keys that a person uses too. They wait until the person has let go, end when the person comes in, and take
 * up again only what can be taken up: the rest of a text, the next of several keys.
 */
export class ArbitratedInput implements InputDevice {
  constructor(
    private readonly hands: InputDevice,
    private readonly way: InputArbiter,
  ) {}

  pointer(options: CallOptions): Promise<Point> {
    return this.hands.pointer(options);
  }

  move(to: Point, options: CallOptions): Promise<void> {
    return this.input(options, (deadline) => this.hands.move(to, { ...options, deadline }));
  }

  click(at: Point, options: ClickOptions): Promise<void> {
    return this.input(options, (deadline) => this.hands.click(at, { ...options, deadline }));
  }

  drag(from: Point, to: Point, options: DragOptions): Promise<void> {
    return this.input(options, (deadline) => this.hands.drag(from, to, { ...options, deadline }));
  }

  wheel(at: Point, notches: { x?: number; y?: number }, options: ActOptions): Promise<void> {
    return this.input(options, (deadline) => this.hands.wheel(at, notches, { ...options, deadline }));
  }

  async press(chords: readonly Chord[], options: PressOptions): Promise<void> {
    const { lastLook, ...rest } = options;
    for (const [pressed, chord] of chords.entries()) {
      const soFar = { words: `${pressed} of ${chords.length} keys were pressed`, details: { pressed } };
      const look = lastLook && pressed % LOOK_EVERY === 0 ? { lastLook } : {};
      try {
        await this.input(
          options,
          (deadline) => this.hands.press([chord], { ...rest, ...look, deadline }),
          chords.length > 1 ? soFar : {},
        );
      } catch (error) {
        throw pressed > 0 && error instanceof DesktopError ? furtherOn(error, soFar) : error;
      }
    }
  }

  async type(text: string, options: TypeOptions): Promise<Typed> {
    const letters = [...text];
    for (let typed = 0; ;) {
      const words = `${typed} of ${letters.length} characters went in`;
      await this.way.beforeInput(typed > 0 ? { words, details: { typed } } : {});
      const part = await this.typePart(letters.slice(typed).join(''), typed, options);
      typed += part.typed;
      if (!part.cut) return { typed, done: part.done };
    }
  }

  release(): Promise<void> {
    return this.hands.release();
  }

  /** As far as it goes before the person comes in. */
  private async typePart(text: string, before: number, options: TypeOptions): Promise<Typed & { cut?: boolean }> {
    const cut = this.way.cut(options.deadline);
    try {
      const typed = await this.hands.type(text, { ...options, deadline: cut.deadline });
      this.way.went(typed.typed > 0 ? 'yes' : 'no');
      return typed;
    } catch (error) {
      if (!(error instanceof DesktopError)) throw error;
      this.way.went(error.delivered);
      const typed = typeof error.details?.typed === 'number' ? error.details.typed : 0;
      if (cut.made && error.code === 'cancelled') return { typed, done: false, cut: true };
      throw before > 0 ? furtherOn(error, { details: { typed: before + typed } }) : error;
    } finally {
      cut.end();
    }
  }

  private async input<T>(
    { deadline }: CallOptions,
    work: (deadline: Deadline) => Promise<T>,
    soFar: SoFar = {},
  ): Promise<T> {
    for (;;) {
      await this.way.beforeInput(soFar);
      const cut = this.way.cut(deadline);
      try {
        const answer = await work(cut.deadline);
        this.way.went('yes');
        return answer;
      } catch (error) {
        if (!(error instanceof DesktopError)) throw error;
        this.way.went(error.delivered);
        if (!cut.made || error.code !== 'cancelled') throw error;
        // Nothing of this went out: once more, when they have let go.
        if (error.delivered !== 'no') throw this.way.interrupted(error, soFar);
      } finally {
        cut.end();
      }
    }
  }
}

/** What went out before counts too. */
function furtherOn(error: DesktopError, { words, details }: SoFar): DesktopError {
  const { code, message, hint } = error;
  const done = words === undefined || message.includes(words) ? '' : `; ${words}`;
  return new DesktopError(code, `${message.replace(/[.\s]+$/, '')}${done}.`, {
    ...(hint !== undefined && { hint }),
    retry: 'no',
    delivered: error.delivered === 'unknown' ? 'unknown' : 'yes',
    details: { ...error.details, ...details },
    cause: error,
  });
}
