import { setTimeout as pause } from 'node:timers/promises';
import type {
  Caret,
  Chord,
  ClickOptions,
  DragOptions,
  Hands,
  PatternAct,
  PatternAnswer,
  PressOptions,
  Typed,
  TypeOptions,
  WindowAnswer,
  WindowChange,
} from '../../drivers/contract/index.js';
import { DesktopError, type Deadline, type Delivered } from '../../shared/index.js';
import {
  INTERACTIVE_ROLES,
  TEXT_FIELD_ROLES,
  type Element,
  type Point,
  type Role,
  type WindowInfo,
} from '../../tree/index.js';
import type { Desktop } from '../desktop.js';
import type { Target } from '../find-target.js';
import type { Reader } from '../reader.js';
import { refuseHidden } from '../govern/veil.js';
import type { GiveWay } from '../seat/give-way.js';
import { SharedHands } from '../seat/shared-hands.js';
import type { Under } from './aim.js';
import { aboutTarget } from './about-target.js';
import { firstWindow, type LaunchAnswer } from './first-window.js';
import { keysGoTo, keysReach } from './keys-reach.js';
import { stillSame, stillThere } from './same-target.js';
import { ACTS_WHEN_LET_GO, letGoElsewhere, wayOut } from './way-out.js';
import { Settling } from './settle.js';
import { verifiedPoint } from './verified-point.js';
import { wheelSpot } from './wheel-spot.js';
import type { Heading, Spot } from './wheel-spots.js';

const STEP_MS = 300;
const FOCUS_MS = 400;
const FOCUS_LOOK_MS = 20;
/** A click that is to focus them would do what they are for. */
const TYPED_INTO: ReadonlySet<Role> = new Set([...TEXT_FIELD_ROLES, 'spinbutton', 'terminal', 'treeitem']);
const PRESSED_BY_CLICKS: ReadonlySet<Role> = new Set([
  ...[...INTERACTIVE_ROLES].filter((role) => !TYPED_INTO.has(role)),
  'scrollbar',
]);

type Without<T> = Omit<T, 'deadline'>;

/**
 * The only thing that can change a desktop. The doorway makes one for each act, after all questions were answered and
 * the intent was written down. It keeps account of what went out, so that a failure can say so.
 */
export class Actor {
  /** The worst of all that was sent so far. */
  delivered: Delivered = 'no';

  constructor(
    private readonly desktop: Desktop,
    readonly deadline: Deadline,
    /** Until when a target may become ready for the mouse. */
    readonly ready: Deadline,
    /** For acts that must look between two steps. */
    readonly reader: Reader,
    /** The person at the same seat comes first. */
    private readonly way: GiveWay,
  ) {}

  /** Undefined where the app offers nothing for it: then nothing was done. */
  async pattern(target: Target, act: PatternAct): Promise<PatternAnswer | undefined> {
    const { driver } = this.desktop;
    if (!driver.act) return undefined;
    await this.way.beforePattern(target.window.id);
    const lastLook = (): Promise<void> => stillSame(this.desktop, target, this.deadline);
    try {
      return await this.send(() => driver.act!(target.element.id, act, { deadline: this.deadline, lastLook }));
    } catch (error) {
      if (error instanceof DesktopError && error.code === 'pattern_unsupported') return undefined;
      throw await aboutTarget(this.desktop, error, target, this.deadline);
    }
  }

  /** Where the mouse will meet the target and nothing else; waits until that is so. */
  async point(target: Target): Promise<Point> {
    return (await this.spot(target)).at;
  }

  /**
   * What moved away at the last moment is followed, as long as it may still become ready. Not once the button went
   * down: what acts on the press would act again.
   */
  async click(target: Target, options: Without<ClickOptions> = {}): Promise<void> {
    for (;;) {
      const { at, now } = await this.spot(target);
      let gone = false;
      let calledOff = false;
      let pressedAt = performance.now();
      const lastLook = async (): Promise<void> => {
        try {
          await stillThere(this.desktop, now, at, this.deadline);
        } catch (error) {
          gone = error instanceof DesktopError && error.code === 'not_ready';
          throw error;
        }
        pressedAt = performance.now();
      };
      const held = (): Promise<Point | undefined> =>
        wayOut(this.desktop, now, at, pressedAt, this.deadline).then((away) => {
          calledOff = away !== undefined;
          return away;
        });
      const looks = { lastLook, ...(ACTS_WHEN_LET_GO.has(now.element.role) && { held }) };
      try {
        return await this.send(() => this.hands().click(at, { ...options, ...looks, deadline: this.deadline }));
      } catch (error) {
        if (calledOff && error instanceof DesktopError) throw letGoElsewhere(now, error);
        if (!gone || this.ready.over) throw error;
      }
    }
  }

