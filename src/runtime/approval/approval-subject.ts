import { createHash, createHmac, randomBytes } from 'node:crypto';
import { REDACTED } from '../../policy/index.js';
import { canonicalJson } from '../../shared/index.js';
import type { ActionPlan } from '../act/action.js';
import type { Target } from '../locate/target.js';
import { isInteractive, type WindowInfo } from '../../tree/index.js';
import { sessionOf, surfaceOf, loggableArgs, type CallRequest } from '../request/policy-request.js';
import type { PolicyDecision } from '../authorization/authorizer.js';

/** For as long as this process lives: what is hidden can be compared, and told by nobody. */
const KEY = randomBytes(32);

/** All that a person's yes is bound to. */
export interface ApprovalSubject {
  v: 1;
  desktop: string;
  session: string;
  caller: string;
  tool: string;
  args: unknown;
  target: unknown;
  window: { id: string; title: string; pid: number | null; started: number | null; program: string | null } | null;
  policyHash: string;
  risk: string;
  rule: string;
  /** Of this call: the same words another time are another matter. */
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
    args: hidden(loggableArgs(request, plain), args),
    target: placesOf(plan, request.meets) ?? plan?.start?.program ?? null,
    window: plan?.window ? windowOf(plan.window) : null,
    ...{ policyHash: decision.policyHash ?? '', risk: decision.risk?.levels.join(' ') ?? '', rule: decision.rule },
    nonce: nonceOf(request),
  };
}

export const hashOf = (subject: ApprovalSubject): string =>
  createHash('sha256').update(canonicalJson(subject)).digest('hex');

/** Which parts of it are otherwise now. */
export function difference(before: ApprovalSubject, now: ApprovalSubject): string[] {
  const keys = Object.keys(now) as (keyof ApprovalSubject)[];
  return keys.filter((key) => canonicalJson(before[key]) !== canonicalJson(now[key]));
}

/** Another title is still the same window; another process is not, whatever the window's number. */
export function sameWindow(before: ApprovalSubject, now: ApprovalSubject): boolean {
  const [one, other] = [before.window, now.window];
  return one?.id === other?.id && one?.pid === other?.pid && one?.started === other?.started;
}

function hidden(written: Record<string, unknown>, given: CallRequest['args']): unknown {
  const shown = ([key, value]: [string, unknown]) => [key, value === REDACTED ? mark(given[key]) : value] as const;
  return Object.fromEntries(Object.entries(written).map(shown));
}

function mark(value: unknown): { hmac: string } {
  return { hmac: createHmac('sha256', KEY).update(canonicalJson(value)).digest('hex') };
}

/** All that it is done to: the target or what is at the point, where a drag ends, and what else was met there. */
function placesOf(plan: ActionPlan | undefined, meets: CallRequest['meets'] = []): unknown[] | undefined {
  const target = plan?.target ?? (plan?.at && plan.lands?.target);
  const { onto, end } = plan ?? {};
  const last = onto ?? end?.lands?.target;
  const where = [...(last ? [identityOf(last)] : end?.window ? [windowOf(end.window)] : [])];
  return target ? [identityOf(target), ...where, ...meets.map(identityOf)] : undefined;
}

/** Where it is in its window counts, and not where the window is: a person may move that aside to answer. */
function identityOf({ element, path, window }: Target): unknown {
  const { id, role, name = null, bounds, states } = element;
  const place = bounds && window.bounds;
  return {
    ...{ id, role, name },
    states: [states.enabled ?? null, states.checked ?? null, states.selected ?? null],
    // A control that it is in is pressed with it: called otherwise, it may do something else.
    path: path.map((one) => [one.role, one.id, ...(isInteractive(one) ? [one.name ?? null] : [])]),
    bounds: place
      ? [bounds.x - place.x, bounds.y - place.y, bounds.width, bounds.height].map((side) => Math.round(side))
      : null,
  };
}

function windowOf({ id, title, pid, started, program }: WindowInfo): NonNullable<ApprovalSubject['window']> {
  return { id, title, pid: pid ?? null, started: started ?? null, program: program ?? null };
}
