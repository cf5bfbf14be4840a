import { DesktopError, type Deadline } from '../../shared/index.js';
import type { Condition } from '../conditions/condition.js';
import { parseCondition } from '../conditions/parse-condition.js';
import { Start } from '../conditions/start.js';
import type { Desktop } from '../desktop.js';
import { judgeNow, waitFor, type Outcome } from '../wait.js';

/** What must hold after an act. Judged once before it, so that what was there already does not count as its effect. */
export class Verify {
  private readonly start = new Start('act');

  private constructor(
    private readonly desktop: Desktop,
    readonly condition: Condition,
  ) {}

  /** A condition that cannot be read is refused before anything is done. */
  static of(desktop: Desktop, given: unknown): Verify | undefined {
    return given === undefined ? undefined : new Verify(desktop, parseCondition(given));
  }

  async before(deadline: Deadline): Promise<void> {
    try {
      await judgeNow(this.desktop, this.condition, undefined, { deadline }, this.start);
    } catch (error) {
      // What cannot be judged yet (its window is not open) may hold afterwards; that it was not seen before is noted.
      if (!(error instanceof DesktopError) || WRONG.has(error.code)) throw error;
    }
    this.start.seal();
  }

  after(timeoutMs: number, deadline: Deadline): Promise<Outcome> {
    const { desktop, condition, start } = this;
    return waitFor(desktop, condition, { timeoutMs, start }, { deadline });
  }
}

const WRONG: ReadonlySet<string> = new Set(['bad_arguments', 'selector_syntax', 'cancelled']);