  /** `under`: what is there when the button goes down is what was asked about. */
  async clickAt(at: Point, under: Under, options: Without<ClickOptions> = {}): Promise<void> {
    const lastLook = (): Promise<void> => this.stillUnder(at, under);
    return this.send(() => this.hands().click(at, { ...options, deadline: this.deadline, lastLook }));
  }

  async moveTo(at: Point): Promise<void> {
    await this.notHidden(at);
    return this.send(() => this.hands().move(at, { deadline: this.deadline }));
  }

  /** By its point, where it must still be when the button goes down. */
  async drag(
    target: Target,
    to: (from: Point) => Promise<Point>,
    options: Without<DragOptions> = {},
    /** Of a bare point: what was asked about there. */
    under?: Under,
  ): Promise<void> {
    const { at, now } = await this.spot(target);
    const end = await to(at);
    if (under) await this.stillUnder(end, under);
    else await this.notHidden(end);
    const lastLook = (): Promise<void> => stillThere(this.desktop, now, at, this.deadline);
    await this.send(() => this.hands().drag(at, end, { ...options, deadline: this.deadline, lastLook }));
  }

  /** Where the wheel scrolls it and changes nothing in it. */
  wheelSpot(target: Target, heading: Heading, look: () => Promise<Element>): Promise<Spot> {
    return wheelSpot(this.desktop, target, heading, look, this);
  }

  async wheel(at: Point, notches: { x?: number; y?: number }): Promise<void> {
    await this.notHidden(at);
    return this.send(() => this.hands().wheel(at, notches, { deadline: this.deadline }));
  }

  press(chords: readonly Chord[], options: Without<PressOptions> = {}): Promise<void> {
    return this.send(() => this.hands().press(chords, { ...options, deadline: this.deadline }));
  }

  /** Where they belong: into the window, and at first into the target. Keys themselves may move the focus from there. */
  pressIn(window: WindowInfo, target: Target | undefined, chords: readonly Chord[]): Promise<void> {
    let begun = false;
    const lastLook = async (): Promise<void> => {
      await keysGoTo(this.desktop, window, begun, this.deadline);
      if (target && !begun) await keysReach(this.desktop, target, this.deadline);
      begun = true;
    };
    return this.press(chords, { lastLook });
  }

  type(text: string, options: Without<TypeOptions> = {}): Promise<Typed> {
    return this.send(() => this.hands().type(text, { ...options, deadline: this.deadline }));
  }

  async window(id: string, change: WindowChange): Promise<WindowAnswer> {
    const { driver } = this.desktop;
    if (!driver.changeWindow) throw cannot('Windows cannot be changed here.');
    // What comes to the front would take the keys that a person is typing.
    if (change.action === 'focus' || change.action === 'front') await this.way.beforeInput();
    else await this.way.beforePattern(id);
    return this.send(() => driver.changeWindow!(id, change, { deadline: this.deadline }));
  }

  async copy(text: string): Promise<void> {
    const { clipboard } = this.desktop.driver;
    if (!clipboard) throw cannot('There is no clipboard here.');
    await this.send(() => clipboard.write(text, { deadline: this.deadline }));
  }

  /** Undefined when the clipboard holds no text. */
  async pasted(): Promise<string | undefined> {
    const { clipboard } = this.desktop.driver;
    if (!clipboard) throw cannot('There is no clipboard here.');
    return clipboard.read({ deadline: this.deadline });
  }

  /**
   * So that keys go there. It is not what was asked for: with nothing but this done, nothing was delivered. Except by a
   * click: nobody knows what that did. `keepCaret`: who gets the focus may select all that is in it, and a click puts
   * the caret elsewhere.
   */
  async giveFocus(target: Target, { keepCaret = false } = {}): Promise<void> {
    const before = this.delivered;
    const caret = keepCaret ? await this.caretOf(target) : undefined;
    const how = await this.focus(target);
    if (caret && how !== 'had') await this.putCaret(target, caret);
    if (how !== 'clicked') this.delivered = before;
    await keysReach(this.desktop, target, this.deadline, how === 'clicked');
  }

  /** Its window first, then the element itself, by pattern where that works. */
  async focus(target: Target): Promise<'had' | 'given' | 'clicked'> {
    if (!target.window.active) await this.activate(target.window);
    if (await this.hasFocus(target)) return 'had';
    if ((await this.pattern(target, { kind: 'focus' })) && (await this.soon(() => this.hasFocus(target))))
      return 'given';
    if (PRESSED_BY_CLICKS.has(target.element.role)) throw noFocus(target);
    // GTK 4 drops what keys select before it has done with the click.
    await this.settled(target.window, () => this.click(target));
    await this.soon(() => this.hasFocus(target));
    return 'clicked';
  }

  private async caretOf({ element }: Target): Promise<Caret | undefined> {
    if (!TEXT_FIELD_ROLES.has(element.role)) return undefined;
    return this.desktop.driver.caret?.(element.id, { deadline: this.deadline });
  }

