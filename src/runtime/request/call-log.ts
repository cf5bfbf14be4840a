import { DesktopError } from '../../shared/index.js';

/** `wait`: the call waited for this. `retry`: a stage started again because of this. `step`: anything else. */
type CallLogKind = 'step' | 'wait' | 'retry';

export interface CallLogEntry {
  /** Since the call began. */
  ms: number;
  kind: CallLogKind;
  text: string;
}

/** The first entries say how the call began, the last ones why it failed; the middle of a long wait repeats itself. */
const FIRST = 8;
const LAST = 16;

/**
 * What one call waited for, what covered its target and what was retried. Names from apps are in quotes, as in error
 * messages. It becomes part of the error if the act fails.
 */
export class CallLog {
  private readonly first: CallLogEntry[] = [];
  private last: CallLogEntry[] = [];
  private dropped = 0;
  private readonly began = performance.now();

  add(kind: CallLogKind, text: string): void {
    // A wait polls: the same reason is one entry.
    const before = this.last.at(-1) ?? this.first.at(-1);
    if (before?.kind === kind && before.text === text) return;
    const entry = { ms: Math.round(performance.now() - this.began), kind, text };
    if (this.first.length < FIRST) this.first.push(entry);
    else this.last.push(entry);
    if (this.last.length > LAST) {
      this.dropped += 1;
      this.last = this.last.slice(1);
    }
  }

  get entries(): CallLogEntry[] {
    const gap: CallLogEntry[] =
      this.dropped > 0 ? [{ ms: this.last[0]!.ms, kind: 'step', text: `${this.dropped} entries left out` }] : [];
    return [...this.first, ...gap, ...this.last];
  }

  /** The error of a failed act, with the log in its details. */
  attachTo(error: unknown): unknown {
    const log = this.entries;
    if (!(error instanceof DesktopError) || log.length === 0) return error;
    return error.with({ details: { ...error.details, log } });
  }
}
