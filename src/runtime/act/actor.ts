import {
  requireCapability,
  type Chord,
  type ClickRequest,
  type DragRequest,
  type PatternAct,
  type PatternAnswer,
  type PressRequest,
  type ResolvedCommand,
  type TypeRequest,
  type WindowAnswer,
  type WindowChange,
} from '../../drivers/contract/index.js';
import { DesktopError, type Deadline, type Delivered } from '../../shared/index.js';
import type { Element, Point, WindowInfo } from '../../tree/index.js';
import type { CallView } from '../visibility/call-view.js';
import type { Target } from '../locate/target.js';
import { refuseHiddenClipboard } from '../visibility/hidden-apps.js';
import {
  evaluatedOffScreen,
  notEvaluatedError,
  notEvaluated,
  type EvaluatedControls,
} from '../authorization/triggered-controls.js';
import type { Reader } from './reader.js';
import { ArbitratedInput, type TypedText } from '../user/arbitrated-input.js';
import { type ActChecks, runChecked } from '../user/checked-act.js';
import type { InputArbiter } from '../user/input-arbiter.js';
import type { HitTestResult } from './action.js';
import { withTargetContext, recheckTarget, recheckAtPoint } from '../actionability/recheck-target.js';
import { DropTarget } from '../actionability/drop-target.js';
import { FocusController } from './focus.js';
import { waitForFirstWindow, type LaunchAnswer } from './launched-window.js';
import { requireActiveWindow, requireFocus, refuseForeignMenu } from '../actionability/keyboard-focus.js';
import { ACTS_ON_RELEASE, pressCancelled, PressCancellation } from '../actionability/cancel-press.js';
import { ActivityMonitor } from '../verify/settle.js';
import {
  dragEndOffScreen,
  type HitTargetCheck,
  refuseHiddenPoint,
  recheckPoint,
  findClickPoint,
} from '../actionability/hit-target.js';
import { type WheelTarget, type Heading, findWheelTarget } from '../actionability/wheel-target.js';

const STEP_MS = 300;
/** The runtime decides which checkpoints an act has. */
type Request<T> = Omit<T, 'checkpoints'>;

/**
 * The only thing that can change a desktop. The doorway makes one for each act, after all questions were answered and
 * the intent was written down. It keeps account of what went out, so that a failure can say so.
 */
export class Actor {
  /** The worst of all that was sent so far. */
  delivered: Delivered = 'no';
  /** Of the last pattern that was not taken: why, where there is more to say than that the app offers none. */
  declined: string | undefined;
  private readonly focusing: FocusController;

  constructor(
    private readonly desktop: CallView,
    readonly deadline: Deadline,
    /** Until when a target may become ready for the mouse. */
    readonly ready: Deadline,
    /** For acts that must look between two steps. */
    readonly reader: Reader,
    /** The person at the same seat comes first. */
    private readonly way: InputArbiter,
    /** What may be pressed: all that rules and people were asked about. */
    private readonly judged: EvaluatedControls,
  ) {
    this.focusing = new FocusController(desktop, deadline, this);
  }

  /** Undefined where the app offers nothing for it: then nothing was done. */
  async pattern(target: Target, act: PatternAct): Promise<PatternAnswer | undefined> {
    const { driver } = this.desktop;
    if (!driver.act) return undefined;
    this.declined = undefined;
    await this.way.beforePattern(target.window.id);
    const ready = (): Promise<void> => recheckTarget(this.desktop, target, this.deadline);
    const call = { deadline: this.deadline };
    const begin = () => driver.act!(target.element.id, act, { checkpoints: ['ready'], ...call });
    try {
      return await this.send(() => runChecked(driver, { ready }, call, begin, { early: true }));
    } catch (error) {
      if (error instanceof DesktopError && error.code === 'pattern_unsupported') {
        const why = error.details?.why;
        if (typeof why === 'string') this.declined = why;
        this.desktop.log.add('step', `${target.element.ref} offers no pattern for ${act.kind}`);
        return undefined;
      }
      throw await withTargetContext(this.desktop, error, target, this.deadline);
    }
  }

  /** Where the mouse will meet the target and nothing else; waits until that is so. For what presses nothing. */
  async point(target: Target): Promise<Point> {
    return (await findClickPoint(this.desktop, target, this, (one) => this.scrollIntoView(one))).at;
  }

  /** The same where something is let go of, which is as good as pressed. */
  async dropPoint(target: Target): Promise<Point> {
    return (await this.spot(target)).at;
  }

