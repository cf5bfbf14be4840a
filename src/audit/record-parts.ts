import { z } from 'zod';

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
