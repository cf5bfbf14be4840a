import { createHash, createHmac, randomBytes } from 'node:crypto';
import { REDACTED } from '../../policy/index.js';
import { canonicalJson } from '../../shared/index.js';
import type { ActionPlan } from '../act/action.js';
import type { Target } from '../locate/target.js';
import { isInteractive, type WindowInfo } from '../../tree/index.js';
import { sessionOf, surfaceOf, type CallRequest } from '../request/policy-request.js';
import { loggableArgs } from '../request/tool-traits.js';
import type { PolicyDecision } from '../authorization/authorizer.js';

/**
 * Random per process: secret arguments can be compared by their keyed hash, and the hash reveals nothing about them.
 */
const HASH_KEY = randomBytes(32);

/** Everything that an approval is bound to. */
export interface ApprovalSubject {
  v: 1;
  desktop: string;
  session: string;
  caller: string;
  tool: string;
  args: unknown;
  target: unknown;
  /** For a secret: the pages around its field. */
  pages?: readonly (string | null)[];
  window: { id: string; title: string; pid: number | null; started: number | null; program: string | null } | null;
  policyHash: string;
  risk: string;
  rule: string;
  /** What the question is about, if it is not the target itself: a control that a key would trigger. */
  effect?: string;
  /** One per call: the same arguments in a later call need a new approval. */
  nonce: string;
}

const NONCES = new WeakMap<object, string>();

function nonceOf(request: CallRequest): string {
  const nonce = NONCES.get(request.args) ?? randomBytes(16).toString('hex');
  NONCES.set(request.args, nonce);
  return nonce;
}

export function approvalSubject(
  desktop: string,
  request: CallRequest,
  plan: ActionPlan | undefined,
  decision: PolicyDecision,
): ApprovalSubject {
  const { tool, caller, args } = request;
  const plain = !plan?.target?.element.states.secret;
  return {
    ...{ v: 1, desktop, session: sessionOf(caller), caller: surfaceOf(caller), tool },
    args: withSecretsHashed(loggableArgs(request, plain), args),
    target: affectedIdentities(plan, request.hitControls) ?? plan?.start?.program ?? null,
    ...(plan?.pages && { pages: plan.pages }),
    window: plan?.window ? windowIdentity(plan.window) : null,
    ...{ policyHash: decision.policyHash ?? '', risk: decision.risk?.levels.join(' ') ?? '', rule: decision.rule },
    ...(decision.effect !== undefined && { effect: decision.effect }),
    nonce: nonceOf(request),
  };
}

export const subjectHashOf = (subject: ApprovalSubject): string =>
  createHash('sha256').update(canonicalJson(subject)).digest('hex');

/** The fields that differ. */
export function changedFields(before: ApprovalSubject, now: ApprovalSubject): string[] {
  const keys = Object.keys(now) as (keyof ApprovalSubject)[];
  return keys.filter((key) => canonicalJson(before[key]) !== canonicalJson(now[key]));
}

/** A window with another title is still the same window. A window of another process is not, whatever its id is. */
export function sameWindow(before: ApprovalSubject, now: ApprovalSubject): boolean {
  const [one, other] = [before.window, now.window];
  return one?.id === other?.id && one?.pid === other?.pid && one?.started === other?.started;
}

function withSecretsHashed(written: Record<string, unknown>, given: CallRequest['args']): unknown {
  const shown = ([key, value]: [string, unknown]) => [key, value === REDACTED ? keyedHash(given[key]) : value] as const;
  return Object.fromEntries(Object.entries(written).map(shown));
}

function keyedHash(value: unknown): { hmac: string } {
  return { hmac: createHmac('sha256', HASH_KEY).update(canonicalJson(value)).digest('hex') };
}

/**
 * Everything that the act affects: the target or the element at the point, the end of a drag, and other controls that
 * it would trigger.
 */
function affectedIdentities(
  plan: ActionPlan | undefined,
  hitControls: CallRequest['hitControls'] = [],
): unknown[] | undefined {
  const target = plan?.target ?? (plan?.at && plan.lands?.target);
  const { onto, end } = plan ?? {};
  const last = onto ?? end?.lands?.target;
  const where = [...(last ? [identityOf(last)] : end?.window ? [windowIdentity(end.window)] : [])];
  return target ? [identityOf(target), ...where, ...hitControls.map(identityOf)] : undefined;
}

/**
 * The position in the window counts, and not the position of the window: the user may move the window aside to answer.
 */
function identityOf({ element, path, window }: Target): unknown {
  const { id, role, name = null, bounds, states } = element;
  const place = bounds && window.bounds;
  return {
    ...{ id, role, name },
    states: [states.enabled ?? null, states.checked ?? null, states.selected ?? null],
    // An interactive ancestor is pressed together with the target. Under another name it may do something else.
    path: path.map((one) => [one.role, one.id, ...(isInteractive(one) ? [one.name ?? null] : [])]),
    bounds: place
      ? [bounds.x - place.x, bounds.y - place.y, bounds.width, bounds.height].map((side) => Math.round(side))
      : null,
  };
}

function windowIdentity({ id, title, pid, started, program }: WindowInfo): NonNullable<ApprovalSubject['window']> {
  return { id, title, pid: pid ?? null, started: started ?? null, program: program ?? null };
}
