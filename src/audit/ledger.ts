import type { Delivered, ErrorCode } from '../shared/index.js';
import type { Content, Draft } from './record.js';
import { NOTHING_SECRET, redact, type Redactor } from './write/redact.js';

type Deed = Content<'intent'>;

/** What is about to be done, written before it is done. Arguments come without secrets; texts are redacted again. */
export interface Intent extends Partial<Omit<Deed, 'tool' | 'caller' | 'decision' | 'target' | 'app'>> {
  tool: string;
  /** A surface alone, or with the session. */
  caller: string | Deed['caller'];
  /** The rule that let it pass. */
  rule: string;
  /** All that was decided; the rule alone means that it was allowed. */
  decision?: Deed['decision'];
  target?: TargetWords;
  /** The process that it is done to, as the system tells it. */
  process?: Deed['app'];
}

/** What is known of a target, in the words that rules use. */
export interface TargetWords {
  id?: string;
  /** Real path of the program. */
  app?: string;
  appName?: string;
  window?: string;
  role?: string;
  name?: string;
  confidence?: number;
}

/** How it ended. */
export interface Ending extends Partial<Pick<Content<'outcome'>, 'changed' | 'postcondition' | 'method' | 'after'>> {
  status: string;
  delivered: Delivered;
  error?: ErrorCode;
  durationMs: number;
  driverCalls?: number;
  tokens?: number;
}

/** A read, a capture, or anything that was refused. */
export interface CallNote extends Intent {
  status: Content<'call'>['status'];
  error?: ErrorCode;
}

/** What happens around acts and is written as it is. */
export type Note = Extract<
  Draft,
  { kind: 'session' | 'policy' | 'grant' | 'pause' | 'stop' | 'resume' | 'ask' | 'answer' }
>;

/** Keeps account of acts. What cannot be written is not done. */
export interface Ledger {
  /** Resolves when it is safely written; the number names the act. */
  intent(intent: Intent): Promise<number>;
  outcome(of: number, ending: Ending): Promise<void>;
  /** Resolves when it is in the log, or counted among equal refusals of this second; on the disk a little later. */
  call(call: CallNote): Promise<void>;
  /** Resolves when it is safely written. */
  note(note: Note): Promise<number>;
}

/** From the words of those who act to the form of the log. */
export function intentDraft(intent: Intent): Draft {
  return { kind: 'intent', ...deed(intent) };
}

export function callDraft({ status, error, ...intent }: CallNote): Draft & { kind: 'call' } {
  return { kind: 'call', ...deed(intent), status, ...(error && { error }) };
}

export function outcomeDraft(of: number, ending: Ending): Draft {
  const { durationMs, driverCalls, tokens, ...rest } = ending;
  const cost = { ms: Math.max(0, Math.round(durationMs)), driverCalls, tokens };
  return { kind: 'outcome', of, ...rest, cost };
}

function deed({ caller, rule, decision, target, process, confidence, ...rest }: Intent): Content<'intent'> {
  const sure = confidence ?? target?.confidence;
  const words = target && wordsOf(target);
  const app = { ...appOf(target), ...process };
  return {
    ...rest,
    caller: typeof caller === 'string' ? { surface: caller } : caller,
    decision: decision ?? { answer: 'allow', rule },
    ...(words && { target: words }),
    ...(Object.keys(app).length > 0 && { app }),
    ...(sure !== undefined && { confidence: sure }),
  };
}

function wordsOf({ id, role, name, window }: TargetWords): Content<'intent'>['target'] {
  return { id, role, name, window };
}

function appOf(target: TargetWords | undefined): NonNullable<Content<'intent'>['app']> {
  return {
    ...(target?.app !== undefined && { program: target.app }),
    ...(target?.appName !== undefined && { name: target.appName }),
  };
}

const KEPT = 1_000;

export type MemoryRecord = { seq: number; at: string } & Draft;

/** The last acts, for as long as this process lives. */
export class MemoryLedger implements Ledger {
  private readonly kept: MemoryRecord[] = [];
  private seq = 0;

  constructor(private readonly redactor: Redactor = NOTHING_SECRET) {}

  get records(): readonly MemoryRecord[] {
    return this.kept;
  }

  async intent(intent: Intent): Promise<number> {
    return this.append(intentDraft(intent));
  }

  async outcome(of: number, ending: Ending): Promise<void> {
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
    if (this.kept.length > KEPT) this.kept.shift();
    return this.seq;
  }
}
