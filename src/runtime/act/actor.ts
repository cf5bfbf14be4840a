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
import { evaluatedOffScreen, notEvaluatedError, notEvaluated } from '../authorization/triggered-controls.js';
import { heldTarget } from '../approval/open-questions.js';
import type { Reader } from './reader.js';
import { ArbitratedInput, type ShouldContinue, type TypedText } from '../user/arbitrated-input.js';
import { runChecked } from '../user/checked-act.js';
import type { InputArbiter } from '../user/input-arbiter.js';
import type { HitTestResult } from './action.js';
import { withTargetContext, recheckTarget, recheckAtPoint } from '../actionability/recheck-target.js';
import { type AuthorizeDrop, DropTarget } from '../actionability/drop-target.js';
import { FocusController } from './focus.js';
import { type FindHidden, waitForFirstWindow, type LaunchAnswer } from './launched-window.js';
import { KeyFocus } from '../actionability/key-focus.js';
import { TypingFocus } from '../actionability/typing-focus.js';
import { requireFocus, refuseForeignMenu } from '../actionability/keyboard-focus.js';
import { ClickChecks, PressTimes } from '../actionability/click-checks.js';
import { ActivityMonitor } from '../verify/settle.js';
import {
  dragEndOffScreen,
  type HitTargetCheck,
  refuseHiddenPoint,
  recheckPoint,
  findClickPoint,
} from '../actionability/hit-target.js';
import { type WheelTarget, type Heading, findWheelTarget } from '../actionability/wheel-target.js';
import type { EvaluatedControls } from '../request/policy-request.js';

const STEP_MS = 300;
/** The runtime decides which checkpoints an act has. */
type Request<T> = Omit<T, 'checkpoints'>;

/**
 * The only class that can change a desktop. `Attempt` creates one for each act, after the act was authorized; input is
 * sent only after the intent was written to the audit log. It tracks what was delivered, so that an error can report it.
 */
export class Actor {
  /** The least certain delivery of everything sent so far. */
  delivered: Delivered = 'no';
  /** Why the last pattern was not supported, if there is more to report than that the app offers none. */
  unsupportedReason: string | undefined;
  /** Why the app may not have seen a double click, although all presses were sent. */
  slowClick: string | undefined;
  private readonly focusing: FocusController;

  constructor(
    private readonly view: CallView,
    readonly deadline: Deadline,
    /** Until when a target may become actionable. */
    readonly actionableBy: Deadline,
    /** For acts that must read between two steps. */
    readonly reader: Reader,
    /** The user's own input has priority. */
    private readonly arbiter: InputArbiter,
    /** The controls that may be pressed: policy has evaluated them. */
    private readonly evaluated: EvaluatedControls,
    private readonly authorizeDrop: AuthorizeDrop,
    /** Throws if the text of the call, a secret, may no longer be written. */
    private readonly beforeText?: (deadline: Deadline) => Promise<void>,
  ) {
    this.focusing = new FocusController(view, deadline, this);
  }

  /** Undefined if the app offers no such pattern; then nothing was done. */
  async pattern(target: Target, act: PatternAct): Promise<PatternAnswer | undefined> {
    const { driver } = this.view;
    if (!driver.act) return undefined;
    this.unsupportedReason = undefined;
    this.arbiter.refuseWhileAsking(heldTarget(target));
    await this.arbiter.beforePattern(target.window.id);
    const ready = async (): Promise<void> => {
      await recheckTarget(this.view, target, this.deadline);
      if ('text' in act || 'value' in act) await this.beforeText?.(this.deadline);
    };
    const call = { deadline: this.deadline };
    const begin = () => driver.act!(target.element.id, act, { checkpoints: ['ready'], ...call });
    try {
      return await this.send(() => runChecked(driver, { ready }, call, begin, { early: true }));
    } catch (error) {
      if (error instanceof DesktopError && error.code === 'pattern_unsupported') {
        const why = error.details?.why;
        if (typeof why === 'string') this.unsupportedReason = why;
        this.view.log.add('step', `${target.element.ref} offers no pattern for ${act.kind}`);
        return undefined;
      }
      throw await withTargetContext(this.view, error, target, this.deadline);
    }
  }

