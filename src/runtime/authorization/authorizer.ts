import type { Ledger } from '../../audit/index.js';
import type {
  CallClass,
  CallEffects,
  CompiledPolicy,
  Decision,
  Limits,
  Policy,
  PolicyRequest,
  PolicyVerdict,
  TargetFacts,
} from '../../policy/index.js';
import { DesktopError } from '../../shared/index.js';
import { Grants } from '../approval/grants.js';
import { PendingApprovals } from '../approval/pending-approvals.js';
import { withDecision } from '../request/audit-record.js';
import { type CallRequest, policyRequest, sessionOf } from '../request/policy-request.js';
import { effectsOf } from '../request/tool-traits.js';

/** The rules of one desktop. The optional parts exist only in complete policies, not in the rules of tests. */
export type Rules = Policy &
  Partial<
    Pick<CompiledPolicy, 'settings' | 'windows' | 'hash' | 'profile' | 'runsAnything' | 'takesAnswers' | 'hasReadRules'>
  > & {
    /** The files that it was loaded from. */
    sources?: readonly { tier: string; file: string }[];
    /** The user has not confirmed the policy yet, so only reads are served. */
    unconfirmed?: true;
  };

export type PolicyDecision = Decision &
  Partial<PolicyVerdict> & {
    /** What the decision is about, if it is not the target: `Enter here would also press button "Send"`. */
    effect?: string;
  };

interface Governance {
  rules: Rules;
  ledger: Ledger;
  /** Policy files that changed after they were read. */
  changed?: () => string[];
  /** Additional rules for callers from this directory; undefined if there are none. */
  inProject?: (directory: string) => ProjectRules | undefined;
}

/** The rules of a desktop together with those of a caller's own project. */
export interface ProjectRules {
  rules: Rules;
  /** The project's own file, if it changed after it was read. */
  changed: () => string[];
}

/** State that all callers of a desktop share, whatever their project is. */
interface SharedState {
  rules: Rules;
  changed: () => string[];
  minute: SlidingMinute | undefined;
  /** Sessions that the user has enabled on their own desktop. */
  readonly enabled: Set<string>;
  /** How many programs show pending approvals to the user. */
  attending: number;
  readonly questions: PendingApprovals;
  readonly grants: Grants;
}

/** Enforces policy on the calls of one desktop: rules, limits, grants and pending approvals, and the audit log. */
export class Authorizer {
  readonly ledger: Ledger;
  private readonly inProject: NonNullable<Governance['inProject']>;

  constructor(
    readonly desktop: PolicyRequest['desktop'],
    private readonly governance: Governance,
    private readonly state: SharedState = newState(governance),
    /** The rules of the caller's own project, read again at each use; undefined if there are none. */
    private readonly project?: () => ProjectRules | undefined,
  ) {
    this.ledger = governance.ledger;
    this.inProject = governance.inProject ?? (() => undefined);
  }

  /** The authorizer for a caller that was started in this directory: its project may have rules of its own. */
  within(directory: string | undefined): Authorizer {
    if (directory === undefined || !this.inProject(directory)) return this;
    return new Authorizer(this.desktop, this.governance, this.state, () => this.inProject(directory));
  }

  get questions(): PendingApprovals {
    return this.state.questions;
  }

  get grants(): Grants {
    return this.state.grants;
  }

  get rules(): Rules {
    return this.project?.()?.rules ?? this.state.rules;
  }

  /** After the user has reviewed a changed policy. All earlier grants end. */
  replace(rules: Rules, changed: () => string[]): void {
    this.state.rules = rules;
    this.state.changed = changed;
    this.state.minute = minuteOf(rules);
    this.forget('the policy was read again');
  }

  /** Ends all grants and pending approvals. Sessions that the user enabled stay enabled. */
  forget(why: string): void {
    this.grants.endAll();
    this.questions.void(why);
  }

  enable(session: string): void {
    this.state.enabled.add(session);
  }

  /** False if it was not enabled. */
  disable(session?: string): boolean {
    const { enabled } = this.state;
    if (session !== undefined) return enabled.delete(session);
    const any = enabled.size > 0;
    enabled.clear();
    return any;
  }

  isEnabled(session: string): boolean {
    return this.state.enabled.has(session);
  }

  endSession(session: string): void {
    this.state.enabled.delete(session);
    this.grants.endSession(session);
    this.questions.endSession(session);
  }

  /** The user watches the pending approvals until the returned function is called. */
  attend(): () => void {
    this.state.attending += 1;
    let left = false;
    return () => {
      if (!left) this.state.attending -= 1;
      left = true;
    };
  }

  /** Policy files that differ from what was read. */
  get changedFiles(): string[] {
    return [...this.state.changed(), ...(this.project?.()?.changed() ?? [])];
  }

  get attended(): boolean {
    return this.state.attending > 0;
  }

  /** The first policy decision of every call. Refuses a call that no target could make allowed. */
  admit(request: CallRequest): PolicyDecision {
    if (request.class !== 'read' && request.class !== 'capture') this.refuseIfChanged();
    const decision = this.decide(request);
    if (decision.answer === 'deny') throw deniedError(request.tool, decision);
    return decision;
  }

