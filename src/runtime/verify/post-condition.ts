import { type Deadline, DesktopError, hasTrait } from '../../shared/index.js';
import { describeElement } from '../../tree/index.js';
import type { RenderableActResult } from '../act/action.js';
import type { Condition } from '../conditions/condition.js';
import { Baseline } from '../conditions/evaluate.js';
import { parseCondition } from '../conditions/parse-condition.js';
import { evaluateNow, type WaitOutcome, waitFor } from '../conditions/wait.js';
import type { CallView } from '../visibility/call-view.js';
import { excerpt } from '../locate/resolve-selector.js';

/** A condition that must hold after an act. Also evaluated before it, so that an existing state does not count as an effect. */
export class PostCondition {
  private readonly start = new Baseline('act');

  private constructor(
    private readonly desktop: CallView,
    readonly condition: Condition,
  ) {}

  /** Refuses an invalid condition before anything is done. */
  static of(desktop: CallView, given: unknown): PostCondition | undefined {
    return given === undefined ? undefined : new PostCondition(desktop, parseCondition(given));
  }

  async before(deadline: Deadline): Promise<void> {
    try {
      await evaluateNow(this.desktop, this.condition, undefined, { deadline }, this.start);
    } catch (error) {
      // A condition that cannot be evaluated yet (its window is not open) may hold afterwards. `seal` notes that it was not seen before.
      if (!(error instanceof DesktopError) || hasTrait(error, 'usage') || error.code === 'cancelled') throw error;
    }
    this.start.seal();
  }

  after(timeoutMs: number, deadline: Deadline): Promise<WaitOutcome> {
    const { desktop, condition, start } = this;
    return waitFor(desktop, condition, { timeoutMs, start }, { deadline });
  }
}

/** The act was done, but its post-condition does not hold. It is never repeated; the error lists what did change. */
export function verifyFailed(
  { wide: _, ...result }: RenderableActResult,
  condition: Condition,
  verdict: WaitOutcome,
): DesktopError {
  const { resolvedTarget: target, verb, method, window, changes } = result;
  const what = target ? ` ${describeElement(target)} in ${target.window}` : window ? ` in ${window}` : '';
  const how = method ? ` (by ${method})` : '';
  const message = `${verb}${what} was done${how}, but ${excerpt(condition.text)} does not hold after ${verdict.elapsedMs} ms.`;
  const { answer, seen, nearest } = verdict;
  return new DesktopError('verify_failed', message, {
    delivered: 'yes',
    retry: 'no',
    hint: 'do not repeat it. Run ui_snapshot to see the current state.',
    details: { answer, seen, changes, ...(nearest && nearest.length > 0 && { nearest }), result },
  });
}

/** The requested state is known not to be reached. Other changes do not make the act successful. */
export function postConditionError(
  { verb, window, changes, wide: _, ...rest }: RenderableActResult,
  unmet: string,
): DesktopError {
  return new DesktopError('verify_failed', `${verb} ${window ?? 'it'} was asked for, but ${unmet}.`, {
    delivered: 'yes',
    retry: 'no',
    hint: 'do not repeat it. Run ui_snapshot to see the current state.',
    details: { changes, result: { verb, ...(window !== undefined && { window }), changes, ...rest } },
  });
}
