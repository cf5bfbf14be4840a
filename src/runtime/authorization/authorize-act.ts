import { narrowest, strictness } from '../../policy/index.js';
import type { Deadline } from '../../shared/index.js';
import type { Snapshot } from '../../tree/index.js';
import type { ActionPlan, HitTestResult } from '../act/action.js';
import { coveringGrant, grantable } from '../approval/ask-user.js';
import type { CallView } from '../visibility/call-view.js';
import type { Target } from '../locate/target.js';
import { snapshotWindows } from '../observe/snapshot.js';
import type { PolicyDecision } from './authorizer.js';
import { type CallRequest, targetFacts } from '../request/policy-request.js';
import { chosenIn, opensOnly, triggeredBy, takesFocus } from './triggered-controls.js';

/** What was decided of an act, and of which of its ends a person has to be asked. */
interface ActDecision {
  decision: PolicyDecision;
  /** All that was judged. */
  plans: ActionPlan[];
  asks: { request: CallRequest; plan: ActionPlan; decision: PolicyDecision }[];
}

interface End {
  request: CallRequest;
  plan: ActionPlan;
}

/** A drag does something to both ends; everything else has one. Each is also what is pressed or chosen with it. */
function endsOf(request: CallRequest, plan: ActionPlan): End[] {
  const { verb, needs, onto, end } = plan;
  const at = (target: Target): ActionPlan => ({ verb, needs, target, window: target.window });
  const ends = [plan, ...(onto ? [at(onto)] : end ? [{ verb, needs, window: end.window, lands: end.lands }] : [])];
  return ends.flatMap((one) => {
    const target = one.target ?? (one.at || one !== plan ? one.lands?.target : undefined);
    if (!target) return [{ request, plan: one }];
    const hit = one === plan ? (request.hitControls ?? []) : [];
    const all = [one, ...[...triggeredBy(verb, target), ...chosenIn(request, target), ...hit].map(at)];
    const same = all.map((each) => ({ request, plan: each }));
    if (!isClick(verb, target)) return same;
    // It does what it does, whatever it is meant for.
    const clicks = { ...request, args: { ...request.args, action: 'invoke' } };
    return [...same, ...all.map((each) => ({ request: clicks, plan: each }))];
  });
}

/** Words that are milder than the click that they come to. */
function isClick(verb: string, target: Target): boolean {
  if (verb === 'focus') return !takesFocus(target.element);
  return (verb === 'expand' || verb === 'collapse') && !opensOnly(target);
}

/** The strictest answer counts. Where several are asked about, so does the higher risk and the narrower yes. */
export function decideAffected(
  desktop: CallView,
  request: CallRequest,
  plan: ActionPlan,
  decide: (request: CallRequest, facts: ReturnType<typeof targetFacts>) => PolicyDecision,
): ActDecision {
  const ends = endsOf(request, plan).map((one) => ({ ...one, decision: decide(one.request, targetFacts(one.plan)) }));
  const weight = ({ decision }: (typeof ends)[number]): number[] => [
    strictness(decision.answer),
    decision.enables ? 1 : 0,
    decision.risk?.score.most ?? 0,
  ];
  const [worst] = ends.toSorted((a, b) => firstDifference(weight(b), weight(a)));
  const asks = ends.filter((one) => one.decision.answer === 'ask');
  const { decision } = worst!;
  const plans = ends.map((one) => one.plan);
  if (decision.answer !== 'ask' || decision.enables) return { decision, asks, plans };
  // A yes for one program is none for the other, and for one that nobody knows none for the next time.
  const programs = new Set(asks.map((one) => grantable(desktop, one).program));
  const single = programs.size === 1 && !programs.has(undefined);
  const scope = single ? narrowest(asks.map((one) => one.decision.scope ?? 'once')) : 'once';
  return { decision: { ...decision, scope }, asks, plans };
}

const firstDifference = (a: number[], b: number[]): number =>
  a.map((one, at) => one - b[at]!).find((difference) => difference !== 0) ?? 0;

/** What people have allowed already, when it covers every end that is asked about. */
export function grantCovering(desktop: CallView, { decision, asks }: ActDecision) {
  if (decision.enables || decision.answer !== 'ask') return undefined;
  const grants = asks.map((one) => coveringGrant(desktop, one));
  return grants.every((grant) => grant !== undefined) ? grants[0] : undefined;
}

/**
 * A ref is known with the way to it as somebody saw it last; where it hangs now only its window tells. `seen`: a look
 * that was made just now.
 */
export async function refreshPaths(
  desktop: CallView,
  plan: ActionPlan,
  deadline: Deadline,
  seen?: Pick<Snapshot, 'windows' | 'roots'>,
): Promise<ActionPlan> {
  const { target, onto, lands, end } = plan;
  const targets = [target, onto, lands?.target, end?.lands?.target].filter((one) => one !== undefined);
  const windows = new Map(targets.map(({ window }) => [window.id, window]));
  for (const { id } of seen?.windows ?? []) windows.delete(id);
  const snapshots = [...(seen ? [seen] : [])];
  if (windows.size > 0) snapshots.push(await snapshotWindows(desktop, [...windows.values()], { deadline }));
  const now = (one: Target): Target => {
    const way = desktop.snapshots.pathOf(one.element.ref);
    const fresh = way && snapshots.some(({ roots }) => roots.includes(way[0]!));
    // What a selector found was read on the way to it, also where a look does not go.
    if (!way || (one.how === 'name' && !fresh)) return one;
    return { ...one, element: { ...one.element, children: way.at(-1)!.children }, path: way.slice(0, -1) };
  };
  const landing = ({ target: there }: NonNullable<HitTestResult['lands']>): HitTestResult['lands'] =>
    there ? { target: now(there) } : {};
  return {
    ...plan,
    ...(target && { target: now(target) }),
    ...(onto && { onto: now(onto) }),
    ...(lands && { lands: landing(lands) }),
    ...(end?.lands && { end: { ...end, lands: landing(end.lands) } }),
  };
}