  /** Counts the call against the limits per minute of the desktop. Throws if a limit is reached. */
  count(request: CallRequest): void {
    const reached = this.state.minute?.take(
      limitsFor({ does: effectsOf(request.traits).does, class: request.class }),
      this.rules.settings?.limits,
    );
    if (!reached) return;
    const { limit, perMinute, retryAfterMs } = reached;
    const seconds = retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1000);
    const what = limit.replace('PerMinute', '');
    throw new DesktopError('rate_limited', `The limit of ${perMinute} ${what} per minute is reached.`, {
      ...(seconds === undefined ? { retry: 'no' } : { retry: 'after', retryAfter: `${seconds} s` }),
      hint: `Wait, or ask the user to raise limits.${limit} in the policy.`,
      details: { limit, perMinute, ...(retryAfterMs !== undefined && { retryAfterMs: Math.ceil(retryAfterMs) }) },
    });
  }

  /** The second policy decision, about the resolved target. Throws if it is denied; the answer may still be `ask`. */
  decideOrRefuse(request: CallRequest, target: TargetFacts, effect?: string): PolicyDecision {
    this.refuseIfChanged();
    const decision = { ...this.decide(request, target), ...(effect !== undefined && { effect }) };
    if (decision.answer === 'deny') throw deniedError(request.tool, decision);
    return decision;
  }

  /** The decision of the rules. Nothing is refused or counted. */
  decide(request: CallRequest, target?: TargetFacts): PolicyDecision {
    const enabled = this.isEnabled(sessionOf(request.caller));
    return this.rules.decide(policyRequest(request, { desktop: this.desktop, enabled, ...(target && { target }) }));
  }

  private refuseIfChanged(): void {
    const [file, ...more] = this.changedFiles;
    if (file === undefined) return;
    const others = more.length > 0 ? ` and ${more.length} more` : '';
    throw new DesktopError('policy_denied', `The policy changed on disk: ${file}${others}.`, {
      retry: 'after',
      retryAfter: 'the user reloads the policy',
      hint: 'Ask the user to review the change, and then to run: deskproof policy reload',
    });
  }
}

function newState({ rules, changed = () => [] }: Governance): SharedState {
  return {
    ...{ rules, changed, minute: minuteOf(rules), enabled: new Set(), attending: 0 },
    ...{ questions: new PendingApprovals(), grants: new Grants() },
  };
}

function minuteOf({ settings }: Rules): SlidingMinute | undefined {
  return settings && new SlidingMinute(settings.limits, () => performance.now());
}

export function deniedError(tool: string, decision: PolicyDecision): DesktopError {
  const { rule, reason, hint, effect } = decision;
  const denies = decision.facts?.name === undefined ? 'may deny' : 'denies';
  const refused =
    effect === undefined ? `${tool} is refused by rule ${rule}` : `${effect}, which rule ${rule} ${denies}`;
  const error = new DesktopError('policy_denied', `${refused}${reason ? `: ${reason}` : ''}.`, {
    retry: 'no',
    ...(hint !== undefined && { hint }),
    details: { rule },
  });
  return withDecision(error, decision);
}

const MINUTE_MS = 60_000;

/** Monotonic milliseconds. */
type Clock = () => number;

/** The limit that was reached and when the next call is possible. A limit of 0 has no such time. */
interface ReachedLimit {
  limit: keyof Limits;
  perMinute: number;
  retryAfterMs?: number;
}

/**
 * The limits that a call counts against. A launch is also an act; a call that takes pixels is a capture, whatever its
 * class.
 */
export function limitsFor(call: Pick<CallEffects, 'does'> & { class: CallClass; pixels?: boolean }): (keyof Limits)[] {
  return [
    ...(call.class === 'capture' || call.pixels ? (['capturesPerMinute'] as const) : []),
    ...(call.class === 'act' || call.class === 'raw' ? (['actsPerMinute'] as const) : []),
    ...(call.does.includes('launch') ? (['launchesPerMinute'] as const) : []),
  ];
}

/** Counts the calls of the last minute on one desktop. */
export class SlidingMinute {
  private readonly times: Record<keyof Limits, number[]> = {
    capturesPerMinute: [],
    actsPerMinute: [],
    launchesPerMinute: [],
  };

  constructor(
    private readonly limits: Limits,
    private readonly now: Clock,
  ) {}

  /** Counts a call against all of these limits. If one is reached, counts nothing and returns that one. */
  take(kinds: readonly (keyof Limits)[], limits = this.limits): ReachedLimit | undefined {
    const now = this.now();
    for (const limit of kinds) {
      const times = this.recent(limit, now);
      const perMinute = limits[limit];
      if (times.length < perMinute) continue;
      const oldest = times[times.length - perMinute];
      return { limit, perMinute, ...(oldest !== undefined && { retryAfterMs: oldest + MINUTE_MS - now }) };
    }
    for (const limit of kinds) this.times[limit].push(now);
    return undefined;
  }

  private recent(limit: keyof Limits, now: number): number[] {
    const times = this.times[limit];
    const from = times.findIndex((time) => time > now - MINUTE_MS);
    times.splice(0, from < 0 ? times.length : from);
    return times;
  }
}
