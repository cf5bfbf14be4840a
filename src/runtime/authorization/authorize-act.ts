import { narrowest, strictness } from '../../policy/index.js';
import { requireCapability } from '../../drivers/contract/index.js';
import { type Deadline, DesktopError } from '../../shared/index.js';
import {
  describeElement,
  INTERACTIVE_ROLES,
  type Element,
  isInteractive,
  ITEM_ROLES,
  type Point,
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
import { FinalActError } from '../request/act-errors.js';
import { type CallRequest, targetFacts } from '../request/policy-request.js';
import { chordsOf, type ToolTraits } from '../request/tool-traits.js';
import { controlsOf, type KeyEffect, suggestionsIn, withoutRefs } from './key-effects.js';
import { keyTriggers, type KeyTrigger, rangeTriggers, suggestionKey } from './key-triggers.js';
import { asShown } from './shown-names.js';
import { isInUnrelatedLabel, labelledControls, runsScript, suggestedIn } from './click-effects.js';
import { chosenIn, isPress, opensOnly, triggeredBy, takesFocus } from './triggered-controls.js';

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
  return effects.flatMap(({ key, target, verb: how, maybe }): End[] => {
    const at: ActionPlan = target ? { verb, needs, target, window: target.window } : { verb, needs, window, lands: {} };
    const effect = target
      ? `${key} here ${maybe ? 'may' : 'would'} also ${how} ${describeElement({ role: roleInText(target.element.role), ...(target.element.name && { name: target.element.name }) })}`
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
  if (!window) return [];
  const focus = plan.target ?? plan.lands?.target;
  const triggers = chords ? keyTriggers(chords, focus) : selectedBy(request, plan, focus);
  const chooses = chords && suggestionKey(chords, focus);
  const key = triggers[0]?.key ?? chooses;
  if (key === undefined) return [];
  const anything: KeyEffect[] = [{ key, verb: 'press' }];
  if (allowsAll(desktop, request, plan, anything)) return anything;
  const suggested = chooses === undefined ? [] : await suggestionsIn(desktop, window, chooses, deadline);
  return [...suggested, ...(await triggered(desktop, window, focus, triggers, deadline))];
}

async function triggered(
  desktop: CallView,
  window: WindowInfo,
  focus: Target | undefined,
  triggers: readonly KeyTrigger[],
  deadline: Deadline,
): Promise<KeyEffect[]> {
  if (triggers.length === 0) return [];
  const anything: KeyEffect[] = [{ key: triggers[0]!.key, verb: 'press' }];
  const now = await inWholeWindow(desktop, window, focus, deadline);
  if (!now) return triggers.every(({ trigger }) => trigger === 'binding') ? [] : anything;
  const bound = triggers.some(({ trigger }) => trigger === 'binding' || trigger === 'accelerator');
  if (!bound) return controlsOf(triggers, now);
  const ids = boundIn(now.path[0] ?? now.element);
  return ids.length > MAX_BOUND ? anything : controlsOf(triggers, now, await bindingsOf(desktop, ids, deadline));
}

/** A click or drag that selects more than its target. */
function selectedBy({ args }: CallRequest, { verb }: ActionPlan, target: Target | undefined) {
  const holdsShift = Array.isArray(args.modifiers) && args.modifiers.includes('shift');
  const gesture = verb === 'drag' ? 'drag' : verb.endsWith('click') && holdsShift ? 'shift+click' : undefined;
  return gesture && target ? rangeTriggers(gesture, target) : [];
}

/** A window with more controls is decided on as if none of them were known. */
const MAX_BOUND = 1_000;

/** The controls that may have a key: rows and options have none. */
function boundIn(one: Element): string[] {
  const isControl = isInteractive(one) && !ITEM_ROLES.has(one.role) && one.role !== 'cell';
  return [...(isControl ? [one.id] : []), ...one.children.flatMap(boundIn)];
}

/** The keys that activate the controls, as their app reports them. */
async function bindingsOf(
  { driver }: CallView,
  ids: readonly string[],
  deadline: Deadline,
): Promise<Map<string, string[]>> {
  try {
    const bindings = (await driver.keyBindings?.(ids, { deadline })) ?? [];
    return new Map(ids.map((id, at) => [id, bindings[at] ?? []]));
  } catch (error) {
    // They are unknown then, as for an app that reports none.
    if (error instanceof DesktopError) return new Map();
    throw error;
  }
}

/** Whether the rules allow all these effects without a question. */
function allowsAll(desktop: CallView, request: CallRequest, plan: ActionPlan, effects: readonly KeyEffect[]): boolean {
  return keyEnds(request, plan, effects)
    .map((one): Decided => ({ ...one, decision: desktop.authorizer.decide(one.request, factsOf(one)) }))
    .filter(counts)
    .every(({ decision }) => decision.answer === 'allow');
}

/** A control that a key may activate is known by its name only, so it does not count as a script. */
const factsOf = ({ request, plan, effect }: End): ReturnType<typeof targetFacts> => ({
  ...targetFacts(plan),
  ...((effect === undefined || !plan.target) && runsScript(request, plan) && { console: true }),
});

/**
 * The controls that a click may activate although the tree does not relate them to its target: those that a label of a
 * page may belong to, and for a suggestion of the address bar those that Enter there would press.
 */
export async function clickEffectsOf(
  desktop: CallView,
  request: CallRequest,
  plan: ActionPlan,
  deadline: Deadline,
): Promise<KeyEffect[]> {
  const { window, verb } = plan;
  const target = plan.target ?? plan.lands?.target;
  if (!window || !target || !isPress(verb, target.element)) return [];
  const field = suggestedIn(target);
  if (!field && !isInUnrelatedLabel(target)) return [];
  const anything: KeyEffect = { key: 'A click', verb: 'press' };
  if (field) {
    const at: Target = { ...target, ...field };
    const keys = {
      ...request,
      traits: { ...request.traits, text: 'none' as const, keys: { argument: 'keys' } as const },
    };
    const entered = await keyEffectsOf(
      desktop,
      { ...keys, args: { keys: 'Enter' } },
      { ...plan, target: at },
      deadline,
    );
    return [{ ...anything, target: at }, ...entered.map((one) => ({ ...one, key: anything.key }))];
  }
  if (allowsAll(desktop, request, plan, [anything])) return [anything];
  const now = await inWholeWindow(desktop, window, target, deadline);
  if (!now) return [anything];
  const { controls, complete } = labelledControls(now);
  const found = controls.map((one): KeyEffect => ({
    ...anything,
    verb: 'press',
    maybe: true,
    target: { ...now, ...one },
  }));
  return complete ? found : [...found, anything];
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
    const shown = asShown(target).map((each): ActionPlan =>
      one.target ? { ...one, target: each } : shownAt(one, each),
    );
    const all = [...shown, ...[...triggeredBy(verb, target), ...chosenIn(request, target), ...hit].map(at)];
    const pressed = one === plan && PRESSING.has(verb) && request.traits.clicksRuledAs !== undefined;
    const same = all.flatMap((each): End[] => [
      { request, plan: each },
      ...(pressed ? [{ request: asClick(request), plan: each, clicks: true as const }] : []),
    ]);
    if (!isClick(verb, target)) return same;
    // A click has the effect of a click, whatever the request calls it.
    const clicks = { ...request, args: { ...request.args, action: 'invoke' } };
    return [...same, ...all.map((each) => ({ request: clicks, plan: each }))];
  });
}

