import { z } from 'zod';

const Side = z.number().int().min(200).max(8192);

/** What a host process is told when it starts; travels as JSON in its arguments, so nothing secret belongs here. */
export const HostOptions = z.strictObject({
  base: z.string(),
  /** Directory below the base: the private desktop's name, or the key of the person's session. */
  key: z.string(),
  desktop: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('virtual'),
      name: z.string(),
      size: z.strictObject({ width: Side, height: Side }),
      monitors: z.union([z.literal(1), z.literal(2)]),
      visible: z.boolean(),
    }),
    z.strictObject({ kind: z.literal('user') }),
    z.strictObject({ kind: z.literal('fake'), file: z.string().optional() }),
  ]),
  /** End after this long without a client; absent: live until told to stop. */
  idleMs: z.number().int().positive().optional(),
  /** The person's policy, when it is not in its usual place. */
  policyFile: z.string().optional(),
  /** Where the session began: its project may have a policy. */
  startDirectory: z.string().optional(),
  /** End when the process that started us goes away, however it goes. */
  leash: z.boolean(),
});
export type HostOptions = z.infer<typeof HostOptions>;
