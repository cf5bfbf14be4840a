import { createHash } from 'node:crypto';
import { type Delivered, type ErrorCode, cutMark, cutText } from '../shared/index.js';
import { type Content, type Draft, MAX_PATH, MAX_TEXT } from './record.js';

type IntentFields = Content<'intent'>;

/** The parts of a snapshot that the log has a hash of. */
export interface SnapshotContent {
  windows: readonly { id: string; title: string }[];
  /** One tree per window. */
  roots: readonly unknown[];
}

/** The text whose hash is in the log. */
export function snapshotText({ windows, roots }: SnapshotContent): string {
  return JSON.stringify([windows.map(({ id, title }) => [id, title]), roots]);
}

/** Equal snapshots have equal hashes, and a hash reveals nothing of its snapshot. */
export const snapshotHash = (content: SnapshotContent): string =>
  createHash('sha256').update(snapshotText(content)).digest('hex');

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

/** The position of a text that is about to be written. */
export interface TextPlace {
  kind: Draft['kind'];
  /** Field names, from the record down. */
  path: readonly string[];
  tool?: string;
  /** Title of the window of the record: short secrets are redacted only where they were typed. */
  window?: string;
}

/** Removes what must not be written: secrets, masks, text under `redactInLogs`. Called for every text from outside. */
export interface Redactor {
  text(text: string, place: TextPlace): string;
}

/** Used while there are no secrets. */
export const NO_REDACTION: Redactor = { text: (text) => text };

const MAX_DEPTH = 8;
const MAX_MEMBERS = 64;

/**
 * Values that we create or that come from a closed set. All other text is redacted, so a field that is missing here is
 * safe.
 */
const TRUSTED_FIELDS = new Set([
  ...['kind', 'tool', 'answer', 'event', 'status', 'delivered', 'changed', 'postcondition', 'error', 'result'],
  ...['hash', 'policy', 'subject', 'snapshot', 'crop', 'signature', 'key', 'next', 'host', 'ledger', 'level'],
  ...['omitted', 'before'],
]);

/**
 * Every record passes here on its way to the log. Each text is redacted before it is cut, since a piece of a secret is
 * harder to recognise.
 */
export function redact(draft: Draft, redactor: Redactor): Draft {
  const { kind } = draft;
  const tool = 'tool' in draft ? draft.tool : undefined;
  const window = 'target' in draft ? draft.target?.window : undefined;
  const about = { kind, ...(tool !== undefined && { tool }), ...(window !== undefined && { window }) };
  const text = (value: string, path: readonly string[]): string => {
    const clean = redactor.text(value, { ...about, path }).replace(/\p{Surrogate}/gu, '\ufffd');
    return cutText(clean, path.at(-1) === 'program' && path[0] !== 'args' ? MAX_PATH : MAX_TEXT);
  };
  const walk = (value: unknown, path: readonly string[]): unknown => {
    if (typeof value === 'string') {
      // `after` is a hash in an outcome, but text in an open record.
      const ours =
        path[0] !== 'args' && (TRUSTED_FIELDS.has(path.at(-1)!) || (kind === 'outcome' && path[0] === 'after'));
      return ours ? value : text(value, path);
    }
    if (typeof value !== 'object' || value === null) return value;
    if (path.length > MAX_DEPTH) return '…';
    if (Array.isArray(value)) {
      const items = value.slice(0, MAX_MEMBERS).map((item, at) => walk(item, [...path, String(at)]));
      return value.length > MAX_MEMBERS ? [...items, cutMark(value.length - MAX_MEMBERS)] : items;
    }
    const entries = Object.entries(value).filter(([, member]) => member !== undefined);
    const kept = entries.slice(0, MAX_MEMBERS).map(([key, member]) => {
      return [path[0] === 'args' ? text(key, [...path, 'key']) : key, walk(member, [...path, key])];
    });
    if (entries.length > MAX_MEMBERS) kept.push(['…', entries.length - MAX_MEMBERS]);
    return Object.fromEntries(kept);
  };
  return walk(draft, []) as Draft;
}
