import type { Masks } from './masks.js';
import { TaintTracker, type Where } from './taint-tracker.js';

/** The place of a text that is about to be written. The ledger passes more fields than are needed here. */
interface LogPlace {
  path: readonly string[];
  window?: string;
}

/** Name of the mark that replaces a text whose caller set `redactInLogs`. */
const UNLOGGED = 'redactInLogs';

/** The last step before the ledger: redacts secrets, then texts that callers keep out of the log, then masks. */
export class LogRedactor {
  private readonly unlogged = new TaintTracker();

  constructor(
    private readonly taint: TaintTracker,
    private masks: Masks,
  ) {
    taint.addFollower(this.unlogged);
  }

  /** Called after the policy was reloaded. */
  useMasks(masks: Masks): void {
    this.masks = masks;
  }

  /** Text of a call with `redactInLogs`. Apps display it, so later appearances must stay out of the log too. */
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
