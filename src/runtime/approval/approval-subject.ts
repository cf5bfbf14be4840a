import { createHash, createHmac, randomBytes } from 'node:crypto';
import { REDACTED } from '../../policy/index.js';
import { canonicalJson } from '../../shared/index.js';
import type { ActionPlan } from '../act/action.js';
import type { Target } from '../locate/target.js';
import { isInteractive, type WindowInfo } from '../../tree/index.js';
import { sessionOf, surfaceOf, writtenArgs, type Asked } from '../authorization/policy-request.js';
import type { Decided } from '../authorization/authorizer.js';

/** For as long as this process lives: what is hidden can be compared, and told by nobody. */
const KEY = randomBytes(32);

/** All that a person's yes is bound to. */
export interface Subject {
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

function nonceOf(asked: Asked): string {
  const nonce = NONCES.get(asked.args) ?? randomBytes(16).toString('hex');
  NONCES.set(asked.args, nonce);
  return nonce;
}

export function subjectOf(desktop: string, asked: Asked, aim: ActionPlan | undefined, decided: Decided): Subject {
  const { tool, caller, args } = asked;
  const plain = !aim?.target?.element.states.secret;
  return {
    ...{ v: 1, desktop, session: sessionOf(caller), caller: surfaceOf(caller), tool },
    args: hidden(writtenArgs(asked, plain), args),
    target: placesOf(aim, asked.meets) ?? aim?.start?.program ?? null,
    window: aim?.window ? windowOf(aim.window) : null,
    ...{ policyHash: decided.policyHash ?? '', risk: decided.risk?.levels.join(' ') ?? '', rule: decided.rule },
    nonce: nonceOf(asked),
  };
}

export const hashOf = (subject: Subject): string => createHash('sha256').update(canonicalJson(subject)).digest('hex');

/** Which parts of it are otherwise now. */
export function difference(before: Subject, now: Subject): string[] {
  const keys = Object.keys(now) as (keyof Subject)[];
  return keys.filter((key) => canonicalJson(before[key]) !== canonicalJson(now[key]));
}

/** Another title is still the same window; another process is not, whatever the window's number. */
export function sameWindow(before: Subject, now: Subject): boolean {
  const [one, other] = [before.window, now.window];
  return one?.id === other?.id && one?.pid === other?.pid && one?.started === other?.started;
}

function hidden(written: Record<string, unknown>, given: Asked['args']): unknown {
  const shown = ([key, value]: [string, unknown]) => [key, value === REDACTED ? mark(given[key]) : value] as const;
  return Object.fromEntries(Object.entries(written).map(shown));
}

function mark(value: unknown): { hmac: string } {
  return { hmac: createHmac('sha256', KEY).update(canonicalJson(value)).digest('hex') };
}

/** All that it is done to: the target or what is at the point, where a drag ends, and what else was met there. */
function placesOf(aim: ActionPlan | undefined, meets: Asked['meets'] = []): unknown[] | undefined {
  const target = aim?.target ?? (aim?.at && aim.lands?.target);
  const { onto, end } = aim ?? {};
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

function windowOf({ id, title, pid, started, program }: WindowInfo): NonNullable<Subject['window']> {
  return { id, title, pid: pid ?? null, started: started ?? null, program: program ?? null };
}
