import type { Box, Point } from '../../tree/index.js';
import type { ActOptions, Caret, Clipboard, PatternAct, PatternAnswer, WindowAnswer, WindowChange } from './act.js';
import type { CallOptions, StreamOptions } from './call.js';
import type { DriverDescription, Finding } from './capabilities.js';
import type { CaptureArea, Screenshot, ScreenshotOptions } from './capture.js';
import type { ActStep, CheckpointDecision } from './act-checkpoints.js';
import type { EventStream, UserInputEvents, UserInputOptions } from './events.js';
import type { InputDevice } from './input-device.js';
import type {
  Found,
  HitTestOptions,
  RangeAnswer,
  RangeRequest,
  ReadAnswer,
  ReadOptions,
  ReadScope,
  TextAnswer,
  TreeSync,
  WindowsAnswer,
} from './read.js';
import { DesktopError } from '../../shared/index.js';

/**
 * What a platform provides. The first group is required. Each member of the second group exists unless the capability of
 * the same name is `no` in `describe()`.
 *
 * Requests, answers and events are plain JSON values (a screenshot's pixels are bytes); `call.ts` describes the one
 * exception. Errors are `DesktopError`: `process_gone` if the app died, `app_hung` if it does not answer, `stale_ref` if
 * the element no longer exists, `element_not_found` if the window does not.
 */
export interface Driver {
  describe(): DriverDescription;
  windows(options: CallOptions): Promise<WindowsAnswer>;
  /** A driver that loses its source ends the stream with a `lost` event, never silently. */
  events(options: StreamOptions): EventStream;
  doctor(options: CallOptions): Promise<Finding[]>;
  close(): Promise<void>;

  /** Reads the accessibility tree. Desktops that only have pixels and input lack it. */
  read?(scope: ReadScope, options: ReadOptions): Promise<ReadAnswer>;
  atPoint?(point: Point, options: HitTestOptions): Promise<Found | undefined>;
  focused?(options: CallOptions): Promise<Found | undefined>;
  text?(element: string, span: { start: number; end: number }, options: CallOptions): Promise<TextAnswer>;
  /** Undefined if the app does not report it. A caret that was never placed counts as the end of the text. */
  caret?(element: string, options: CallOptions): Promise<Caret | undefined>;
  /**
   * The web pages around an element, innermost first, read from the app at once; empty if it is in none. `null` is a page
   * whose address the app does not report. Asked only when a secret is about to be typed.
   */
  pages?(element: string, options: CallOptions): Promise<(string | null)[]>;
  /**
   * The keys that activate each of the elements, as the app reports them: `ctrl+s`, `alt+s`. Asked only for a key that
   * may be an accelerator, if a rule may deny what it presses.
   */
  keyBindings?(elements: readonly string[], options: CallOptions): Promise<string[][]>;
  /** Rows of a table, items of a list or cells of a spreadsheet, including those that are off-screen. */
  range?(element: string, range: RangeRequest, options: CallOptions): Promise<RangeAnswer>;
  /**
   * Resolves when the tree of this element is no older than what the app shows in that area: some apps report a change
   * long after they have drawn it. Ends with the deadline, also if the area never stops changing.
   */
  waitForTreeSync?(element: string, area: Box, options: TreeSync): Promise<void>;

  screenshot?(area: CaptureArea | undefined, options: ScreenshotOptions): Promise<Screenshot>;
  /**
   * The caller no longer needs these pixels, so the next screenshot can reuse their memory. Only for a driver in the same
   * process; a transport does not have it.
   */
  releaseScreenshot?(screenshot: Screenshot): void;

  /** The user's own input until `signal` aborts. Costs nothing while no stream is open. */
  userInput?(options: UserInputOptions): UserInputEvents;
  /** Resolves with the reason when the desktop is gone for good and no call can be answered any more. */
  readonly lost?: Promise<string>;

  /** `pattern_unsupported` if the app offers nothing for it. */
  act?(element: string, act: PatternAct, options: ActOptions): Promise<ActStep<PatternAnswer>>;
  changeWindow?(window: string, change: WindowChange, options: CallOptions): Promise<WindowAnswer>;
  readonly input?: InputDevice;
  readonly clipboard?: Clipboard;
  /**
   * Continues an act of `act` or `input` that waits at a checkpoint, and returns its next step. Required for drivers with
   * `act` or `input`. If a checkpoint is abandoned, because its deadline is over, its call was cancelled or the driver
   * was closed, the act ends, everything is released and nothing more is sent; `resume` then throws the act's error.
   */
  resume?(token: string, decision: CheckpointDecision, options: CallOptions): Promise<ActStep<unknown>>;
}

/** The members that a driver may lack. Each is a capability of the same name. */
type OptionalMember = {
  [Name in keyof Driver]-?: undefined extends Driver[Name] ? Name : never;
}[keyof Driver];

/** A driver of a desktop that has an accessibility tree. */
export type TreeDriver = Driver & Required<Pick<Driver, 'read'>>;

/** Members that change the desktop. Only the actor may reach them, so `requireCapability` does not return them. */
type ChangingMember = 'act' | 'changeWindow' | 'input' | 'clipboard' | 'resume';

/** Methods that read the desktop and that a driver may lack. */
type ReadingMethod = Exclude<OptionalMember, ChangingMember | 'lost'>;

/** The method, bound to its driver, or `not_supported` with the driver's reason and fix. */
export function requireCapability<Name extends ReadingMethod>(driver: Driver, name: Name): NonNullable<Driver[Name]> {
  const method = driver[name];
  if (method) return method.bind(driver) as NonNullable<Driver[Name]>;
  throw missingCapability(driver, name);
}

export function missingCapability(driver: Driver, name: OptionalMember): DesktopError {
  const state = driver.describe().capabilities[name];
  const why = state.can === 'yes' ? '' : `: ${state.reason.replace(/\.$/, '')}`;
  return new DesktopError('not_supported', `This desktop cannot do that (${name})${why}.`, {
    retry: 'no',
    hint: state.can !== 'yes' && state.fix ? state.fix : 'ui_capabilities lists what works here.',
  });
}
