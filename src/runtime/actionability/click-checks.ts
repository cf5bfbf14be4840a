import { DesktopError, type Deadline, hasTrait } from '../../shared/index.js';
import type { Point } from '../../tree/index.js';
import type { Target } from '../locate/target.js';
import { FinalActError } from '../request/act-errors.js';
import type { ActChecks } from '../user/checked-act.js';
import type { CallView } from '../visibility/call-view.js';
import { ACTS_ON_RELEASE, pressCancelled, PressCancellation } from './cancel-press.js';
import type { HitTargetCheck } from './hit-target.js';
import { recheckAtPoint, recheckUnderPointer } from './recheck-target.js';

/** GTK 3, GTK 4 and Qt count a press as part of a double click up to 400 ms after the one before; Chromium 500 ms. */
const DOUBLE_CLICK_MS = 400;

/** Milliseconds since the epoch; more precise than `Date.now()`, and monotonic. */
const epochMs = (): number => performance.timeOrigin + performance.now();

/**
 * When the presses of one click were sent. A double click takes as long as the check between its presses, and an app
 * that was slow to answer it sees single clicks.
 */
export class PressTimes {
  private last?: number;
  private longest = 0;

  note(at = epochMs()): number {
    if (this.last !== undefined) this.longest = Math.max(this.longest, at - this.last);
    this.last = at;
    return at;
  }

  /** Why the app may not have seen a double click; undefined if the presses were close enough. */
  get slow(): string | undefined {
    if (this.longest <= DOUBLE_CLICK_MS) return undefined;
    return `the presses were ${Math.round(this.longest)} ms apart, so the app may have taken them for single clicks`;
  }
}

/** The checks of one click on a target: before each press, and with the button down. */
export class ClickChecks {
  /** The target was not ready at the first press: nothing was sent, and its click point can be searched again. */
  notReady = false;
  readonly times = new PressTimes();
  private sent = 0;
  private pressedAt = epochMs();
  private cancellation?: PressCancellation;
  private cancelled = false;
  private refusal?: DesktopError;

  constructor(
    private readonly view: CallView,
    private readonly target: Target,
    private readonly at: Point,
    private readonly deadline: Deadline,
    private readonly checkHit: HitTargetCheck,
  ) {}

  get checks(): Pick<ActChecks, 'ready' | 'pressed'> {
    const ready = (sent: number): Promise<void> => this.beforePress(sent);
    const pressed = (pointer?: Point): Promise<Point | undefined> => this.afterPress(pointer);
    return { ready, ...(ACTS_ON_RELEASE.has(this.target.element.role) && { pressed }) };
  }

  /** The error of the click, with what the checks know about it. */
  failure(error: unknown, count: number): unknown {
    if (!(error instanceof DesktopError)) return error;
    if (this.cancelled && this.cancellation)
      return pressCancelled(this.target, this.cancellation, error, { sent: this.sent, count });
    return this.refusal ? betweenPresses(this.refusal, error, this.target, { sent: this.sent, count }) : error;
  }

  private async beforePress(sent: number): Promise<void> {
    const { view, target, at, deadline, checkHit } = this;
    this.sent = sent;
    try {
      if (sent === 0) await recheckAtPoint(view, target, at, deadline, checkHit);
      else await recheckUnderPointer(view, target, at, deadline, checkHit);
    } catch (error) {
      if (error instanceof DesktopError) {
        this.notReady = sent === 0 && error.code === 'not_ready';
        if (sent > 0) this.refusal = error;
      }
      throw error;
    }
    this.pressedAt = this.times.note();
  }

  private async afterPress(pointer?: Point): Promise<Point | undefined> {
    const { view, target, at, deadline } = this;
    if (pointer) return this.cancellation?.farther(pointer);
    this.cancellation = new PressCancellation(view, target, at, deadline);
    // The first press has already given it the focus.
    const releaseAt = await this.cancellation.find(this.sent === 0 ? this.pressedAt : undefined);
    this.cancelled = releaseAt !== undefined;
    return releaseAt;
  }
}

interface Presses {
  sent: number;
  count: number;
}

/** Another element is under the pointer now, or the target means something else. An app that is silent keeps its code. */
function betweenPresses(
  why: DesktopError,
  { delivered, details }: DesktopError,
  target: Target,
  { sent, count }: Presses,
) {
  const changed = why.code === 'not_ready' || hasTrait(why, 'targetLost') || why.code === 'element_not_found';
  const message = `${why.message.replace(/[.\s]+$/, '')}; ${sent} of ${count} clicks ${sent === 1 ? 'was' : 'were'} sent.`;
  return new FinalActError(changed ? 'target_changed' : why.code, message, {
    delivered: delivered === 'no' ? 'yes' : delivered,
    retry: 'no',
    hint: `Run ui_snapshot ${target.window.ref} to see what the first click did.`,
    details: { ...details, clicks: sent },
    cause: why,
  });
}
