import { randomBytes } from 'node:crypto';
import { type Level, type Scope, SCOPES } from '../../policy/index.js';

const RANK: Readonly<Record<Level, number>> = { low: 0, medium: 1, high: 2, prohibited: 3 };
/** The highest risk that a grant is given for, and so the highest that it covers. */
const MAX_RANK = RANK.medium;
const LIFETIME_MS = 8 * 60 * 60 * 1000;

/** An act as grants describe it. */
export interface Grantable {
  session: string;
  tool: string;
  class: 'act' | 'raw' | 'capture' | 'read';
  /**
   * The real path. For interpreters and programs that cannot be verified: the one process, `pid:start`. Absent:
   * unknown.
   */
  program?: string;
  risk: Level;
  /** The act types a secret. No grant covers that. */
  secret?: boolean;
  /** Its tool allows that a grant for the app covers it. */
  appGrant?: boolean;
}

export interface Grant {
  readonly id: string;
  readonly scope: Exclude<Scope, 'once'>;
  readonly session: string;
  readonly program: string;
  /** Only for a grant of scope `session`. */
  readonly tool?: string;
  readonly upTo: Level;
  readonly until: number;
}

/** What the user has allowed beyond a single act. Kept in memory; ends with its session. */
export class Grants {
  private readonly given = new Map<string, Grant>();

  constructor(private readonly now: () => number = Date.now) {}

  get all(): Grant[] {
    this.dropExpired();
    return [...this.given.values()];
  }

  /** Undefined for `once`, which the act itself uses up, and for acts that no grant may cover. */
  give(scope: Scope, { session, tool, program, risk, secret }: Grantable): Grant | undefined {
    if (scope === 'once' || secret || program === undefined || RANK[risk] > MAX_RANK) return undefined;
    const grant: Grant = {
      id: randomBytes(4).toString('hex'),
      ...{ scope, session, program },
      ...(scope === 'session' && { tool }),
      upTo: scope === 'session' ? risk : 'medium',
      until: this.now() + LIFETIME_MS,
    };
    this.given.set(grant.id, grant);
    return grant;
  }

  /**
   * Ignores grants with a wider scope than this decision allows: a rule that asks each time is not bypassed by a grant.
   */
  covers(act: Grantable, widest: Scope): Grant | undefined {
    const widestRank = SCOPES.indexOf(widest);
    return this.all.find((grant) => SCOPES.indexOf(grant.scope) <= widestRank && covers(grant, act));
  }

  revoke(id: string): boolean {
    return this.given.delete(id);
  }

  endSession(session: string): void {
    for (const { id, session: of } of this.given.values()) if (of === session) this.given.delete(id);
  }

  /** After an emergency stop, and after the policy was reloaded. */
  endAll(): void {
    this.given.clear();
  }

  private dropExpired(): void {
    for (const { id, until } of this.given.values()) if (until <= this.now()) this.given.delete(id);
  }
}

function covers(
  grant: Grant,
  { session, tool, class: kind, program, risk, secret, appGrant = false }: Grantable,
): boolean {
  if (secret || grant.session !== session || grant.program !== program) return false;
  if (RANK[risk] > RANK[grant.upTo]) return false;
  if (grant.scope === 'session') return grant.tool === tool;
  return kind === 'act' && appGrant;
}
