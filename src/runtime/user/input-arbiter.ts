import { Deadline, type Delivered, DesktopError } from '../../shared/index.js';
import { contains, mainWindowOf, type Point, type WindowInfo } from '../../tree/index.js';
import { type HeldTarget, refuseWhileAsking } from '../approval/open-questions.js';
import type { CallView } from '../visibility/call-view.js';
import type { UserActivity, InputPeriod } from './user-activity.js';

/** How far an act has come. */
export interface ActProgress {
  /** `12 of 40 characters were typed` */
  text?: string;
  details?: Record<string, unknown>;
}

/** Ends synthetic input when the user takes the mouse or keyboard. */
interface Interruption {
  deadline: Deadline;
  /** The user's input ended it. */
  readonly byUser: boolean;
  end(): void;
}

/** Coordinates one act with the user's own input; the user has priority. */
export class InputArbiter {
  /** The strongest delivery state of all input that the act has sent so far. */
  private delivered: Delivered = 'no';
  /** Where the pointer was before the first click: the element there loses its look when the pointer leaves it. */
  pointerWas?: Point;

  constructor(
    private readonly desktop: CallView,
    private readonly window: WindowInfo | undefined,
    /** Until when the act may begin or continue. */
    private readonly ready: Deadline,
    private readonly deadline: Deadline,
    /** The user has just approved the act. */
    private readonly approved = false,
  ) {}

  /** Throws while the user is asked about another act, unless this one goes by pattern and is out of its way. */
  refuseWhileAsking(pattern?: HeldTarget): void {
    const manner = pattern ? 'pattern' : this.approved ? 'approved input' : 'input';
    refuseWhileAsking(this.desktop, manner, [pattern ?? { window: this.window }]);
  }

  private get user(): UserActivity {
    return this.desktop.user;
  }

  /** Some input of the act was delivered, or may have been. */
  noteDelivered(delivered: Delivered): void {
    if (delivered !== 'no' && this.delivered !== 'yes') this.delivered = delivered;
  }

  /**
   * Before pointer or keyboard input: waits until the user is idle. An act that has begun continues only if the user
   * left its target as it was.
   */
  async beforeInput(progress: ActProgress = {}): Promise<void> {
    this.refuseWhileAsking();
    await this.user.startWatching(this.deadline);
    if (this.user.undetectedReason !== undefined && this.desktop.kind === 'seat')
      throw undetectedError(this.user.undetectedReason);
    if (!this.user.busy) return;
    const period = this.user.lastPeriod!;
    const began = performance.now();
    this.desktop.log.add('wait', `the user is using ${devices(period)}`);
    this.refuseAfterUserKeys(period, progress);
    if (!(await this.user.waitUntilIdle(this.ready))) throw this.stillBusyError(period, began, progress);
    this.refuseAfterUserKeys(period, progress);
    if (this.delivered !== 'no' && period.kinds.has('button')) await this.refuseIfFocusMoved(period, progress);
  }

  /** Before a pattern call, which needs no input device: waits only if the user works in that window. */
  async beforePattern(window: string): Promise<void> {
    await this.user.startWatching(this.deadline);
    if (!this.user.busy) return;
    const period = this.user.lastPeriod!;
    const { windows } = await this.desktop.listWindows(this.deadline);
    const userWindows = await this.windowsOf(period, windows);
    if (!userWindows.has(rootOf(window, windows))) return;
    const began = performance.now();
    if (!(await this.user.waitUntilIdle(this.ready))) throw this.stillBusyError(period, began);
  }

  interruptible(within: Deadline): Interruption {
    const { signal } = within;
    const ending = new AbortController();
    const abort = (): void => ending.abort();
    let interrupted = false;
    const stop = this.user.onInput(() => {
      interrupted = true;
      abort();
    });
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
    return {
      deadline: Deadline.in(within.remaining(), ending.signal),
      get byUser() {
        return interrupted && signal?.aborted !== true;
      },
      end: () => {
        stop();
        signal?.removeEventListener('abort', abort);
      },
    };
  }

