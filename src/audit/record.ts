import { z } from 'zod';
import { DesktopError, ERROR_CODES } from '../shared/index.js';

// Fields that several kinds of records share. Every text is bounded: a line has at most 64 KB.

export const MAX_TEXT = 200;
/** For paths of programs: a shortened path would name another program. */
export const MAX_PATH = 1_000;

export const TEXT = z.string().max(MAX_TEXT);
const NAME = TEXT.min(1);
const COUNT = z.number().int().nonnegative();
const HASH = z.string().regex(/^[0-9a-f]{64}$/);
/** Ed25519, raw, base64. */
export const PUBLIC_KEY = z.string().regex(/^[A-Za-z0-9+/]{43}=$/);

const CALLER = z.strictObject({ surface: NAME, session: NAME.optional() });

/** As reported by the OS. `start` distinguishes a process from a later one with the same pid. */
const APP = z.strictObject({
  pid: COUNT.optional(),
  start: COUNT.optional(),
  program: z.string().max(MAX_PATH).optional(),
  /** The name that the app gives itself. */
  name: TEXT.optional(),
});

/** Text from the screen: data, not instructions. */
const TARGET = z.strictObject({
  id: TEXT.optional(),
  role: TEXT.optional(),
  name: TEXT.optional(),
  window: TEXT.optional(),
});

const DECISION = z.strictObject({
  answer: z.enum(['allow', 'ask', 'deny']),
  rule: NAME,
  tier: NAME.optional(),
  /** Hash of the policy that made the decision. */
  policy: HASH.optional(),
  risk: z.strictObject({ level: NAME, score: COUNT }).optional(),
  /** Who approved it, and with which scope. */
  by: NAME.optional(),
  scope: NAME.optional(),
});

const COST = z.strictObject({ ms: COUNT, driverCalls: COUNT.optional(), tokens: COUNT.optional() });

/** The encrypted copy of a snapshot: the hash of its text, which may be redacted, or why there is none. */
const BLOB = z.strictObject({
  hash: HASH.optional(),
  omitted: z.enum(['too large', 'hidden', 'not written']).optional(),
});

/** Hashes of what was observed, never the content itself. `crop` is null if no capture was taken. */
const EVIDENCE = z.strictObject({
  snapshot: HASH.optional(),
  crop: HASH.nullable().optional(),
  subject: HASH.optional(),
  /** Of the snapshot. */
  blob: BLOB.optional(),
});

const DELIVERED = z.enum(['no', 'yes', 'unknown']);

/** Redacted and bounded before they get here. */
const ARGS = z.record(z.string(), z.json());

/** The same statement as a head: all lines up to `seq`, the last of which has this hash, belong to the ledger. */
const SIGNED = z.strictObject({
  segment: COUNT,
  seq: COUNT,
  hash: HASH,
  signature: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
});

/** A new or changed field needs a new version, with an entry in `UPGRADES` and a fixture of the version before. */
export const RECORD_VERSION = 2;

const ENVELOPE = {
  v: z.literal(RECORD_VERSION),
  ledger: z.string().regex(/^L[0-9a-f]{32}$/),
  /** Starts at 1 and continues through all segments of a ledger. */
  seq: COUNT,
  /** Hash of the exact bytes of the previous line, without its newline. */
  prev: HASH,
  at: z.iso.datetime({ precision: 3 }),
};

/** An act or call, performed or intended, and its target. */
const CALL_FIELDS = {
  tool: NAME,
  caller: CALLER,
  decision: DECISION,
  args: ARGS.optional(),
  target: TARGET.optional(),
  app: APP.optional(),
  confidence: z.number().min(0).max(1).optional(),
  method: NAME.optional(),
  driver: NAME.optional(),
  evidence: EVIDENCE.optional(),
  cost: COST.optional(),
};

const QUESTION = { question: NAME, subject: HASH };
const BY = { by: NAME, reason: TEXT.optional() };