  /**
   * What moved away at the last moment is followed, as long as it may still become ready. Not once the button went
   * down: what acts on the press would act again.
   */
  async click(target: Target, request: Request<ClickRequest> = {}): Promise<void> {
    for (;;) {
      const { at, now } = await this.spot(target);
      let gone = false;
      let calledOff = false;
      let pressedAt = epochMs();
      const ready = async (): Promise<void> => {
        try {
          await recheckAtPoint(this.desktop, now, at, this.deadline, this.meeting(now));
        } catch (error) {
          gone = error instanceof DesktopError && error.code === 'not_ready';
          throw error;
        }
        pressedAt = epochMs();
      };
      const way = new PressCancellation(this.desktop, now, at, this.deadline);
      const pressed = async (pointer?: Point): Promise<Point | undefined> => {
        if (pointer) return way.farther(pointer);
        const out = await way.find(pressedAt);
        calledOff = out !== undefined;
        return out;
      };
      const checks = { ready, ...(ACTS_ON_RELEASE.has(now.element.role) && { pressed }) };
      try {
        return await this.send(() => this.input().click(at, { ...request, deadline: this.deadline }, checks));
      } catch (error) {
        if (calledOff && error instanceof DesktopError) throw pressCancelled(now, way, error);
        if (!gone || this.ready.over) throw error;
        this.desktop.log.add('retry', `looked for the click point again: ${(error as Error).message}`);
      }
    }
  }

  /** `under`: what is there when the button goes down is what was asked about. */
  async clickAt(at: Point, under: HitTestResult, request: Request<ClickRequest> = {}): Promise<void> {
    const ready = (): Promise<void> => recheckPoint(this.desktop, this.reader, at, under, this.deadline);
    return this.send(() => this.input().click(at, { ...request, deadline: this.deadline }, { ready }));
  }

  async moveTo(at: Point): Promise<void> {
    await refuseHiddenPoint(this.desktop, at, this.deadline);
    return this.send(() => this.input().move(at, { deadline: this.deadline }));
  }

  /** By its point, where it must still be when the button goes down. */
  async drag(
    target: Target,
    to: (from: Point) => Promise<Point>,
    request: Request<DragRequest> = {},
    /** Of a bare point: what was asked about there. */
    under?: HitTestResult,
  ): Promise<void> {
    const { at, now } = await this.spot(target);
    // What is there has to be asked about first: the whole is begun again, now that its beginning shows.
    if (under?.unseen) throw dragEndOffScreen(target);
    const dropTarget = new DropTarget(this.desktop, now);
    const end = await to(at);
    if (under) await recheckPoint(this.desktop, this.reader, end, under, this.deadline);
    else await refuseHiddenPoint(this.desktop, end, this.deadline);
    const ready = (): Promise<void> => recheckAtPoint(this.desktop, now, at, this.deadline, this.meeting(now));
    let refusal: unknown;
    const beforeDrop = (): Promise<void> =>
      dropTarget.check(end, this.deadline).catch((error: unknown) => {
        refusal = error;
        throw error;
      });
    try {
      await this.send(() =>
        this.input().drag(at, end, { ...request, deadline: this.deadline }, { ready, drop: beforeDrop }),
      );
    } catch (error) {
      // The driver knows what was delivered; the check knows why the drag was cancelled.
      if (!(refusal instanceof DesktopError) || !(error instanceof DesktopError)) throw error;
      throw refusal.with({ delivered: error.delivered });
    }
  }

  /** Where the wheel scrolls it and changes nothing in it. */
  wheelSpot(target: Target, heading: Heading, look: () => Promise<Element>): Promise<WheelTarget> {
    return findWheelTarget(this.desktop, target, heading, look, this);
  }

  /** What is there when it is turned is what was found there. */
  async wheel({ at, precheck }: WheelTarget, notches: { x?: number; y?: number }): Promise<void> {
    await refuseHiddenPoint(this.desktop, at, this.deadline);
    return this.send(() => this.input().wheel(at, notches, { deadline: this.deadline }, { ready: precheck }));
  }

  press(
    chords: readonly Chord[],
    request: Request<PressRequest> = {},
    checks: Pick<ActChecks, 'chunk'> = {},
  ): Promise<void> {
    return this.send(() => this.input().press(chords, { ...request, deadline: this.deadline }, checks));
  }

  /** Where they belong: into the window, and at first into the target. Keys themselves may move the focus from there. */
  pressIn(window: WindowInfo, target: Target | undefined, chords: readonly Chord[]): Promise<void> {
    let begun = false;
    const chunk = async (): Promise<void> => {
      await requireActiveWindow(this.desktop, window, begun, this.deadline);
      if (target && !begun) await requireFocus(this.desktop, target, this.deadline);
      begun = true;
    };
    return this.press(chords, {}, { chunk });
  }

  /** `shouldContinue` is asked before each chunk of characters; false ends the typing there. */
  type(text: string, request: Request<TypeRequest> = {}, shouldContinue?: () => Promise<boolean>): Promise<TypedText> {
    return this.send(() => this.input().type(text, { ...request, deadline: this.deadline }, shouldContinue));
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
    await refuseHiddenClipboard(this.desktop, clipboard, this.deadline);
    const text = await clipboard.read({ deadline: this.deadline });
    // Another app may have copied something meanwhile.
    await refuseHiddenClipboard(this.desktop, clipboard, this.deadline);
    return text;
  }

