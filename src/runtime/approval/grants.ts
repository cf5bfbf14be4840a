import { randomBytes } from 'node:crypto';
import { type Level, type Scope, SCOPES } from '../../policy/index.js';

const RANK: Readonly<Record<Level, number>> = { low: 0, medium: 1, high: 2, prohibited: 3 };
/** No grant is given for more, so none reaches further. */
const MOST = RANK.medium;
const LASTS_MS = 8 * 60 * 60 * 1000;

/** What an act is, as far as grants care. */
export interface Grantable {
  session: string;
  tool: string;
  class: 'act' | 'raw' | 'capture' | 'read';
  /** Real path; for interpreters and what cannot be checked, the one process: `pid:start`. Absent: nobody knows. */
  program?: string;
  risk: Level;
  /** Types a secret: never covered. */
  secret?: boolean;
}

export interface Grant {
  readonly id: string;
  readonly scope: Exclude<Scope, 'once'>;
  readonly session: string;
  readonly program: string;
  /** Of a grant for the session. */
  readonly tool?: string;
  readonly upTo: Level;
  readonly until: number;
}

/** Acts that a grant for an app does not cover. */
const NEVER_BY_APP: ReadonlySet<string> = new Set(['ui_launch']);

/** What people have allowed beyond the single act. It lives in memory and ends with its session. */
export class Grants {
  private readonly given = new Map<string, Grant>();

  constructor(private readonly now: () => number = Date.now) {}

  get all(): Grant[] {
    this.forgetOld();
    return [...this.given.values()];
  }

  /** Undefined for `once`, which is used up by the act itself, and for what no grant may cover. */
  give(scope: Scope, { session, tool, program, risk, secret }: Grantable): Grant | undefined {
    if (scope === 'once' || secret || program === undefined || RANK[risk] > MOST) return undefined;
    const grant: Grant = {
      id: randomBytes(4).toString('hex'),
      ...{ scope, session, program },
      ...(scope === 'session' && { tool }),
      upTo: scope === 'session' ? risk : 'medium',
      until: this.now() + LASTS_MS,
    };
    this.given.set(grant.id, grant);
    return grant;
  }

  /** None that is wider than what people may say to this question: who wants to be asked each time is asked. */
  covers(act: Grantable, widest: Scope): Grant | undefined {
    const reach = SCOPES.indexOf(widest);
    return this.all.find((grant) => SCOPES.indexOf(grant.scope) <= reach && covers(grant, act));
  }

  revoke(id: string): boolean {
    return this.given.delete(id);
  }

  endSession(session: string): void {
    for (const { id, session: of } of this.given.values()) if (of === session) this.given.delete(id);
  }

  /** After a stop, and after the policy was read again. */
  endAll(): void {
    this.given.clear();
  }

  private forgetOld(): void {
    for (const { id, until } of this.given.values()) if (until <= this.now()) this.given.delete(id);
  }
}

function covers(grant: Grant, { session, tool, class: kind, program, risk, secret }: Grantable): boolean {
  if (secret || grant.session !== session || grant.program !== program) return false;
  if (RANK[risk] > RANK[grant.upTo]) return false;
  if (grant.scope === 'session') return grant.tool === tool;
  return kind === 'act' && !NEVER_BY_APP.has(tool);
}
