import { type Deadline, DesktopError } from '../../shared/index.js';
import type { ApprovalChannel } from '../approval/ask-user.js';
import type { VerifiedStep } from '../verify/batch-changes.js';
import type { CallView } from '../visibility/call-view.js';
import type { CallRequest } from './policy-request.js';

/** What all stages of one call share. `perform` creates it once the arguments are valid. */
export interface CallContext {
  /** The desktop as this call may see and use it, with its cost and its call log. */
  readonly view: CallView;
  readonly request: CallRequest;
  readonly channel: ApprovalChannel;
  /** How long a read may take, or a target may need to become actionable. */
  readonly limitMs: number;
  /**
   * The caller has set no time limit and asks for one act at a time: an act on something that does not exist fails as
   * soon as its apps are idle. Programs wait until the limit.
   */
  readonly failsFast?: boolean;
  /** Ends `limitMs` after the stage that asks for it begins: an answer of the user does not use up the time. */
  readonly deadline: () => Deadline;
  /** Set when the intent of an act is written. From then on the act writes its own record. */
  recordsItself: boolean;
  /** Receives what a verified act observed; a batch adds these up. */
  readonly onVerified?: ((step: VerifiedStep) => void) | undefined;
}

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