const shownAt = (plan: ActionPlan, target: Target): ActionPlan => ({ ...plan, lands: { target } });

/** They press the target as a click does, so rules about clicks apply; a drag presses where it begins. */
const PRESSING: ReadonlySet<string> = new Set([
  ...['click', 'context_menu', 'drag', 'invoke', 'select', 'toggle', 'check', 'uncheck'],
]);

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
      decision: decide(one.request, factsOf(one), one.effect),
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

/**
 * Policy on elements that came under the pointer during a drag, before the button is released over them: as the end of
 * the drag, and as clicked. The user cannot be asked with the button down.
 */
export function authorizeDrop(
  desktop: CallView,
  request: CallRequest,
  elements: readonly { window?: WindowInfo | undefined; target?: Target }[],
  { x, y }: Point,
  dragged: Target,
): void {
  for (const { window, target } of elements) {
    const what = target
      ? describeElement({ role: roleInText(target.element.role), ...nameOf(target.element) })
      : 'An unknown element';
    const effect = `${what} came to ${x},${y} during the drag`;
    const plan: ActionPlan = {
      verb: 'drag',
      needs: {},
      ...(window && { window }),
      ...(target ? { target } : { lands: {} }),
    };
    for (const as of [request, asClick(request)]) {
      const decision = desktop.authorizer.decideOrRefuse(as, targetFacts(plan), effect);
      // A profile asks about every act, and the user has allowed this one; rows make room during a drag.
      const isPlace = target && !INTERACTIVE_ROLES.has(target.element.role) && decision.tier === 'built-in';
      if (decision.answer !== 'ask' || isPlace || coveringGrant(desktop, { request, plan, decision })) continue;
      throw new FinalActError(
        'target_changed',
        `${effect} and needs the user's approval (rule ${decision.rule}); the drag was cancelled.`,
        {
          retry: 'no',
          hint: `Run ui_snapshot ${dragged.window.ref} to see what the press on ${dragged.element.ref} did.`,
        },
      );
    }
  }
}

const nameOf = ({ name }: Element): { name?: string } => (name ? { name } : {});