  /** Waits until the target is the hit target at its click point. For acts that press nothing. */
  async point(target: Target): Promise<Point> {
    return (await findClickPoint(this.view, target, this, (one) => this.scrollIntoView(one))).at;
  }

  /** The same for a drop, which policy treats like a press. */
  async dropPoint(target: Target): Promise<Point> {
    return (await this.clickPoint(target)).at;
  }

  /**
   * Follows a target that moved away at the last moment, while there is time for it to become actionable. Not after the
   * button went down: an app that acts on the press would act twice.
   */
  async click(target: Target, request: Request<ClickRequest> = {}): Promise<void> {
    for (;;) {
      const { at, now } = await this.clickPoint(target);
      const click = new ClickChecks(this.view, now, at, this.deadline, this.hitTargetCheck(now));
      try {
        await this.send(() => this.input().click(at, { ...request, deadline: this.deadline }, click.checks));
        this.slowClick = click.times.slow;
        return;
      } catch (error) {
        if (!click.notReady || this.actionableBy.over) throw click.failure(error, request.count ?? 1);
        this.view.log.add('retry', `searched the click point again: ${(error as Error).message}`);
      }
    }
  }

  /** `under`: the hit target that policy evaluated. It must still be there at each press. */
  async clickAt(at: Point, under: HitTestResult, request: Request<ClickRequest> = {}): Promise<void> {
    const times = new PressTimes();
    const ready = async (): Promise<void> => {
      await recheckPoint(this.view, this.reader, at, under, this.deadline);
      times.note();
    };
    await this.send(() => this.input().click(at, { ...request, deadline: this.deadline }, { ready }));
    this.slowClick = times.slow;
  }

  async moveTo(at: Point): Promise<void> {
    await refuseHiddenPoint(this.view, at, this.deadline);
    return this.send(() => this.input().move(at, { deadline: this.deadline }));
  }

