import { z } from 'zod';
import { ConfirmedPolicy, type LedgerPlaces, ledgerPlaces, readLast } from '../../audit/index.js';
import {
  type Files,
  isTighter,
  parsePolicyContent,
  policyDifference,
  policyPlaces,
  type PolicyRequest,
  readPolicyFiles,
  strictness,
} from '../../policy/index.js';
import type { Rules } from '../../runtime/index.js';
import { type Finding, unconfirmedFinding } from '../client/findings.js';
import { DesktopError, debug } from '../../shared/index.js';

type Env = Readonly<Record<string, string | undefined>>;

/** The recorded form of a policy. Projects are left out: they can only tighten, and they change with each checkout. */
type RecordedFiles = Pick<Files, 'user' | 'managed'>;

const RECORDED = z.strictObject({ user: z.unknown().optional(), managed: z.unknown().optional() });

/** Why the policy on the disk is not in force yet. */
interface Unconfirmed {
  /** Continues a sentence: "the policy is looser than …". */
  why: string;
  /** The last confirmed policy; absent if its record is damaged. */
  confirmed?: RecordedFiles;
}

/** For the log: how the policy came into force at the start. */
type StartedBy = 'first start' | 'no change' | 'tighter' | 'not confirmed';

/**
 * Compares the policy at the start of a host with the last one that the user started with or confirmed. A policy that
 * is not provably tighter waits for the user: another program may have written it.
 */
export class PolicyConfirmation {
  private state: Unconfirmed | undefined;

  private constructor(
    private readonly record: ConfirmedPolicy,
    readonly by: StartedBy,
    unconfirmed: Unconfirmed | undefined,
  ) {
    this.state = unconfirmed;
  }

  /** `policyFile`: the user's own policy. `places`: the log of the desktop, before it is opened. */
  static start(policyFile: string, files: Files, places: LedgerPlaces): PolicyConfirmation {
    const record = recordOf(policyFile);
    const { by, unconfirmed } = examine(record, files, places);
    if (by === 'first start' || by === 'tighter') {
      try {
        record.write(recorded(files));
      } catch (error) {
        // Without a place for the record, each start is the first one.
        debug('host', () => `the policy could not be recorded: ${String(error)}`);
        if (by === 'tighter') throw error;
      }
    }
    return new PolicyConfirmation(record, by, unconfirmed);
  }

  get unconfirmed(): Unconfirmed | undefined {
    return this.state;
  }

  /** The user confirmed these files in a terminal. */
  confirm(files: Files): void {
    this.record.write(recorded(files));
    this.state = undefined;
  }

  /** What the user has to review; the project's files are compared by the caller. */
  differences(after: Files): string[] {
    if (!this.state) return [];
    const { why, confirmed } = this.state;
    if (!confirmed) return [`user: ${why}; review the whole file`];
    return policyDifference(confirmed, recorded(after));
  }
}

/** For `doctor`: what the next host will find. */
export function policyFindings(env: Env): Finding[] {
  const { user, managed } = policyPlaces({}, env);
  try {
    const { unconfirmed } = examine(recordOf(user, env), readPolicyFiles({ user, managed }).files);
    return unconfirmed ? [unconfirmedFinding()] : [];
  } catch (error) {
    if (!(error instanceof DesktopError)) throw error;
    return [{ level: 'fail', what: error.message.replace(/\.$/, ''), fix: error.hint ?? 'deskproof policy check' }];
  }
}

function recordOf(policyFile: string, env: Env = process.env): ConfirmedPolicy {
  // The same place for every desktop of this user.
  return new ConfirmedPolicy(ledgerPlaces('user', env).state, policyFile);
}

function examine(
  record: ConfirmedPolicy,
  files: Files,
  places?: LedgerPlaces,
): { by: StartedBy; unconfirmed?: Unconfirmed } {
  const kept = record.read();
  const confirmed = typeof kept === 'object' ? parseRecorded(kept.content) : undefined;
  if (kept === undefined) {
    if (!places || !wasRecorded(places)) return { by: 'first start' };
    return { by: 'not confirmed', unconfirmed: { why: 'the record of the last confirmed policy is gone' } };
  }
  if (!confirmed) {
    return { by: 'not confirmed', unconfirmed: { why: 'the record of the last confirmed policy is damaged' } };
  }
  if (policyDifference(confirmed, recorded(files)).length === 0) return { by: 'no change' };
  if (isTighter(confirmed, recorded(files))) return { by: 'tighter' };
  return {
    by: 'not confirmed',
    unconfirmed: { why: 'the policy is not provably tighter than the one that the user confirmed last', confirmed },
  };
}

const recorded = ({ user, managed }: Files): RecordedFiles => ({ ...(user && { user }), ...(managed && { managed }) });

function parseRecorded(content: unknown): RecordedFiles | undefined {
  const parsed = RECORDED.safeParse(content);
  if (!parsed.success) return undefined;
  const files: RecordedFiles = {};
  for (const tier of ['user', 'managed'] as const) {
    if (parsed.data[tier] === undefined) continue;
    const policy = parsePolicyContent(parsed.data[tier]);
    // An earlier version wrote a field that this one no longer knows.
    if (!policy) return undefined;
    files[tier] = policy;
  }
  return files;
}

const MAX_LINES = 2_000;

/** The log of the desktop shows that a record was written. Without it, removing the record would be a first start. */
function wasRecorded({ logs }: LedgerPlaces): boolean {
  try {
    return readLast(logs, MAX_LINES).some(({ record }) => record?.kind === 'policy' && record.by !== undefined);
  } catch (error) {
    // Opening the log reports what is wrong with it.
    debug('host', () => `log: ${error instanceof DesktopError ? error.message : String(error)}`);
    return false;
  }
}

/**
 * The rules while the policy is not confirmed: only reads, and those under both policies. Without arguments and target,
 * the question is whether to offer a tool at all: it stays offered, so that its caller learns why it is refused.
 */
export function readsOnly(now: Rules, confirmed: Rules | undefined): Rules {
  const both = [now, ...(confirmed ? [confirmed] : [])];
  const windows = both.flatMap(({ windows: one }) => one ?? []);
  return {
    ...now,
    unconfirmed: true,
    hasReadRules: () => true,
    windows: {
      hidden: (window) => windows.map((one) => one.hidden(window)).find((hidden) => hidden !== undefined),
      patterns: windows.flatMap(({ patterns }) => patterns),
      blocks: (title) => windows.some((one) => one.blocks(title)),
    },
    decide: (request) => {
      const decisions = both.map((rules) => rules.decide(request));
      const strictest = decisions.reduce((one, other) =>
        strictness(other.answer) > strictness(one.answer) ? other : one,
      );
      if (strictest.answer === 'deny' || isRead(request)) return strictest;
      if (request.args === undefined && request.target === undefined) return strictest;
      return { ...strictest, ...NOT_CONFIRMED };
    },
  };
}

const isRead = ({ class: kind, pixels }: PolicyRequest): boolean => kind === 'read' && !pixels;

const NOT_CONFIRMED = {
  answer: 'deny' as const,
  answers: ['deny'] as const,
  rule: 'policy/not-confirmed',
  reason: 'the policy changed since the user last confirmed it, so only reads are served',
  hint: 'Ask the user to review the change, and then to run: deskproof policy reload',
};
