import { z } from 'zod';
import { DesktopError, ERROR_CODES } from '../shared/index.js';

// Fields that several kinds of records share. Every text has a bound: a line ends at 64 KB.

export const LONGEST_TEXT = 200;
/** Paths of programs: cut ones would name others. */
export const LONGEST_PATH = 1_000;

export const TEXT = z.string().max(LONGEST_TEXT);
export const NAME = TEXT.min(1);
export const COUNT = z.number().int().nonnegative();
export const HASH = z.string().regex(/^[0-9a-f]{64}$/);
/** Ed25519, raw, base64. */
export const PUBLIC_KEY = z.string().regex(/^[A-Za-z0-9+/]{43}=$/);

export const CALLER = z.strictObject({ surface: NAME, session: NAME.optional() });

/** As the operating system tells it; `start` tells a process from a later one with the same number. */
export const APP = z.strictObject({
  pid: COUNT.optional(),
  start: COUNT.optional(),
  program: z.string().max(LONGEST_PATH).optional(),
  /** What it calls itself. */
  name: TEXT.optional(),
});

/** Text from the screen; data. */
export const TARGET = z.strictObject({
  id: TEXT.optional(),
  role: TEXT.optional(),
  name: TEXT.optional(),
  window: TEXT.optional(),
});

export const DECISION = z.strictObject({
  answer: z.enum(['allow', 'ask', 'deny']),
  rule: NAME,
  tier: NAME.optional(),
  /** Hash of the policy that decided. */
  policy: HASH.optional(),
  risk: z.strictObject({ level: NAME, score: COUNT }).optional(),
  /** Who allowed it when it was asked, and how widely. */
  by: NAME.optional(),
  scope: NAME.optional(),
});

export const COST = z.strictObject({ ms: COUNT, driverCalls: COUNT.optional(), tokens: COUNT.optional() });

/** Hashes of what was seen; never the thing itself. `crop` is null where nothing was taken. */
export const EVIDENCE = z.strictObject({
  snapshot: HASH.optional(),
  crop: HASH.nullable().optional(),
  subject: HASH.optional(),
  /** Names of encrypted files. */
  blobs: z.array(NAME).max(8).optional(),
});

export const DELIVERED = z.enum(['no', 'yes', 'unknown']);

/** Redacted and bounded before they come here. */
export const ARGS = z.record(z.string(), z.json());

/** What a head says too: all lines up to `seq`, the last of which has this hash, are the ledger's. */
export const SIGNED = z.strictObject({
  segment: COUNT,
  seq: COUNT,
  hash: HASH,
  signature: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
});

/** A new or changed field is the next version, with a step in upgrade.ts and a fixture of the version before. */
export const RECORD_VERSION = 1;

const ENVELOPE = {
  v: z.literal(RECORD_VERSION),
  ledger: z.string().regex(/^L[0-9a-f]{32}$/),
  /** Counted from 1 through all segments of a ledger. */
  seq: COUNT,
  /** Hash of the exact bytes of the line before, without its newline. */
  prev: HASH,
  at: z.iso.datetime({ precision: 3 }),
};

/** What was done or was to be done, and on what. */
const DEED = {
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
    /** SHA-256 over ledger and host name: tells machines apart without naming them. */
    host: HASH,
    /** The ledger that could not be continued, and why a person began this one. */
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
    ...DEED,
    status: z.enum(['ok', 'failed', 'refused']),
    error: z.enum(ERROR_CODES).optional(),
    /** How many equal refusals within a second this stands for, when it is more than one. */
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
  intent: DEED,
  outcome: {
    of: COUNT,
    status: NAME,
    delivered: DELIVERED,
    changed: z.enum(['yes', 'no', 'unknown']).optional(),
    postcondition: z.enum(['satisfied', 'unsatisfied', 'unknown']).optional(),
    error: z.enum(ERROR_CODES).optional(),
    method: NAME.optional(),
    /** Hash of what was seen afterwards. */
    after: HASH.optional(),
    cost: COST,
  },
  checkpoint: { signed: SIGNED },
  recovered: {
    /** Bytes that were no whole record and were moved to a file beside the log. */
    torn: z.strictObject({ bytes: COUNT, hash: HASH, file: NAME }).optional(),
    /** Records that no signature covered when the writer ended: the first and how many. */
    unsigned: z.strictObject({ from: COUNT, count: COUNT }).optional(),
    /** Intents whose outcome is not known. */
    unfinished: z.array(COUNT).max(64),
  },
};

type Kinds = typeof KINDS;
export type Kind = keyof Kinds;

const schemaOf = <K extends Kind>(kind: K) => z.strictObject({ ...ENVELOPE, kind: z.literal(kind), ...KINDS[kind] });

const SCHEMAS = Object.fromEntries((Object.keys(KINDS) as Kind[]).map((kind) => [kind, schemaOf(kind)])) as unknown as {
  [K in Kind]: ReturnType<typeof schemaOf<K>>;
};

/** What one kind says, without what the ledger adds. */
export type Content<K extends Kind> = z.input<z.ZodObject<Kinds[K], z.core.$strict>>;

/** A record still to be written. */
export type Draft = { [K in Kind]: { kind: K } & Content<K> }[Kind];

export type RecordOf<K extends Kind> = {
  v: typeof RECORD_VERSION;
  ledger: string;
  seq: number;
  prev: string;
  at: string;
  kind: K;
} & Content<K>;
/** One line of a log, as it is read. Which fields it has depends on its `kind`. */
export type AuditRecord = { [K in Kind]: RecordOf<K> }[Kind];

export function isKind(kind: unknown): kind is Kind {
  return typeof kind === 'string' && Object.hasOwn(SCHEMAS, kind);
}

/** The whole form is asked for, on the way in and on the way out. The error names the field and never its value. */
export function parseRecord(value: unknown): AuditRecord {
  const kind = (value as { kind?: unknown } | null)?.kind;
  if (!isKind(kind)) throw new DesktopError('command_failed', 'A record is of no kind that is known.');
  const parsed = SCHEMAS[kind].safeParse(value);
  if (parsed.success) return parsed.data;
  const { path = [], code = 'wrong' } = parsed.error.issues[0] ?? {};
  const where = path.map(String).join('.').slice(0, 80) || 'its fields';
  throw new DesktopError('command_failed', `A ${kind} record has another form than it should: ${where} (${code}).`);
}

export type Raw = Readonly<Record<string, unknown>>;

/** `UPGRADES[n]` makes a record of version n + 1 of one of version n. Steps stay for ever: old logs can be read. */
export type Upgrades = Readonly<Record<number, (old: Raw) => Raw>>;

const UPGRADES: Upgrades = {};

export function upgradeWith(steps: Upgrades, current: number, raw: Raw): Raw {
  const { v } = raw;
  if (typeof v !== 'number' || !Number.isSafeInteger(v) || v < 1) {
    throw new DesktopError('command_failed', 'A record does not say which version it has.');
  }
  if (v > current) {
    throw new DesktopError('not_supported', `A record was written by a newer Deskproof (version ${v} of the log).`, {
      hint: 'Read it with that version: npm install -g deskproof@latest',
    });
  }
  let record = raw;
  for (let version = v; version < current; version++) {
    const step = steps[version];
    if (!step) throw new DesktopError('command_failed', `Records of version ${version} cannot be read any more.`);
    record = { ...step(record), v: version + 1 };
  }
  return record;
}

/** A record of any version that was ever written, in today's form. */
export function readRecord(raw: Raw): AuditRecord {
  return parseRecord(upgradeWith(UPGRADES, RECORD_VERSION, raw));
}
