import type { Masks } from './masks.js';
import { TaintTracker, type Where } from './taint-tracker.js';

/** Where a text stands that is about to be written; the ledger tells more than is needed here. */
export interface LogPlace {
  path: readonly string[];
  window?: string;
}

/** What stands in a log for a text whose caller wanted it so. */
export const UNLOGGED = 'redactInLogs';

/** The last door before the ledger: secrets, then what callers keep out of logs, then masks. */
export class LogRedactor {
  private readonly unlogged = new TaintTracker();

  constructor(
    private readonly taint: TaintTracker,
    private masks: Masks,
  ) {
    taint.alsoTell(this.unlogged);
  }

  /** After the policy was read again. */
  useMasks(masks: Masks): void {
    this.masks = masks;
  }

  /** Text of a call with `redactInLogs`: apps show it again, and then it has to stay out of the log too. */
  withhold(text: string, { window = '', title }: Where & { title?: string } = {}): void {
    this.unlogged.typed({ name: UNLOGGED, value: text, window, title, field: UNLOGGED });
  }

  text(text: string, { path, window }: LogPlace): string {
    const hidden = [this.taint, this.unlogged].reduce(
      (now, taint) => (path[0] === 'args' ? taint.redactArgument(now, { window }) : taint.redactText(now, { window })),
      text,
    );
    return this.masks.redact(hidden);
  }

  end(): void {
    this.unlogged.end();
  }
}
