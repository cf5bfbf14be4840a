import { narrowest, strictness } from '../../policy/index.js';
import { requireCapability } from '../../drivers/contract/index.js';
import { type Deadline, DesktopError } from '../../shared/index.js';
import {
  describeElement,
  type Element,
  type Node,
  roleInText,
  type Snapshot,
  type WindowInfo,
} from '../../tree/index.js';
import type { ActionPlan, HitTestResult } from '../act/action.js';
import { coveringGrant, grantable } from '../approval/ask-user.js';
import type { CallView } from '../visibility/call-view.js';
import type { Target } from '../locate/target.js';
import { snapshotWindows } from '../observe/snapshot.js';
import type { PolicyDecision } from './authorizer.js';
import { type CallRequest, targetFacts } from '../request/policy-request.js';
import { chordsOf, type ToolTraits } from '../request/tool-traits.js';
import { controlsOf, type KeyEffect, keyTriggers } from './key-effects.js';
import { chosenIn, opensOnly, triggeredBy, takesFocus } from './triggered-controls.js';

/** The decision about an act, and the affected elements that need the user's approval. */
interface ActDecision {
  decision: PolicyDecision;
  /** Everything that policy evaluated. */
  plans: ActionPlan[];
  asks: { request: CallRequest; plan: ActionPlan; decision: PolicyDecision }[];
}

interface End {
  request: CallRequest;
  plan: ActionPlan;
  /** For a control that a key would trigger: why it counts. */
  effect?: string;
  /** The control is decided on as clicked. The end before it is the same control as the target of the keys. */
  clicks?: true;
}

/** A control that a key would trigger counts as the target of the key, and of a click. */
function keyEnds(request: CallRequest, plan: ActionPlan, effects: readonly KeyEffect[]): End[] {
  const { verb, needs, window } = plan;
  return effects.flatMap(({ key, target, verb: how }): End[] => {
    const at: ActionPlan = target ? { verb, needs, target, window: target.window } : { verb, needs, window, lands: {} };
    const effect = target
      ? `${key} here would also ${how} ${describeElement({ role: roleInText(target.element.role), ...(target.element.name && { name: target.element.name }) })}`
      : `${key} here may also press a control that is not known in advance`;
    const asKey = { ...request, traits: { ...request.traits, risk: 'click' as const } };
    return [
      { request: asKey, plan: at, effect },
      { request: asClick(request), plan: at, effect, clicks: true },
    ];
  });
}

/** The same call as a click, for the rules about clicks. */
function asClick(request: CallRequest): CallRequest {
  const { traits, tool } = request;
  const clicks: ToolTraits = { text: 'none', keys: 'none', risk: 'click', place: traits.place };
  return { ...request, tool: traits.clicksRuledAs ?? tool, traits: clicks, args: {}, presses: [] };
}

type Decided = End & { decision: PolicyDecision };

/** A rule that allows the keys needs no other one that allows the click: the profile does not ask again. */
function counts(one: Decided, at: number, all: readonly Decided[]): boolean {
  const asKey = one.clicks ? all[at - 1]?.decision : undefined;
  const allowed = asKey?.answer === 'allow' && asKey.tier !== 'built-in';
  return !(allowed && one.decision.tier === 'built-in' && one.decision.answer === 'ask');
}

/**
 * The controls that the keys of the act would trigger. Usually the rules allow any control there, and one decision
 * about an unknown one is enough. Otherwise the whole window is read, with everything that is out of view.
 */
export async function keyEffectsOf(
  desktop: CallView,
  request: CallRequest,
  plan: ActionPlan,
  deadline: Deadline,
): Promise<KeyEffect[]> {
  const chords = chordsOf(request);
  const { window } = plan;
  if (!chords || !window) return [];
  const focus = plan.target ?? plan.lands?.target;
  const triggers = keyTriggers(chords, focus);
  if (triggers.length === 0) return [];
  const anything: KeyEffect[] = [{ key: triggers[0]!.key, verb: 'press' }];
  const isAllowed = keyEnds(request, plan, anything)
    .map((one): Decided => ({ ...one, decision: desktop.authorizer.decide(one.request, targetFacts(one.plan)) }))
    .filter(counts)
    .every(({ decision }) => decision.answer === 'allow');
  if (isAllowed) return anything;
  const now = await inWholeWindow(desktop, window, focus, deadline);
  return now ? controlsOf(triggers, now) : anything;
}

/**
 * The target, or the window itself, in a tree that also contains what is out of view. Undefined if the target is not in
 * there.
 */
