import { z } from 'zod';
import type { ActResult } from '../runtime/index.js';

/** What is nested is described by its type in the library; here is what a program needs to tell answers apart. */
const THING = z.looseObject({});
const THINGS = z.array(THING);
const DEGRADED = z.looseObject({ reason: z.string() }).optional();
const COUNT = z.number().int().nonnegative();
const ROOT = { schema: z.literal(1), untrusted: z.literal(true) };

/** Answers for programs, by tool. Acts have one form, which is strict; the others may gain fields. */
const LOOKS: Readonly<Record<string, z.ZodObject>> = {
  ui_list_windows: z.looseObject({
    ...ROOT,
    ...{ windows: THINGS, left: COUNT, hiddenByPolicy: COUNT.optional(), degraded: DEGRADED },
  }),
  ui_snapshot: z.looseObject({
    ...ROOT,
    ...{ id: z.string(), takenAt: z.string(), scope: z.enum(['desktop', 'window', 'element']) },
    ...{ app: THING.optional(), driver: THING, windows: THINGS, roots: THINGS, count: COUNT },
    ...{ degraded: DEGRADED, hiddenByPolicy: COUNT.optional() },
  }),
  ui_query: z.looseObject({
    ...ROOT,
    ...{ matches: THINGS, total: COUNT, windows: THINGS, degraded: DEGRADED, explained: THING.optional() },
  }),
  ui_describe: z.looseObject({
    ...ROOT,
    ...{ window: THING, element: THING, path: THINGS, selector: THING.optional() },
  }),
  ui_read: z.looseObject({
    ...ROOT,
    ...{ ref: z.string(), window: z.string(), kind: z.enum(['rows', 'text', 'value']), total: COUNT.optional() },
    ...{ word: z.enum(['rows', 'items']).optional(), rows: THINGS.optional(), span: THING.optional() },
    ...{ table: THING.optional(), columns: THING.optional(), text: z.string().optional() },
    ...{ start: COUNT.optional(), end: COUNT.optional(), element: THING.optional() },
  }),
  ui_capture: z.looseObject({
    schema: z.literal(1),
    ...{ id: z.string(), takenAt: z.string(), of: z.string(), width: COUNT, height: COUNT, origin: THING },
    ...{ scale: z.number(), space: z.literal('screen'), format: z.string(), mimeType: z.string() },
    ...{ window: z.string().optional(), element: z.string().optional(), monitor: z.number().optional() },
    ...{ bytes: COUNT, sha256: z.string(), redactions: COUNT, file: z.string().optional() },
  }),
  ui_events: z.looseObject({ ...ROOT, since: z.string(), events: THINGS, left: COUNT, missed: z.boolean() }),
  ui_wait: z.looseObject({ ...ROOT, satisfied: z.literal(true), elapsedMs: z.number(), polls: COUNT, seen: THING }),
  ui_assert: z.looseObject({ ...ROOT, satisfied: z.literal(true), seen: THING }),
  ui_batch: z.looseObject({
    ...ROOT,
    steps: z.array(z.looseObject({ tool: z.string() })),
    changes: z.array(z.string()),
    durationMs: z.number(),
  }),
  ui_capabilities: z.looseObject({
    schema: z.literal(1),
    ...{ desktop: z.string(), driver: THING, capabilities: THING, findings: THINGS, policy: THING.optional() },
  }),
};

const outputOf = (tool: string): z.ZodObject => LOOKS[tool] ?? ActSchema;

/**
 * The answer as JSON Schema: what was done, or the error, which clients hold against the same schema. Written out once,
 * for those who ask for it.
 */
export function outputSchema(tool: string): { type: 'object'; [key: string]: unknown } {
  const { properties, required } = z.toJSONSchema(outputOf(tool), { io: 'output' }) as {
    properties: Record<string, unknown>;
    required: string[];
  };
  return {
    type: 'object',
    properties: { ...properties, error: { type: 'object' } },
    anyOf: [{ required }, { required: ['schema', 'error'] }],
  };
}

const REF = z.string().regex(/^[ew]\d+$/);
const WINDOW_REF = z.string().regex(/^w\d+$/);
const BOX = z.strictObject({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
const MAYBE = z.boolean().optional();
const THREE = z.union([z.boolean(), z.literal('mixed')]).optional();

const STATES = z.strictObject({
  ...{ enabled: z.boolean(), visible: z.boolean(), offscreen: MAYBE, focusable: MAYBE, focused: MAYBE, active: MAYBE },
  ...{ modal: MAYBE, editable: MAYBE, readonly: MAYBE, required: MAYBE, invalid: MAYBE, checked: THREE },
  ...{ selected: MAYBE, pressed: THREE, expanded: MAYBE, busy: MAYBE, multiline: MAYBE, secret: MAYBE, filled: MAYBE },
});

const SEEN = z.strictObject({
  name: z.string().optional(),
  value: z.union([z.string(), z.number()]).optional(),
  states: STATES,
});

const HAPPENING = z.strictObject({
  at: z.number(),
  what: z.enum([
    ...(['opened', 'closed', 'title', 'active', 'focus', 'changed', 'notification', 'lost'] as const),
    ...(['pause', 'resume', 'stop', 'continue', 'unwatched'] as const),
  ]),
  window: z.strictObject({ ref: WINDOW_REF, role: z.string(), title: z.string(), app: z.string() }).optional(),
  element: z
    .strictObject({
      ref: REF.optional(),
      role: z.string(),
      name: z.string().optional(),
      secret: z.literal(true).optional(),
    })
    .optional(),
  text: z.string().optional(),
  app: z.string().optional(),
  times: z.number().optional(),
});

/** The one form of what acts answer, for programs: every surface gives exactly this. */
export const ActSchema = z.strictObject({
  schema: z.literal(1),
  untrusted: z.literal(true),
  status: z.enum(['ok', 'no change', 'unconfirmed']),
  verb: z.string(),
  method: z.enum(['pattern', 'input']).optional(),
  by: z.string().optional(),
  resolvedTarget: z
    .strictObject({
      ...{ ref: REF, id: z.string(), role: z.string(), name: z.string().optional(), bounds: BOX.optional() },
      ...{ window: WINDOW_REF, confidence: z.number().min(0).max(1), why: z.array(z.string()) },
    })
    .optional(),
  window: WINDOW_REF.optional(),
  before: SEEN.optional(),
  after: SEEN.optional(),
  changed: z.enum(['yes', 'no', 'unknown']),
  reason: z.string().optional(),
  postcondition: z.enum(['satisfied', 'unsatisfied', 'unknown']).optional(),
  readBack: z.literal('same').optional(),
  closed: z.array(WINDOW_REF).optional(),
  delivered: z.enum(['no', 'yes', 'unknown']),
  noop: z.string().optional(),
  read: z.string().optional(),
  detail: z.string().optional(),
  changes: z.array(z.string()),
  activated: WINDOW_REF.optional(),
  menu: WINDOW_REF.optional(),
  eventsBefore: z.array(HAPPENING).optional(),
  events: z.array(HAPPENING),
  evidence: z.strictObject({ snapshotId: z.string() }),
  driver: z.strictObject({ kind: z.string(), name: z.string(), version: z.string() }),
  durationMs: z.number(),
  settledMs: z.number(),
});

/** Fails to compile when the schema and the type go apart. */
type Same<A, B> = A extends B ? (B extends A ? true : never) : never;
const _SAME_AS_TYPE: Same<Omit<z.infer<typeof ActSchema>, 'schema'>, ActResult> = true;