  /** The user intervened during input that cannot be continued. */
  interruptedError(error: DesktopError, progress: ActProgress): DesktopError {
    return this.interventionError(this.user.lastPeriod, 'so it was ended there', progress, error);
  }

  /** The user's keys went to the same place as those of the act. */
  private refuseAfterUserKeys(period: InputPeriod, progress: ActProgress): void {
    if (this.delivered === 'no' || !period.kinds.has('key')) return;
    throw this.interventionError(period, 'so it was not continued', progress);
  }

  /** A click may have moved the caret in the act's window, or taken the focus from it. */
  private async refuseIfFocusMoved(period: InputPeriod, progress: ActProgress): Promise<void> {
    const { windows } = await this.desktop.listWindows(this.deadline);
    const actWindow = this.window && rootOf(this.window.id, windows);
    const activeWindow = windows.find(({ active }) => active);
    const moved = actWindow === undefined || !activeWindow || rootOf(activeWindow.id, windows) !== actWindow;
    if (!moved && !(await this.windowsOf(period, windows)).has(actWindow)) return;
    throw this.interventionError(period, 'so it was not continued', progress);
  }

  private stillBusyError(period: InputPeriod, began: number, { text, details }: ActProgress = {}): DesktopError {
    const ms = performance.now() - began;
    const waited = ms > 100 ? `, for ${Math.round(ms)} ms` : '';
    const done = text === undefined ? '' : `; ${text}`;
    const untouched = this.delivered === 'no';
    return new DesktopError('not_ready', `The user is using ${devices(period)}${waited}${done}.`, {
      delivered: this.delivered,
      ...(untouched && { retry: 'after' as const, retryAfter: 'the user stops using mouse and keyboard' }),
      hint: 'Wait a moment; the user has priority.',
      ...(details && { details }),
    });
  }

  private interventionError(
    period: InputPeriod | undefined,
    why: string,
    { text, details }: ActProgress,
    cause?: unknown,
  ): DesktopError {
    const done = text === undefined ? '' : `; ${text}`;
    return new DesktopError('target_changed', `The user used ${devices(period)} during the act, ${why}${done}.`, {
      delivered: this.delivered,
      retry: 'no',
      hint: 'Run ui_snapshot to see what is there now.',
      ...(details && { details }),
      ...(cause !== undefined && { cause }),
    });
  }

  /** The windows that the user works in: the active window for keys, the window under the pointer for the mouse. */
  private async windowsOf({ kinds }: InputPeriod, windows: readonly WindowInfo[]): Promise<ReadonlySet<string>> {
    const found: (WindowInfo | undefined)[] = [];
    const mouse = kinds.has('motion') || kinds.has('button');
    if (kinds.has('key')) found.push(windows.find(({ active }) => active));
    const at = mouse ? await this.desktop.driver.input?.pointer({ deadline: this.deadline }) : undefined;
    if (at) {
      const isUnderPointer = ({ visible, minimised, bounds }: WindowInfo): boolean =>
        visible && !minimised && bounds !== undefined && contains(bounds, at);
      found.push(windows.find(isUnderPointer));
    } else if (mouse) found.push(windows.find(({ active }) => active));
    return new Set(found.filter((one) => one !== undefined).map(({ id }) => rootOf(id, windows)));
  }
}

/** Dialogs and menus belong to a window: working in them counts as working in that window. */
function rootOf(id: string, windows: readonly WindowInfo[]): string {
  const here = windows.find((window) => window.id === id);
  return here ? mainWindowOf(here, windows).id : id;
}

const BOTH = 'mouse and keyboard';

function devices(period: InputPeriod | undefined): string {
  const mouse = period?.kinds.has('motion') === true || period?.kinds.has('button') === true;
  if (mouse && period?.kinds.has('key')) return BOTH;
  return mouse ? 'the mouse' : period?.kinds.has('key') ? 'the keyboard' : BOTH;
}

function undetectedError(reason: string): DesktopError {
  const why = reason.replace(/[.\s]+$/, '');
  const message = `It is unknown whether the user is using mouse or keyboard (${why}), so neither was used.`;
  return new DesktopError('not_ready', message, {
    hint: 'Acts that need neither still work: method "pattern". Run deskproof doctor for details.',
  });
}