  /** Drags by the click point. The target must still be there when the button goes down. */
  async drag(
    target: Target,
    to: (from: Point) => Promise<Point>,
    request: Request<DragRequest> = {},
    /** For a drag to a point: the hit target that policy evaluated there. */
    under?: HitTestResult,
    /** For a drag onto an element. */
    onto?: Target,
  ): Promise<void> {
    const { at, now } = await this.clickPoint(target);
    // Policy must evaluate the end first: the act starts again, now that the dragged element is on the screen.
    if (under?.unseen) throw dragEndOffScreen(target);
    const dropTarget = new DropTarget(this.view, now, this.authorizeDrop, this.evaluated);
    const end = await to(at);
    if (under) await recheckPoint(this.view, this.reader, end, under, this.deadline);
    else await refuseHiddenPoint(this.view, end, this.deadline);
    const ready = (): Promise<void> => recheckAtPoint(this.view, now, at, this.deadline, this.hitTargetCheck(now));
    let refusal: unknown;
    const beforeDrop = (): Promise<void> =>
      dropTarget.check(end, onto?.element.id, this.deadline).catch((error: unknown) => {
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

  /** A point where the wheel scrolls the target and changes no control in it. */
  wheelTarget(target: Target, heading: Heading, read: () => Promise<Element>): Promise<WheelTarget> {
    return findWheelTarget(this.view, target, heading, read, this);
  }

  /** Checks again right before the wheel is turned that the same element is at the point. */
  async wheel({ at, precheck }: WheelTarget, notches: { x?: number; y?: number }): Promise<void> {
    await refuseHiddenPoint(this.view, at, this.deadline);
    return this.send(() => this.input().wheel(at, notches, { deadline: this.deadline }, { ready: precheck }));
  }

  /** `check` is called before each key, once the app has processed the keys before it. */
  press(
    chords: readonly Chord[],
    request: Request<PressRequest> = {},
    check?: (pressed: number) => Promise<void>,
  ): Promise<void> {
    return this.send(() => this.input().press(chords, { ...request, deadline: this.deadline }, check));
  }

  /**
   * Sends keys to the window, each only while the element that policy decided on has the focus. `lands`: the focused
   * element, if the keys are for no target.
   */
  async pressIn(window: WindowInfo, target: Target | undefined, chords: readonly Chord[], lands?: Target) {
    const keysFor = target ? { target } : lands ? { lands } : {};
    const focus = new KeyFocus(this.view, window, keysFor, chords, this.deadline);
    await this.press(chords, {}, (pressed) => focus.check(pressed));
    await focus.confirm();
  }

  /** Calls `shouldContinue` before each chunk of characters; false ends the typing. */
  type(text: string, request: Request<TypeRequest> = {}, shouldContinue?: ShouldContinue): Promise<TypedText> {
    const { beforeText, deadline } = this;
    const guarded: ShouldContinue = async (...given) => {
      await beforeText?.(deadline);
      return shouldContinue === undefined || shouldContinue(...given);
    };
    return this.send(() => this.input().type(text, { ...request, deadline }, beforeText ? guarded : shouldContinue));
  }

  async window(id: string, change: WindowChange): Promise<WindowAnswer> {
    const { driver } = this.view;
    if (!driver.changeWindow) throw cannot('Windows cannot be changed on this desktop.');
    this.arbiter.refuseWhileAsking();
    // A window that comes to the front would receive the keys that the user is typing.
    if (change.action === 'focus' || change.action === 'front') await this.arbiter.beforeInput();
    else await this.arbiter.beforePattern(id);
    return this.send(() => driver.changeWindow!(id, change, { deadline: this.deadline }));
  }

  async writeClipboard(text: string): Promise<void> {
    const { clipboard } = this.view.driver;
    if (!clipboard) throw cannot('This desktop has no clipboard.');
    this.arbiter.refuseWhileAsking();
    await this.send(() => clipboard.write(text, { deadline: this.deadline }));
  }

  /** Whether the clipboard holds text that is withheld from callers. */
  async clipboardIsSecret(): Promise<boolean> {
    const { clipboard } = this.view.driver;
    return clipboard !== undefined && (await clipboard.owner?.({ deadline: this.deadline }))?.secret === true;
  }

  /** Undefined if the clipboard contains no text. */
  async readClipboard(): Promise<string | undefined> {
    const { clipboard } = this.view.driver;
    if (!clipboard) throw cannot('This desktop has no clipboard.');
    await refuseHiddenClipboard(this.view, clipboard, this.deadline);
    const text = await clipboard.read({ deadline: this.deadline });
    // Another app may have copied something meanwhile.
    await refuseHiddenClipboard(this.view, clipboard, this.deadline);
    return text;
  }

  /**
   * Focuses the target, so that it receives the keys that follow. Focusing does not count as delivered, except by a
   * click, because its effect is unknown. `keepCaret`: a field that receives the focus may select its whole text, and a
   * click moves the caret.
   */
  async giveFocus(target: Target, { keepCaret = false } = {}): Promise<void> {
    const before = this.delivered;
    await refuseForeignMenu(this.view, target.window, this.deadline);
    try {
      const how = await this.focusing.ensureFocus(target, { keepCaret });
      await requireFocus(this.view, target, this.deadline, how === 'clicked');
    } finally {
      if (!this.focusing.pressed) this.delivered = before;
    }
  }

  /** Activates the window, then focuses the element, by pattern if that works. */
  focus(target: Target): Promise<'had' | 'given' | 'clicked'> {
    return this.focusing.ensureFocus(target, { only: true });
  }

  activate(window: WindowInfo): Promise<void> {
    return this.focusing.activate(window);
  }

  /** Throws if an open menu of another app receives the keys instead of this window. */
  noMenuElsewhere(window: WindowInfo): Promise<void> {
    return refuseForeignMenu(this.view, window, this.deadline, this.delivered !== 'no');
  }

  /** Confirms before each chunk of this text that the target still has the focus. */
  typingFocus(target: Target, text: string): TypingFocus {
    return new TypingFocus(this.view, target, text, this.deadline);
  }

  /** Whether the target, or an element inside it, has the focus. */
  hasFocus(target: Target): Promise<boolean> {
    return this.focusing.has(target);
  }

  /** Whether the app of the target has ended, as far as the driver knows. */
  async hasEnded({ element }: Target): Promise<boolean> {
    // After a stop or a timeout the progress is reported at once, without waiting for the app.
    if (this.deadline.over) return false;
    try {
      const read = requireCapability(this.view.driver, 'read');
      await read({ element: element.id }, { deadline: this.deadline, depth: 0, fresh: true });
      return false;
    } catch (error) {
      // Any other error means that the app still answers.
      if (error instanceof DesktopError) return error.code === 'process_gone';
      throw error;
    }
  }

  /** Performs one step of several and waits until the UI is idle. */
  async settled(window: WindowInfo | undefined, step: () => Promise<void>): Promise<void> {
    const activity = new ActivityMonitor(this.view, window?.pid);
    try {
      await step();
      await activity.waitForIdle(performance.now() + STEP_MS, this.deadline);
    } finally {
      activity.end();
    }
  }

  /** Starts a program, without a shell, and returns its first window. */
  async launch(
    command: string,
    args: readonly string[],
    deadline: Deadline,
    authorized?: ResolvedCommand,
  ): Promise<LaunchAnswer> {
    const { launch } = this.view;
    if (!launch) throw cannot('Apps are started in private desktops only.');
    const windows = async (): Promise<WindowInfo[]> => (await this.view.listWindows(this.deadline)).windows;
    const before = await windows();
    this.arbiter.refuseWhileAsking();
    const started = await this.send(() => launch(command, args, authorized && { authorized }));
    this.view.launches.lastAt = performance.now();
    const hidden: FindHidden = (which) => this.view.hiddenWindows.patternFor(which);
    return waitForFirstWindow(started, before, windows, deadline, this.view.isDescendantProcess, hidden);
  }

  private async clickPoint(target: Target): Promise<{ at: Point; now: Target }> {
    const scroll = (one: Target): Promise<boolean> => this.scrollIntoView(one);
    const found = await findClickPoint(this.view, target, this, scroll, this.hitTargetCheck(target));
    if (evaluatedOffScreen(target)) throw notEvaluatedError(target);
    return found;
  }

  private hitTargetCheck(target: Target): HitTargetCheck {
    return (found) => {
      const controls = notEvaluated(this.evaluated, target, found);
      if (controls.length > 0) throw notEvaluatedError(target, controls);
    };
  }

  /** Makes the target reachable for the pointer. This does not count as delivered: nothing was pressed. */
  private async scrollIntoView(target: Target): Promise<boolean> {
    const before = this.delivered;
    try {
      return (await this.pattern(target, { kind: 'scrollIntoView' })) !== undefined;
    } finally {
      this.delivered = before;
    }
  }

  private input(): ArbitratedInput {
    const { driver } = this.view;
    if (driver.input) return new ArbitratedInput(driver, driver.input, this.arbiter);
    throw cannot('This desktop has no mouse and keyboard input for agents.');
  }

  /** Delivery is unknown until the driver answers. */
  private async send<T>(work: () => Promise<T>): Promise<T> {
    const before = this.delivered;
    this.deadline.throwIfOver('The act');
    this.delivered = 'unknown';
    try {
      const answer = await work();
      this.delivered = 'yes';
      this.arbiter.noteDelivered('yes');
      return answer;
    } catch (error) {
      if (error instanceof DesktopError && error.delivered === 'no') this.delivered = before;
      else if (error instanceof DesktopError && error.delivered === 'yes') this.delivered = 'yes';
      throw error;
    }
  }
}

function cannot(message: string): DesktopError {
  return new DesktopError('not_supported', message, {
    retry: 'no',
    hint: 'Run ui_capabilities to see why and what to do.',
  });
}
