import { BUILT_IN } from './built-in.js';
import { PROFILES, type Mask, type PolicyFile, type Profile, type Secret } from './schema.js';
import type { DesktopKind } from '../decision.js';

/** The policy files that exist. Each may be absent. */
export interface Files {
  user?: PolicyFile;
  /** From the directory where the desktop was started. */
  project?: PolicyFile;
  /** From the directory where the caller was started, if that is a different one. */
  callerProject?: PolicyFile;
  managed?: PolicyFile;
}

/** Each project can only tighten, so all of them apply. */
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
export const ELICITATION = ['high', 'medium', 'off'] as const;

/**
 * Combines all settings except rules, windows and risk. The user's value applies, else the managed file's, else the
 * built-in one; after that, the managed file may only tighten. A project can only set limits.
 */
export function settingsOf(files: Files): Settings {
  const { user, managed } = files;
  const { approvals: userApprovals = {} } = user ?? {};
  const { approvals: managedApprovals = {} } = managed ?? {};
  const channels = userApprovals.channels ?? managedApprovals.channels ?? BUILT_IN.approvals.channels;
  return {
    enabled: (user?.enabled ?? managed?.enabled ?? false) && managed?.enabled !== false,
    limits: limitsOf(files),
    approvals: {
      seconds: Math.min(
        userApprovals.seconds ?? managedApprovals.seconds ?? BUILT_IN.approvals.seconds,
        managedApprovals.seconds ?? Infinity,
      ),
      channels: channels.filter((channel) => managedApprovals.channels?.includes(channel) ?? true),
      elicitation: stricter(
        ELICITATION,
        userApprovals.elicitation,
        managedApprovals.elicitation,
        BUILT_IN.approvals.elicitation,
      ),
    },
    secrets: { ...user?.secrets, ...managed?.secrets },
    masks: [...(user?.masks ?? []), ...(managed?.masks ?? [])],
    // An administrator reads the log later, so the managed file's audit settings override the user's.
    audit: { ...BUILT_IN.audit, ...user?.audit, ...managed?.audit },
  };
}

export function profileOf({ user, managed }: Files, desktop: DesktopKind): Profile {
  return stricter(PROFILES, user?.profile?.[desktop], managed?.profile?.[desktop], BUILT_IN.profile[desktop]);
}

/** `order` goes from mild to strict. */
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
