import { z } from 'zod';
import { patternFault } from '../../shared/index.js';
import { EFFECTS, DESKTOPS, SCOPES, type Tier } from '../decision.js';
import { GLOB, type Matcher, MATCHERS, MAX_LIST_LENGTH } from '../rules/conditions.js';
import { pagePatternFault } from '../rules/page-address.js';

type Matchers = typeof MATCHERS;
type ValueOf<One> = One extends Matcher<infer Value> ? Value : never;
export type When = { [Key in keyof Matchers]?: ValueOf<Matchers[Key]> };

/** The schema of some keys of `when`, from the same table that defines how they match. */
function shapeOf(keys: readonly (keyof Matchers)[]): Record<string, z.ZodType> {
  return Object.fromEntries(keys.map((key) => [key, (MATCHERS[key] as Matcher).schema.optional()]));
}

const WHEN = z.strictObject(shapeOf(Object.keys(MATCHERS) as (keyof Matchers)[])) as unknown as z.ZodType<When>;

/** Where a secret may be typed. `url` is no key of rules: it costs calls to the app, which other acts do not pay. */
type Into = Pick<When, 'app' | 'appName' | 'window' | 'role' | 'name' | 'secure' | 'desktop'> & {
  url?: string | string[];
};

const PAGE = z
  .string()
  .min(1)
  .max(500)
  .superRefine((text, context) => {
    const fault = pagePatternFault(text);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
  })
  .describe(
    'address of the web page, such as https://bank.example/login/*; only its path may contain *, and every page around the field must match',
  );
const INTO = z.strictObject({
  ...shapeOf(['app', 'appName', 'window', 'role', 'name', 'secure', 'desktop']),
  url: z.union([PAGE, z.array(PAGE).min(1).max(MAX_LIST_LENGTH)]).optional(),
}) as unknown as z.ZodType<Into>;

const globs = z.array(GLOB).max(MAX_LIST_LENGTH);
const command = z.array(z.string().min(1)).min(1).max(50);
const NAME = /^[A-Za-z0-9][\w.-]{0,59}$/;
const SHORT_NAME = z.string().regex(NAME, 'must be a short name: letters, digits, dots and dashes');
const perMinute = z.int().min(0).max(100_000);

export const PROFILES = ['private', 'guarded', 'readonly'] as const;
/** From mild to strict in every row of the profile table. */
export type Profile = (typeof PROFILES)[number];

const RULE = z
  .strictObject({
    name: SHORT_NAME,
    when: WHEN.optional().describe('all given conditions must match; without conditions, the rule matches everything'),
    decision: z.enum(EFFECTS),
    reason: z.string().min(1).max(200).optional(),
    grant: z.enum(SCOPES).optional().describe('the widest approval that the user may give for this rule'),
  })
  .refine(({ decision, grant }) => grant === undefined || decision === 'ask', {
    path: ['grant'],
    message: 'is only allowed with decision: ask',
  });

const secretTarget = INTO.refine(
  (into) => Object.keys(into).length > 0,
  'must name at least one condition for where the secret may be typed',
);
const SECRET = z.union([
  z.strictObject({
    env: z.string().regex(/^[A-Za-z_]\w{0,99}$/, 'must be the name of an environment variable'),
    into: secretTarget,
  }),
  z.strictObject({ file: z.string().regex(/^(\/|~\/|[A-Za-z]:\\)./, 'must be an absolute path'), into: secretTarget }),
  z.strictObject({ command, into: secretTarget }),
]);

const MASKS = ['email', 'ssn', 'card'] as const;
const pattern = z
  .string()
  .min(1)
  .max(500)
  .superRefine((text, context) => {
    const fault = patternFault(text);
    if (fault) context.addIssue({ code: 'custom', message: fault.what, params: { hint: fault.hint } });
  });
const MASK = z.union([z.enum(MASKS), z.strictObject({ name: SHORT_NAME, pattern })]);

const profile = z.enum(PROFILES);

/**
 * The fields of a policy file. A new field needs an entry here, a line in `FIELD_TIERS`, and a way to combine tiers in
 * `settings.ts`.
 */