async function inWholeWindow(
  desktop: CallView,
  window: WindowInfo,
  target: Target | undefined,
  deadline: Deadline,
): Promise<Target | undefined> {
  try {
    const read = requireCapability(desktop.driver, 'read');
    const { root, degraded } = await read({ window: window.id }, { deadline, full: true });
    const path = degraded ? undefined : pathTo(withoutRefs(root), target?.element.id ?? root.id);
    return path && { ...target, window, element: path.at(-1)!, path: path.slice(0, -1) };
  } catch (error) {
    // Its controls stay unknown then, and the strictest rule counts.
    if (error instanceof DesktopError) return undefined;
    throw error;
  }
}

const withoutRefs = (node: Node): Element => ({ ...node, ref: '', children: node.children.map(withoutRefs) });

function pathTo(one: Element, id: string): Element[] | undefined {
  if (one.id === id) return [one];
  for (const child of one.children) {
    const below = pathTo(child, id);
    if (below) return [one, ...below];
  }
  return undefined;
}

/**
 * Everything that policy evaluates for an act. A drag affects both of its ends, any other act one. Controls that are
 * pressed or chosen together with an end count too.
 */
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
    // A click has the effect of a click, whatever the request calls it.
    const clicks = { ...request, args: { ...request.args, action: 'invoke' } };
    return [...same, ...all.map((each) => ({ request: clicks, plan: each }))];
  });
}

/** Whether the act is performed by a click although its verb is milder. */
function isClick(verb: string, target: Target): boolean {
  if (verb === 'focus') return !takesFocus(target.element);
  return (verb === 'expand' || verb === 'collapse') && !opensOnly(target);
}

/** The strictest answer counts. If several need approval, the highest risk and the narrowest scope count. */
export function decideAffected(
  desktop: CallView,
  request: CallRequest,
  plan: ActionPlan,
  decide: (request: CallRequest, facts: ReturnType<typeof targetFacts>, effect?: string) => PolicyDecision,
  keyEffects: readonly KeyEffect[] = [],
): ActDecision {
  // First the controls that keys trigger: a refusal names them.
  const ends = [...keyEnds(request, plan, keyEffects), ...endsOf(request, plan)]
    .map((one): Decided => ({
      ...one,
      decision: decide(one.request, targetFacts(one.plan), one.effect),
      // Grants are given for the tool that was called.
      request,
    }))
    .filter(counts);
  const weight = ({ decision }: (typeof ends)[number]): number[] => [
    strictness(decision.answer),
    decision.enables ? 1 : 0,
    decision.risk?.score.most ?? 0,
    // Of equal ones the target itself is shown to the user.
    decision.effect === undefined ? 1 : 0,
  ];
  const [worst] = ends.toSorted((a, b) => firstDifference(weight(b), weight(a)));
  const asks = ends.filter((one) => one.decision.answer === 'ask');
  const { decision } = worst!;
  const plans = ends.map((one) => one.plan);
  if (decision.answer !== 'ask' || decision.enables) return { decision, asks, plans };
  // An approval for one program does not cover another, and for an unknown program it covers only this act.
  const programs = new Set(asks.map((one) => grantable(desktop, one).program));
  const single = programs.size === 1 && !programs.has(undefined);
  const scope = single ? narrowest(asks.map((one) => one.decision.scope ?? 'once')) : 'once';
  return { decision: { ...decision, scope }, asks, plans };
}

const firstDifference = (a: number[], b: number[]): number =>
  a.map((one, at) => one - b[at]!).find((difference) => difference !== 0) ?? 0;

/** An earlier grant, if grants cover every part that needs approval. */
export function grantCovering(desktop: CallView, { decision, asks }: ActDecision) {
  if (decision.enables || decision.answer !== 'ask') return undefined;
  const grants = asks.map((one) => coveringGrant(desktop, one));
  return grants.every((grant) => grant !== undefined) ? grants[0] : undefined;
}

/**
 * Refs store the path to their element from the last snapshot; this reads the current path from the window. `seen`: a
 * snapshot that was just taken.
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
    const found = desktop.snapshots.pathOf(one.element.ref);
    const fresh = found && snapshots.some(({ roots }) => roots.includes(found[0]!));
    // A selector search has just read the path, also where a snapshot does not go.
    if (!found || (one.how === 'name' && !fresh)) return one;
    return { ...one, element: { ...one.element, children: found.at(-1)!.children }, path: found.slice(0, -1) };
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
