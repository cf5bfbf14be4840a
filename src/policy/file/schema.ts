import { z } from 'zod';
import { patternFault } from '../../shared/index.js';
import { EFFECTS, DESKTOPS, SCOPES, type Tier } from '../decision.js';
import { GLOB, type Matcher, MATCHERS, MOST_LISTED } from '../rules/conditions.js';

type Matchers = typeof MATCHERS;
type ValueOf<One> = One extends Matcher<infer Value> ? Value : never;
export type When = { [Key in keyof Matchers]?: ValueOf<Matchers[Key]> };

/** The schema of some keys of `when`, from the table that also says when they fit. */
function whenOf<Key extends keyof Matchers>(keys: readonly Key[]): z.ZodType<Pick<When, Key>> {
  const shape = Object.fromEntries(keys.map((key) => [key, (MATCHERS[key] as Matcher).schema.optional()]));
  return z.strictObject(shape) as unknown as z.ZodType<Pick<When, Key>>;
}

const WHEN = whenOf(Object.keys(MATCHERS) as (keyof Matchers)[]);
const INTO = whenOf(['app', 'appName', 'window', 'role', 'name', 'secure', 'desktop']);

const globs = z.array(GLOB).max(MOST_LISTED);
const command = z.array(z.string().min(1)).min(1).max(50);
const NAME = /^[A-Za-z0-9][\w.-]{0,59}$/;
const named = z.string().regex(NAME, 'must be a short name: letters, digits, dot, dash');
const perMinute = z.int().min(0).max(100_000);

export const PROFILES = ['private', 'guarded', 'readonly'] as const;
/** From mild to strict in every cell of the table. */
export type Profile = (typeof PROFILES)[number];

const RULE = z
  .strictObject({
    name: named,
    when: WHEN.optional().describe('all that is given must fit; nothing given fits everything'),
    decision: z.enum(EFFECTS),
    reason: z.string().min(1).max(200).optional(),
    grant: z.enum(SCOPES).optional().describe('the widest answer that a person may give here'),
  })
  .refine(({ decision, grant }) => grant === undefined || decision === 'ask', {
    path: ['grant'],
    message: 'stands only beside decision: ask',
  });

const secretTarget = INTO.refine((into) => Object.keys(into).length > 0, 'must say where it may be typed');
const SECRET = z.union([
  z.strictObject({
    env: z.string().regex(/^[A-Za-z_]\w{0,99}$/, 'must be the name of a variable'),
    into: secretTarget,
  }),
  z.strictObject({ file: z.string().regex(/^(\/|~\/|[A-Za-z]:\\)./, 'must be a whole path'), into: secretTarget }),
  z.strictObject({ command, into: secretTarget }),
]);

export const MASKS = ['email', 'ssn', 'card'] as const;
const pattern = z
  .string()
  .min(1)
  .max(500)
  .superRefine((text, context) => {
    const fault = patternFault(text);
    if (fault) context.addIssue({ code: 'custom', message: fault.what, params: { hint: fault.hint } });
  });
const MASK = z.union([z.enum(MASKS), z.strictObject({ name: named, pattern })]);

const profile = z.enum(PROFILES);

/** The fields of a file. A new one is an entry here, its line in `FIELD_TIERS`, and how tiers combine in settings. */
export const PolicyFile = z.strictObject({
  version: z.literal(1).describe('of this format'),
  profile: z
    .strictObject({ seat: profile, virtual: profile, remote: profile } satisfies Record<
      (typeof DESKTOPS)[number],
      unknown
    >)
    .partial()
    .optional()
    .describe('what counts where no rule fits: your own screen, private desktops, remote ones'),
  enabled: z.boolean().optional().describe('guarded is off until this, or until a person enables the session'),
  windows: z
    .strictObject({
      block: globs.describe('these are invisible; added to the built-in ones'),
      unblock: globs.describe('built-in patterns that do not count'),
      allow: globs.min(1).describe('if set, everything else is invisible'),
    })
    .partial()
    .optional()
    .describe('globs on title, app name or program'),
  limits: z
    .strictObject({ capturesPerMinute: perMinute, actsPerMinute: perMinute, launchesPerMinute: perMinute })
    .partial()
    .optional()
    .describe('beyond them a call is refused; the lowest of all files counts'),
  risk: z
    .strictObject({
      words: z.array(z.string().min(1).max(60)).max(MOST_LISTED),
      keys: z.array(z.string().min(1).max(60)).max(MOST_LISTED),
      apps: z.strictObject({ finance: globs, admin: globs, terminal: globs }).partial(),
    })
    .partial()
    .optional()
    .describe('added to the built-in lists'),
  launch: z
    .strictObject({
      allow: globs.describe(
        'real paths of programs that start without a question on a private desktop, and with a simpler one on yours',
      ),
    })
    .partial()
    .optional(),
  approvals: z
    .strictObject({
      seconds: z.int().min(5).max(3_600).describe('a question that nobody answers in this time is a no'),
      channels: z
        .array(z.enum(['terminal', 'inspector', 'mcp']))
        .min(1)
        .max(3)
        .describe('where a person may answer; an inspector is not there yet'),
      elicitation: z.enum(['off', 'medium', 'high']).describe('the most that an MCP client may answer'),
    })
    .partial()
    .optional(),
  secrets: z
    .record(z.string().regex(NAME), SECRET)
    .optional()
    .describe('by name: from a variable, a file or a command, and into what they may be typed'),
  masks: z
    .array(MASK)
    .max(MOST_LISTED)
    .optional()
    .describe('masked in what is kept, as in the log; not in what agents see live'),
  audit: z
    .strictObject({
      evidence: z.enum(['hashes', 'blobs']).describe('what the log keeps of a look; blobs are not kept yet'),
      keepDays: z.int().min(1).max(36_500).describe('how long blobs stay; the lines of the log stay'),
      anchor: z
        .strictObject({
          command: command.describe('gets each signed checkpoint on its standard input'),
          required: z.boolean().optional().describe('no anchor, no acts'),
        })
        .describe('a second place for what the log says'),
    })
    .partial()
    .optional(),
  rules: z.array(RULE).max(1_000).optional().describe('the first that fits wins'),
});
export type PolicyFile = z.output<typeof PolicyFile>;
export type Rule = z.output<typeof RULE>;
export type Secret = z.output<typeof SECRET>;
export type Mask = z.output<typeof MASK>;

export type FileTier = Exclude<Tier, 'built-in'>;

const ALL: readonly FileTier[] = ['user', 'project', 'managed'];
const TRUSTED: readonly FileTier[] = ['user', 'managed'];

/** Who may write a field. A project's file comes with a cloned repository: it may tighten and start nothing. */
export const FIELD_TIERS: Readonly<Record<keyof PolicyFile | 'windows.unblock', readonly FileTier[]>> = {
  ...{ version: ALL, windows: ALL, limits: ALL, rules: ALL },
  'windows.unblock': ['user'],
  ...{ profile: TRUSTED, enabled: TRUSTED, risk: TRUSTED, launch: TRUSTED, approvals: TRUSTED },
  ...{ secrets: TRUSTED, masks: TRUSTED, audit: TRUSTED },
};

/** For editors, from the same schema that reads the files. */
export function policyJsonSchema(): object {
  return { title: 'Deskproof policy', ...z.toJSONSchema(PolicyFile, { io: 'input', target: 'draft-7' }) };
}
