import type { Delivered, ErrorCode } from '../shared/index.js';
import type { Content, Draft } from './record.js';

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