  /**
   * So that keys go there. It is not what was asked for: with nothing but this done, nothing was delivered. Except by a
   * click: nobody knows what that did. `keepCaret`: who gets the focus may select all that is in it, and a click puts
   * the caret elsewhere.
   */
  async giveFocus(target: Target, { keepCaret = false } = {}): Promise<void> {
    const before = this.delivered;
    await refuseForeignMenu(this.desktop, target.window, this.deadline);
    try {
      const how = await this.focusing.ensureFocus(target, { keepCaret });
      await requireFocus(this.desktop, target, this.deadline, how === 'clicked');
    } finally {
      if (!this.focusing.pressed) this.delivered = before;
    }
  }

  /** Its window first, then the element itself, by pattern where that works. */
  focus(target: Target): Promise<'had' | 'given' | 'clicked'> {
    return this.focusing.ensureFocus(target, { only: true });
  }

  activate(window: WindowInfo): Promise<void> {
    return this.focusing.activate(window);
  }

  /** Fails when the menu of another app has the keys of this window. */
  noMenuElsewhere(window: WindowInfo): Promise<void> {
    return refuseForeignMenu(this.desktop, window, this.deadline, this.delivered !== 'no');
  }

  /** The keys go to it, or to something inside it. */
  hasFocus(target: Target): Promise<boolean> {
    return this.focusing.has(target);
  }

  /** Its app is no more, so far as its driver knows. */
  async hasEnded({ element }: Target): Promise<boolean> {
    // Who stops waits for no app: how far the act came is said at once.
    if (this.deadline.over) return false;
    try {
      const read = requireCapability(this.desktop.driver, 'read');
      await read({ element: element.id }, { deadline: this.deadline, depth: 0, fresh: true });
      return false;
    } catch (error) {
      // Whatever else is the matter with it, its app is there to say so.
      if (error instanceof DesktopError) return error.code === 'process_gone';
      throw error;
    }
  }

  /** Does one step of several and waits until its effect is there. */
  async settled(window: WindowInfo | undefined, step: () => Promise<void>): Promise<void> {
    const activity = new ActivityMonitor(this.desktop, window?.pid);
    try {
      await step();
      await activity.waitForIdle(performance.now() + STEP_MS, this.deadline);
    } finally {
      activity.end();
    }
  }

  /** Starts a program, without a shell, and answers with its first window. */
  async launch(
    command: string,
    args: readonly string[],
    deadline: Deadline,
    judged?: ResolvedCommand,
  ): Promise<LaunchAnswer> {
    const { launch } = this.desktop;
    if (!launch) throw cannot('Apps are started in private desktops only.');
    const windows = async (): Promise<WindowInfo[]> => (await this.desktop.listWindows(this.deadline)).windows;
    const before = await windows();
    const started = await this.send(() => launch(command, args, judged && { authorized: judged }));
    return waitForFirstWindow(started, before, windows, deadline, this.desktop.isDescendantProcess);
  }

  private async spot(target: Target): Promise<{ at: Point; now: Target }> {
    const scroll = (one: Target): Promise<boolean> => this.scrollIntoView(one);
    const found = await findClickPoint(this.desktop, target, this, scroll, this.meeting(target));
    if (evaluatedOffScreen(target)) throw notEvaluatedError(target);
    return found;
  }

  private meeting(target: Target): HitTargetCheck {
    return (found) => {
      const controls = notEvaluated(this.judged, target, found);
      if (controls.length > 0) throw notEvaluatedError(target, controls);
    };
  }

  /** So that the mouse can meet it. It is not what was asked for: nothing was pressed. */
  private async scrollIntoView(target: Target): Promise<boolean> {
    const before = this.delivered;
    try {
      return (await this.pattern(target, { kind: 'scrollIntoView' })) !== undefined;
    } finally {
      this.delivered = before;
    }
  }

  private input(): ArbitratedInput {
    const { driver } = this.desktop;
    if (driver.input) return new ArbitratedInput(driver, driver.input, this.way);
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
      this.way.noteDelivered('yes');
      return answer;
    } catch (error) {
      if (error instanceof DesktopError && error.delivered === 'no') this.delivered = before;
      else if (error instanceof DesktopError && error.delivered === 'yes') this.delivered = 'yes';
      throw error;
    }
  }
}

/** Milliseconds since the epoch; more exact than `Date.now()` and never set back. */
const epochMs = (): number => performance.timeOrigin + performance.now();

function cannot(message: string): DesktopError {
  return new DesktopError('not_supported', message, { retry: 'no', hint: 'ui_capabilities tells why and what to do.' });
}
