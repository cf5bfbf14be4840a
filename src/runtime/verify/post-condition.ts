import { type Deadline, DesktopError, hasTrait } from '../../shared/index.js';
import { quote, roleInText } from '../../tree/index.js';
import type { RenderableActResult } from '../act/action.js';
import type { Condition } from '../conditions/condition.js';
import { Baseline } from '../conditions/evaluate.js';
import { parseCondition } from '../conditions/parse-condition.js';
import { evaluateNow, type WaitOutcome, waitFor } from '../conditions/wait.js';
import type { CallView } from '../visibility/call-view.js';
import { excerpt } from '../locate/resolve-selector.js';

/** What must hold after an act. Judged once before it, so that what was there already does not count as its effect. */
export class PostCondition {
  private readonly start = new Baseline('act');

  private constructor(
    private readonly desktop: CallView,
    readonly condition: Condition,
  ) {}

  /** A condition that cannot be read is refused before anything is done. */
  static of(desktop: CallView, given: unknown): PostCondition | undefined {
    return given === undefined ? undefined : new PostCondition(desktop, parseCondition(given));
  }

  async before(deadline: Deadline): Promise<void> {
    try {
      await evaluateNow(this.desktop, this.condition, undefined, { deadline }, this.start);
    } catch (error) {
      // What cannot be judged yet (its window is not open) may hold afterwards; that it was not seen before is noted.
      if (!(error instanceof DesktopError) || hasTrait(error, 'usage') || error.code === 'cancelled') throw error;
    }
    this.start.seal();
  }

  after(timeoutMs: number, deadline: Deadline): Promise<WaitOutcome> {
    const { desktop, condition, start } = this;
    return waitFor(desktop, condition, { timeoutMs, start }, { deadline });
  }
}

/** The act was done and did not bring what it was for. It is never repeated; what it did bring is told. */
export function verifyFailed(
  { wide: _, ...result }: RenderableActResult,
  condition: Condition,
  verdict: WaitOutcome,
): DesktopError {
  const { resolvedTarget: target, verb, method, window, changes } = result;
  const name = target?.name ? ` ${quote(target.name)}` : '';
  const what = target
    ? ` ${target.ref} ${roleInText(target.role)}${name} in ${target.window}`
    : window
      ? ` in ${window}`
      : '';
  const how = method ? ` (by ${method})` : '';
  const message = `${verb}${what} was done${how}, but ${excerpt(condition.text)} does not hold after ${verdict.elapsedMs} ms.`;
  const { answer, seen, nearest } = verdict;
  return new DesktopError('verify_failed', message, {
    delivered: 'yes',
    retry: 'no',
    hint: 'do not repeat it; see what there is now: ui_snapshot.',
    details: { answer, seen, changes, ...(nearest && nearest.length > 0 && { nearest }), result },
  });
}

/** What was asked for is known not to be so; that something else changed does not make it good. */
export function postConditionError(
  { verb, window, changes, wide: _, ...rest }: RenderableActResult,
  unmet: string,
): DesktopError {
  return new DesktopError('verify_failed', `${verb} ${window ?? 'it'} was asked for, but ${unmet}.`, {
    delivered: 'yes',
    retry: 'no',
    hint: `do not repeat it; see what there is now: ui_snapshot.`,
    details: { changes, result: { verb, ...(window !== undefined && { window }), changes, ...rest } },
  });
}
