import type { Delivered, ErrorCode } from '../shared/index.js';
import type { SnapshotContent } from './evidence/snapshot-content.js';
import type { Content, Draft } from './record.js';
import { NO_REDACTION, redact, type Redactor } from './write/redact.js';

type IntentFields = Content<'intent'>;

/**
 * An act that is about to be performed; written before it is. Arguments come without secrets, and texts are redacted
 * again.
 */
export interface Intent extends Partial<Omit<IntentFields, 'tool' | 'caller' | 'decision' | 'target' | 'app'>> {
  tool: string;
  /** Only a surface, or a surface with its session. */
  caller: string | IntentFields['caller'];
  /** The rule that allowed it. */
  rule: string;
  /** The whole decision. A rule alone means that it was allowed. */
  decision?: IntentFields['decision'];
  target?: TargetDescription;
  /** The process that the act is performed on, as reported by the OS. */
  process?: IntentFields['app'];
  /** The snapshot of `evidence.snapshot`. Absent: one of its windows is hidden now. Only evidence ledgers store it. */
  seen?: SnapshotContent;
}

/** What is known about a target, in the terms of policy rules. */
interface TargetDescription {
  id?: string;
  /** Real path of the program. */
  app?: string;
  appName?: string;
  window?: string;
  role?: string;
  name?: string;
  confidence?: number;
}

/** The result of an act. */
export interface ActOutcome extends Partial<
  Pick<Content<'outcome'>, 'changed' | 'postcondition' | 'method' | 'after' | 'blob'>
> {
  status: string;
  delivered: Delivered;
  error?: ErrorCode;
  durationMs: number;
  driverCalls?: number;
  tokens?: number;
  /** The snapshot of `after`, as in an intent. */
  seen?: SnapshotContent;
}

/** A read, a capture, or any call that was refused. */
export interface CallNote extends Intent {
  status: Content<'call'>['status'];
  error?: ErrorCode;
}

/** Events around acts, written unchanged. */
export type Note = Extract<
  Draft,
  { kind: 'session' | 'policy' | 'grant' | 'pause' | 'stop' | 'resume' | 'ask' | 'answer' | 'retention' }
>;

/** The audit log. An act that cannot be written is not performed. */
export interface Ledger {
  /** Resolves when the intent is durable. The number identifies the act. */
  intent(intent: Intent): Promise<number>;
  outcome(of: number, ending: ActOutcome): Promise<void>;
  /**
   * Resolves when the record is in the log, or counted as a repeated refusal of this second. It is durable a little
   * later.
   */
  call(call: CallNote): Promise<void>;
  /** Resolves when the note is durable. */
  note(note: Note): Promise<number>;
}

/** Converts the runtime's terms to the format of the log. */
export function intentDraft(intent: Intent): Draft {
  return { kind: 'intent', ...intentFields(intent) };
}

export function callDraft({ status, error, ...intent }: CallNote): Draft & { kind: 'call' } {
  return { kind: 'call', ...intentFields(intent), status, ...(error && { error }) };
}

export function outcomeDraft(of: number, ending: ActOutcome): Draft {
  const { durationMs, driverCalls, tokens, seen: _, ...rest } = ending;
  const cost = { ms: Math.max(0, Math.round(durationMs)), driverCalls, tokens };
  return { kind: 'outcome', of, ...rest, cost };
}

function intentFields(intent: Intent): Content<'intent'> {
  const { caller, rule, decision, target, process, confidence, seen: _, ...rest } = intent;
  const certainty = confidence ?? target?.confidence;
  const fields = target && targetFields(target);
  const app = { ...appFields(target), ...process };
  return {
    ...rest,
    caller: typeof caller === 'string' ? { surface: caller } : caller,
    decision: decision ?? { answer: 'allow', rule },
    ...(fields && { target: fields }),
    ...(Object.keys(app).length > 0 && { app }),
    ...(certainty !== undefined && { confidence: certainty }),
  };
}

function targetFields({ id, role, name, window }: TargetDescription): Content<'intent'>['target'] {
  return { id, role, name, window };
}

function appFields(target: TargetDescription | undefined): NonNullable<Content<'intent'>['app']> {
  return {
    ...(target?.app !== undefined && { program: target.app }),
    ...(target?.appName !== undefined && { name: target.appName }),
  };
}

const MAX_RECORDS = 1_000;

type MemoryRecord = { seq: number; at: string } & Draft;

/** Keeps the last acts in memory, until the process ends. */
export class MemoryLedger implements Ledger {
  private readonly kept: MemoryRecord[] = [];
  private seq = 0;

  constructor(private readonly redactor: Redactor = NO_REDACTION) {}

  get records(): readonly MemoryRecord[] {
    return this.kept;
  }

  async intent(intent: Intent): Promise<number> {
    return this.append(intentDraft(intent));
  }

  async outcome(of: number, ending: ActOutcome): Promise<void> {
    this.append(outcomeDraft(of, ending));
  }

  async call(call: CallNote): Promise<void> {
    this.append(callDraft(call));
  }

  async note(note: Note): Promise<number> {
    return this.append(note);
  }

  private append(draft: Draft): number {
    this.seq += 1;
    this.kept.push({ seq: this.seq, at: new Date().toISOString(), ...redact(draft, this.redactor) });
    if (this.kept.length > MAX_RECORDS) this.kept.shift();
    return this.seq;
  }
}
