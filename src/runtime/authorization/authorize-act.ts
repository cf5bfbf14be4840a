import { narrowest, strictness } from '../../policy/index.js';
import type { Deadline } from '../../shared/index.js';
import type { Snapshot } from '../../tree/index.js';
import type { ActionPlan, HitTestResult } from '../act/action.js';
import { coveredBy, grantable } from '../approval/ask-user.js';
import type { Desktop } from '../desktop/desktop.js';
import type { Target } from '../locate/target.js';
import { lookAtWindows } from '../observe/snapshot.js';
import type { Decided } from './authorizer.js';
import { type Asked, factsOf } from './policy-request.js';
import { chosenIn, opensOnly, pressedWith, takesFocus } from './triggered-controls.js';

/** What was decided of an act, and of which of its ends a person has to be asked. */
export interface Ruling {
  decided: Decided;
  /** All that was judged. */
  aims: ActionPlan[];
  asks: { asked: Asked; aim: ActionPlan; decided: Decided }[];
}

interface End {
  asked: Asked;
  aim: ActionPlan;
}

/** A drag does something to both ends; everything else has one. Each is also what is pressed or chosen with it. */
function endsOf(asked: Asked, aim: ActionPlan): End[] {
  const { verb, needs, onto, end } = aim;
  const at = (target: Target): ActionPlan => ({ verb, needs, target, window: target.window });
  const ends = [aim, ...(onto ? [at(onto)] : end ? [{ verb, needs, window: end.window, lands: end.lands }] : [])];
  return ends.flatMap((one) => {
    const target = one.target ?? (one.at || one !== aim ? one.lands?.target : undefined);
    if (!target) return [{ asked, aim: one }];
    const met = one === aim ? (asked.meets ?? []) : [];
    const all = [one, ...[...pressedWith(verb, target), ...chosenIn(asked, target), ...met].map(at)];
    const same = all.map((each) => ({ asked, aim: each }));
    if (!isClick(verb, target)) return same;
    // It does what it does, whatever it is meant for.
    const clicks = { ...asked, args: { ...asked.args, action: 'invoke' } };
    return [...same, ...all.map((each) => ({ asked: clicks, aim: each }))];
  });
}

/** Words that are milder than the click that they come to. */
function isClick(verb: string, target: Target): boolean {
  if (verb === 'focus') return !takesFocus(target.element);
  return (verb === 'expand' || verb === 'collapse') && !opensOnly(target);
}

/** The strictest answer counts. Where several are asked about, so does the higher risk and the narrower yes. */
export function ruleEnds(
  desktop: Desktop,
  asked: Asked,
  aim: ActionPlan,
  decide: (asked: Asked, facts: ReturnType<typeof factsOf>) => Decided,
): Ruling {
  const ruled = endsOf(asked, aim).map((one) => ({ ...one, decided: decide(one.asked, factsOf(one.aim)) }));
  const weight = ({ decided }: (typeof ruled)[number]): number[] => [
    strictness(decided.answer),
    decided.enables ? 1 : 0,
    decided.risk?.score.most ?? 0,
  ];
  const [worst] = ruled.toSorted((a, b) => firstDifference(weight(b), weight(a)));
  const asks = ruled.filter(({ decided }) => decided.answer === 'ask');
  const { decided } = worst!;
  const aims = ruled.map((one) => one.aim);
  if (decided.answer !== 'ask' || decided.enables) return { decided, asks, aims };
  // A yes for one program is none for the other, and for one that nobody knows none for the next time.
  const programs = new Set(asks.map((one) => grantable(desktop, one).program));
  const single = programs.size === 1 && !programs.has(undefined);
  const scope = single ? narrowest(asks.map((one) => one.decided.scope ?? 'once')) : 'once';
  return { decided: { ...decided, scope }, asks, aims };
}

const firstDifference = (a: number[], b: number[]): number =>
  a.map((one, at) => one - b[at]!).find((difference) => difference !== 0) ?? 0;

/** What people have allowed already, when it covers every end that is asked about. */
export function coveredEnds(desktop: Desktop, { decided, asks }: Ruling) {
  if (decided.enables || decided.answer !== 'ask') return undefined;
  const grants = asks.map((one) => coveredBy(desktop, one));
  return grants.every((grant) => grant !== undefined) ? grants[0] : undefined;
}

/**
 * A ref is known with the way to it as somebody saw it last; where it hangs now only its window tells. `seen`: a look
 * that was made just now.
 */
export async function withPathsNow(
  desktop: Desktop,
  aim: ActionPlan,
  deadline: Deadline,
  seen?: Pick<Snapshot, 'windows' | 'roots'>,
): Promise<ActionPlan> {
  const { target, onto, lands, end } = aim;
  const targets = [target, onto, lands?.target, end?.lands?.target].filter((one) => one !== undefined);
  const windows = new Map(targets.map(({ window }) => [window.id, window]));
  for (const { id } of seen?.windows ?? []) windows.delete(id);
  const looks = [...(seen ? [seen] : [])];
  if (windows.size > 0) looks.push(await lookAtWindows(desktop, [...windows.values()], { deadline }));
  const now = (one: Target): Target => {
    const way = desktop.shelf.pathOf(one.element.ref);
    const fresh = way && looks.some(({ roots }) => roots.includes(way[0]!));
    // What a selector found was read on the way to it, also where a look does not go.
    if (!way || (one.how === 'name' && !fresh)) return one;
    return { ...one, element: { ...one.element, children: way.at(-1)!.children }, path: way.slice(0, -1) };
  };
  const landing = ({ target: there }: NonNullable<HitTestResult['lands']>): HitTestResult['lands'] =>
    there ? { target: now(there) } : {};
  return {
    ...aim,
    ...(target && { target: now(target) }),
    ...(onto && { onto: now(onto) }),
    ...(lands && { lands: landing(lands) }),
    ...(end?.lands && { end: { ...end, lands: landing(end.lands) } }),
  };
}
