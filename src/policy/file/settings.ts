import { BUILT_IN } from './built-in.js';
import { PROFILES, type Mask, type PolicyFile, type Profile, type Secret } from './schema.js';
import type { DesktopKind } from '../decision.js';

/** What was found of the files; absent is fine. */
export interface Files {
  user?: PolicyFile;
  /** Of the directory where the desktop was started. */
  project?: PolicyFile;
  /** Of the directory where whoever calls was started, when that is another one. */
  callerProject?: PolicyFile;
  managed?: PolicyFile;
}

/** Projects may only tighten, so that each of them counts. */
export const projectsOf = ({ project, callerProject }: Files): PolicyFile[] =>
  [project, callerProject].filter((file) => file !== undefined);

export interface Limits {
  capturesPerMinute: number;
  actsPerMinute: number;
  launchesPerMinute: number;
}

type Audit = NonNullable<PolicyFile['audit']>;

export interface Settings {
  enabled: boolean;
  limits: Limits;
  approvals: {
    seconds: number;
    channels: readonly ('terminal' | 'inspector' | 'mcp')[];
    elicitation: 'off' | 'medium' | 'high';
  };
  secrets: Readonly<Record<string, Secret>>;
  masks: readonly Mask[];
  audit: Required<Pick<Audit, 'evidence' | 'keepDays'>> & Pick<Audit, 'anchor'>;
}

/** From mild to strict. */
const ELICITATION = ['high', 'medium', 'off'] as const;

/**
 * Everything but rules, windows and risk. Always the same thought: the user's word, else the managed file's, else the
 * built-in one; after that the managed file may only tighten. A project has a say in limits alone.
 */
export function settingsOf(files: Files): Settings {
  const { user, managed } = files;
  const { approvals: asked = {} } = user ?? {};
  const { approvals: held = {} } = managed ?? {};
  const channels = asked.channels ?? held.channels ?? BUILT_IN.approvals.channels;
  return {
    enabled: (user?.enabled ?? managed?.enabled ?? false) && managed?.enabled !== false,
    limits: limitsOf(files),
    approvals: {
      seconds: Math.min(asked.seconds ?? held.seconds ?? BUILT_IN.approvals.seconds, held.seconds ?? Infinity),
      channels: channels.filter((channel) => held.channels?.includes(channel) ?? true),
      elicitation: stricter(ELICITATION, asked.elicitation, held.elicitation, BUILT_IN.approvals.elicitation),
    },
    secrets: { ...user?.secrets, ...managed?.secrets },
    masks: [...(user?.masks ?? []), ...(managed?.masks ?? [])],
    // The record is what a manager looks at later: what the managed file says of it stands.
    audit: { ...BUILT_IN.audit, ...user?.audit, ...managed?.audit },
  };
}

export function profileOf({ user, managed }: Files, desktop: DesktopKind): Profile {
  return stricter(PROFILES, user?.profile?.[desktop], managed?.profile?.[desktop], BUILT_IN.profile[desktop]);
}

/** `order` is from mild to strict. */
function stricter<Word extends string>(
  order: readonly Word[],
  user: Word | undefined,
  managed: Word | undefined,
  builtIn: Word,
): Word {
  const base = user ?? managed ?? builtIn;
  return order[Math.max(order.indexOf(base), managed === undefined ? 0 : order.indexOf(managed))]!;
}

function limitsOf(files: Files): Limits {
  const { user, managed } = files;
  const least = (key: keyof Limits): number =>
    Math.min(
      user?.limits?.[key] ?? BUILT_IN.limits[key],
      ...projectsOf(files).map(({ limits }) => limits?.[key] ?? Infinity),
      managed?.limits?.[key] ?? Infinity,
    );
  return {
    capturesPerMinute: least('capturesPerMinute'),
    actsPerMinute: least('actsPerMinute'),
    launchesPerMinute: least('launchesPerMinute'),
  };
}