export const PolicyFile = z.strictObject({
  version: z.literal(1).describe('version of this file format'),
  profile: z
    .strictObject({ seat: profile, virtual: profile, remote: profile } satisfies Record<
      (typeof DESKTOPS)[number],
      unknown
    >)
    .partial()
    .optional()
    .describe(
      'defaults where no rule matches: for your own desktop (seat), private desktops (virtual) and remote desktops',
    ),
  enabled: z
    .boolean()
    .optional()
    .describe(
      'on a guarded or readonly desktop, every call needs approval until this is true or the user enables the session',
    ),
  windows: z
    .strictObject({
      block: globs.describe('windows to hide, in addition to the built-in patterns'),
      unblock: globs.describe('built-in patterns to ignore'),
      allow: globs.min(1).describe('if set, all other windows are hidden'),
    })
    .partial()
    .optional()
    .describe('globs on window title, app name or program'),
  limits: z
    .strictObject({ capturesPerMinute: perMinute, actsPerMinute: perMinute, launchesPerMinute: perMinute })
    .partial()
    .optional()
    .describe('calls above a limit are refused; the lowest limit of all files applies'),
  risk: z
    .strictObject({
      words: z.array(z.string().min(1).max(60)).max(MAX_LIST_LENGTH),
      keys: z.array(z.string().min(1).max(60)).max(MAX_LIST_LENGTH),
      apps: z.strictObject({ finance: globs, admin: globs, terminal: globs }).partial(),
    })
    .partial()
    .optional()
    .describe('additions to the built-in lists'),
  launch: z
    .strictObject({
      allow: globs.describe(
        'real paths of programs that start without approval on a private desktop; on your own desktop, starting them still needs approval but is not raised to high risk',
      ),
    })
    .partial()
    .optional(),
  approvals: z
    .strictObject({
      seconds: z.int().min(5).max(3_600).describe('a request without an answer after this time is denied'),
      channels: z
        .array(z.enum(['terminal', 'inspector', 'mcp']))
        .min(1)
        .max(3)
        .describe('where the user may answer; the inspector channel is not available yet'),
      elicitation: z.enum(['off', 'medium', 'high']).describe('the highest risk that an MCP client may approve'),
    })
    .partial()
    .optional(),
  secrets: z
    .record(z.string().regex(NAME), SECRET)
    .optional()
    .describe('by name: the source (environment variable, file or command) and where the secret may be typed'),
  masks: z
    .array(MASK)
    .max(MAX_LIST_LENGTH)
    .optional()
    .describe('patterns to mask in stored data such as the log; live answers to agents are not masked'),
  audit: z
    .strictObject({
      evidence: z
        .enum(['hashes', 'blobs'])
        .describe(
          'what is kept of the snapshots before and after an act: their hashes, or also encrypted copies (blobs); with blobs, an act whose snapshot cannot be stored is refused',
        ),
      keepDays: z.int().min(1).max(36_500).describe('days to keep encrypted snapshots; log records are not deleted'),
      anchor: z
        .strictObject({
          command: command.describe('receives each signed checkpoint on standard input'),
          required: z
            .boolean()
            .optional()
            .describe('acts are refused while a checkpoint cannot be delivered to the anchor'),
        })
        .describe('a second place to store checkpoints of the log'),
    })
    .partial()
    .optional(),
  rules: z.array(RULE).max(1_000).optional().describe('the first matching rule wins'),
});
export type PolicyFile = z.output<typeof PolicyFile>;
export type Rule = z.output<typeof RULE>;
export type Secret = z.output<typeof SECRET>;
export type Mask = z.output<typeof MASK>;

export type FileTier = Exclude<Tier, 'built-in'>;

const ALL: readonly FileTier[] = ['user', 'project', 'managed'];
const TRUSTED: readonly FileTier[] = ['user', 'managed'];

/**
 * Which tiers may set a field. A project's file may come with a cloned repository: it can only tighten, and it cannot
 * start anything.
 */
export const FIELD_TIERS: Readonly<Record<keyof PolicyFile | 'windows.unblock', readonly FileTier[]>> = {
  ...{ version: ALL, windows: ALL, limits: ALL, rules: ALL },
  'windows.unblock': ['user'],
  ...{ profile: TRUSTED, enabled: TRUSTED, risk: TRUSTED, launch: TRUSTED, approvals: TRUSTED },
  ...{ secrets: TRUSTED, masks: TRUSTED, audit: TRUSTED },
};

/**
 * For editors, generated from the schema that reads the files.
 * @internal A test writes it to docs/policy.schema.json.
 */
export function policyJsonSchema(): object {
  return { title: 'Deskproof policy', ...z.toJSONSchema(PolicyFile, { io: 'input', target: 'draft-7' }) };
}
