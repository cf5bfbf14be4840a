import { z } from 'zod';
import type { ActResult, Tool } from '../runtime/index.js';

/** Parts of answers. Nested objects are described by their types in the library. */
export const THING = z.looseObject({});
export const THINGS = z.array(THING);
export const DEGRADED = z.looseObject({ reason: z.string() }).optional();
export const COUNT = z.number().int().nonnegative();
export const ROOT = { schema: z.literal(1), untrusted: z.literal(true) };

/** The answer as JSON Schema: the result or the error, since clients validate both against the same schema. */
export function outputSchema(tool: Tool): { type: 'object'; [key: string]: unknown } {
  const { properties, required } = z.toJSONSchema('output' in tool ? tool.output : ActSchema, { io: 'output' }) as {
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
  ...{
    selected: MAYBE,
    pressed: THREE,
    expanded: MAYBE,
    busy: MAYBE,
    default: MAYBE,
    multiline: MAYBE,
    secret: MAYBE,
    filled: MAYBE,
  },
});

const SEEN = z.strictObject({
  name: z.string().optional(),
  value: z.union([z.string(), z.number()]).optional(),
  states: STATES,
});

const EVENT = z.strictObject({
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

/** The answer of every act, for programs. All surfaces return exactly this. */
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
  eventsBefore: z.array(EVENT).optional(),
  events: z.array(EVENT),
  evidence: z.strictObject({ snapshotId: z.string() }),
  driver: z.strictObject({ kind: z.string(), name: z.string(), version: z.string() }),
  durationMs: z.number(),
  settledMs: z.number(),
});

/** Fails to compile when the schema and the type go apart. */
type Same<A, B> = A extends B ? (B extends A ? true : never) : never;
const _SAME_AS_TYPE: Same<Omit<z.infer<typeof ActSchema>, 'schema'>, ActResult> = true;