/** Each kind of record with its own fields. */
export const KINDS = {
  open: {
    segment: COUNT,
    key: PUBLIC_KEY,
    software: NAME,
    desktop: NAME,
    /** SHA-256 over ledger and host name: distinguishes machines without naming them. */
    host: HASH,
    /** The ledger that could not be continued, and the user's reason for starting this one. */
    after: z.strictObject({ ledger: NAME, head: COUNT.optional(), reason: TEXT }).optional(),
  },
  close: { segment: COUNT, next: PUBLIC_KEY, reason: z.enum(['size', 'age', 'command']) },
  session: { event: z.enum(['begin', 'end']), caller: CALLER },
  policy: {
    event: z.enum(['loaded', 'reloaded', 'enabled', 'disabled']),
    policy: HASH,
    files: z
      .array(z.strictObject({ tier: NAME, file: TEXT, hash: HASH }))
      .max(8)
      .optional(),
    by: NAME.optional(),
  },
  grant: {
    event: z.enum(['given', 'revoked', 'ended']),
    grant: NAME,
    scope: NAME,
    caller: CALLER.optional(),
    tool: NAME.optional(),
    app: APP.optional(),
    by: NAME.optional(),
  },
  pause: BY,
  stop: BY,
  resume: BY,
  call: {
    ...CALL_FIELDS,
    status: z.enum(['ok', 'failed', 'refused']),
    error: z.enum(ERROR_CODES).optional(),
    /** How many equal refusals within a second this record stands for, if more than one. */
    repeat: COUNT.optional(),
  },
  ask: {
    ...QUESTION,
    tool: NAME,
    caller: CALLER,
    decision: DECISION,
    channels: z.array(NAME).max(8),
    target: TARGET.optional(),
    app: APP.optional(),
  },
  answer: {
    ...QUESTION,
    result: z.enum(['allowed', 'denied', 'expired', 'void', 'withdrawn', 'already closed', 'too fast']),
    channel: NAME.optional(),
    scope: NAME.optional(),
    ms: COUNT,
    reason: TEXT.optional(),
  },
  intent: CALL_FIELDS,
  outcome: {
    of: COUNT,
    status: NAME,
    delivered: DELIVERED,
    changed: z.enum(['yes', 'no', 'unknown']).optional(),
    postcondition: z.enum(['satisfied', 'unsatisfied', 'unknown']).optional(),
    error: z.enum(ERROR_CODES).optional(),
    method: NAME.optional(),
    /** Hash of the snapshot after the act. */
    after: HASH.optional(),
    /** Of that snapshot. */
    blob: BLOB.optional(),
    cost: COST,
  },
  /** Stored snapshots that were written before this moment are deleted. */
  retention: { before: z.iso.datetime({ precision: 3 }), deleted: COUNT },
  checkpoint: { signed: SIGNED },
  recovered: {
    /** Bytes that were not a whole record and were moved to a file beside the log. */
    torn: z.strictObject({ bytes: COUNT, hash: HASH, file: NAME }).optional(),
    /** Records without a signature when the writer ended: the first one, and how many. */
    unsigned: z.strictObject({ from: COUNT, count: COUNT }).optional(),
    /** Intents without a known outcome. */
    unfinished: z.array(COUNT).max(64),
  },
};

type Kinds = typeof KINDS;
export type Kind = keyof Kinds;

const schemaOf = <K extends Kind>(kind: K) => z.strictObject({ ...ENVELOPE, kind: z.literal(kind), ...KINDS[kind] });

const SCHEMAS = Object.fromEntries((Object.keys(KINDS) as Kind[]).map((kind) => [kind, schemaOf(kind)])) as unknown as {
  [K in Kind]: ReturnType<typeof schemaOf<K>>;
};

/** The fields of one kind, without those that the ledger adds. */
export type Content<K extends Kind> = z.input<z.ZodObject<Kinds[K], z.core.$strict>>;

/** A record that is not written yet. */
export type Draft = { [K in Kind]: { kind: K } & Content<K> }[Kind];

export type RecordOf<K extends Kind> = {
  v: typeof RECORD_VERSION;
  ledger: string;
  seq: number;
  prev: string;
  at: string;
  kind: K;
} & Content<K>;
/** One line of a log, as read. Its `kind` determines its fields. */
export type AuditRecord = { [K in Kind]: RecordOf<K> }[Kind];

export function isKind(kind: unknown): kind is Kind {
  return typeof kind === 'string' && Object.hasOwn(SCHEMAS, kind);
}

/**
 * Records are fully validated when they are written and when they are read. The error names the field and never its
 * value.
 */
export function parseRecord(value: unknown): AuditRecord {
  const kind = (value as { kind?: unknown } | null)?.kind;
  if (!isKind(kind)) throw new DesktopError('command_failed', 'A record has an unknown kind.');
  const parsed = SCHEMAS[kind].safeParse(value);
  if (parsed.success) return parsed.data;
  const { path = [], code = 'wrong' } = parsed.error.issues[0] ?? {};
  const where = path.map(String).join('.').slice(0, 80) || 'its fields';
  throw new DesktopError('command_failed', `A record of kind ${kind} is not valid: ${where} (${code}).`);
}

export type Raw = Readonly<Record<string, unknown>>;

/**
 * `UPGRADES[n]` converts a record of version n to version n + 1. Steps are never removed, so old logs stay readable.
 */
type Upgrades = Readonly<Record<number, (old: Raw) => Raw>>;

const UPGRADES: Upgrades = {
  // Version 2 has `blob` in place of the list `evidence.blobs`, which no version wrote.
  1: ({ evidence, ...old }) => {
    const { blobs: _, ...kept } = (evidence ?? {}) as Raw;
    return { ...old, ...(evidence !== undefined && { evidence: kept }) };
  },
};

export function upgradeWith(steps: Upgrades, current: number, raw: Raw): Raw {
  const { v } = raw;
  if (typeof v !== 'number' || !Number.isSafeInteger(v) || v < 1) {
    throw new DesktopError('command_failed', 'A record has no version.');
  }
  if (v > current) {
    throw new DesktopError('not_supported', `A record was written by a newer Deskproof (version ${v} of the log).`, {
      hint: 'Read it with that version: npm install -g deskproof@latest',
    });
  }
  let record = raw;
  for (let version = v; version < current; version++) {
    const step = steps[version];
    if (!step) throw new DesktopError('command_failed', `Records of version ${version} can no longer be read.`);
    record = { ...step(record), v: version + 1 };
  }
  return record;
}

/** Reads a record of any version in the current format. */
export function readRecord(raw: Raw): AuditRecord {
  return parseRecord(upgradeWith(UPGRADES, RECORD_VERSION, raw));
}