  private async putCaret(target: Target, { start, end }: Caret): Promise<void> {
    const isThere = async (): Promise<boolean> => {
      const now = await this.caretOf(target);
      return now?.start === start && now.end === end;
    };
    if (await isThere()) return;
    if (await this.pattern(target, { kind: 'setCaret', start, end })) await this.soon(isThere);
  }

  /** Apps say when they have done it, not when it is so. */
  private async soon(holds: () => Promise<boolean>): Promise<boolean> {
    const end = this.deadline.atMost(FOCUS_MS);
    for (;;) {
      if (await holds()) return true;
      if (end.over) return false;
      await pause(FOCUS_LOOK_MS);
    }
  }

  async activate(window: WindowInfo): Promise<void> {
    const { window: now } = await this.window(window.id, { action: 'focus' });
    if (now?.active) return;
    throw new DesktopError('not_ready', `${window.ref} did not become the active window.`, {
      hint: 'see what holds the focus: ui_describe focused.',
    });
  }

  /** The keys go to it, or to something inside it. */
  async hasFocus({ element, window }: Target): Promise<boolean> {
    const { driver } = this.desktop;
    const found = await driver.focused?.({ deadline: this.deadline });
    return found?.window === window.id && found.path.some(({ id }) => id === element.id);
  }

  /** Does one step of several and waits until its effect is there. */
  async settled(window: WindowInfo | undefined, step: () => Promise<void>): Promise<void> {
    const settling = new Settling(this.desktop, window?.pid);
    try {
      await step();
      await settling.quiet(performance.now() + STEP_MS, this.deadline);
    } finally {
      settling.end();
    }
  }

  /** Starts a program, without a shell, and answers with its first window. */
  async launch(command: string, args: readonly string[], deadline: Deadline): Promise<LaunchAnswer> {
    const { launch } = this.desktop;
    if (!launch) throw cannot('Apps are started in private desktops only.');
    const windows = async (): Promise<WindowInfo[]> => (await this.desktop.listWindows(this.deadline)).windows;
    const before = new Set((await windows()).map(({ id }) => id));
    const started = await this.send(() => launch(command, args));
    return firstWindow(started, before, windows, deadline);
  }

  /** In front is the window that was asked about, or its program's, and in it an element that rules see as the same. */
  private async stillUnder(at: Point, { window, lands }: Under): Promise<void> {
    await this.notHidden(at);
    const front = this.desktop.veil.frontAt(at);
    const same = front?.id === window?.id || (front?.pid !== undefined && front.pid === window?.pid);
    if (!same) throw otherThere(at, 'Another window came to', false);
    const was = lands?.target?.element;
    if (!was) return;
    const { lands: there } = await this.reader.under(at);
    const now = there?.target?.element;
    const equal = now?.role === was.role && (now.name === was.name || now.ref.startsWith('w'));
    if (!equal) throw otherThere(at, 'Something else came to', true);
  }

  private async notHidden(at: Point): Promise<void> {
    await this.desktop.listWindows(this.deadline);
    refuseHidden(this.desktop, at);
  }

  private spot(target: Target): Promise<{ at: Point; now: Target }> {
    return verifiedPoint(this.desktop, target, this, (one) =>
      this.pattern(one, { kind: 'scrollIntoView' }).then((answer) => answer !== undefined),
    );
  }

  private hands(): Hands {
    const { hands } = this.desktop.driver;
    if (hands) return new SharedHands(hands, this.way);
    throw cannot('There is no mouse and no keyboard for agents here.');
  }

  /** Until the answer is there nobody knows whether it arrived. */
  private async send<T>(work: () => Promise<T>): Promise<T> {
    const before = this.delivered;
    this.deadline.throwIfOver('The act');
    this.delivered = 'unknown';
    try {
      const answer = await work();
      this.delivered = 'yes';
      this.way.went('yes');
      return answer;
    } catch (error) {
      if (error instanceof DesktopError && error.delivered === 'no') this.delivered = before;
      else if (error instanceof DesktopError && error.delivered === 'yes') this.delivered = 'yes';
      throw error;
    }
  }
}

/** `within`: in the same window, where what is told of it may only be late. */
function otherThere({ x, y }: Point, what: string, within: boolean): DesktopError {
  return new DesktopError('target_changed', `${what} ${x},${y} just now.`, {
    retry: 'safe',
    hint: 'look again: ui_snapshot.',
    details: { within },
  });
}

function noFocus({ element }: Target): DesktopError {
  const what = `${element.ref} ${element.role} gets the focus by a click only, and a click would do more than that.`;
  return new DesktopError('pattern_unsupported', what, {
    retry: 'no',
    hint: 'go there with ui_key Tab from something before it.',
  });
}

function cannot(message: string): DesktopError {
  return new DesktopError('not_supported', message, { retry: 'no', hint: 'ui_capabilities tells why and what to do.' });
}
