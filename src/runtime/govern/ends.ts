import { narrowest, strictness } from '../../policy/index.js';
import type { Aim } from '../act/aim.js';
import type { Desktop } from '../desktop.js';
import { grantable } from './ask-and-grant.js';
import type { Asked } from './asked.js';
import type { Decided } from './governor.js';
import { factsOf } from './target-facts.js';

/** What was decided of an act, and of which of its ends a person has to be asked. */
export interface Ruling {
  decided: Decided;
  asks: { aim: Aim; decided: Decided }[];
}

/** A drag does something to both ends; everything else has one. */
function endsOf(aim: Aim): Aim[] {
  const { verb, needs, onto, end } = aim;
  if (onto) return [aim, { verb, needs, target: onto, window: onto.window }];
  return end ? [aim, { verb, needs, window: end.window, lands: end.lands }] : [aim];
}

/** The strictest answer counts. Where both ends are asked about, so does the higher risk and the narrower yes. */
export function ruleEnds(
  desktop: Desktop,
  asked: Asked,
  aim: Aim,
  decide: (facts: ReturnType<typeof factsOf>) => Decided,
): Ruling {
  const ruled = endsOf(aim).map((one) => ({ aim: one, decided: decide(factsOf(one)) }));
  const weight = ({ decided }: (typeof ruled)[number]): number[] => [
    strictness(decided.answer),
    decided.enables ? 1 : 0,
    decided.risk?.score.most ?? 0,
  ];
  const [worst] = ruled.toSorted((a, b) => firstDifference(weight(b), weight(a)));
  const asks = ruled.filter(({ decided }) => decided.answer === 'ask');
  const { decided } = worst!;
  if (asks.length < 2 || decided.answer !== 'ask' || decided.enables) return { decided, asks };
  // A yes for one program is none for the other.
  const programs = new Set(asks.map((one) => grantable(desktop, { asked, ...one }).program));
  const scope = programs.size > 1 ? 'once' : narrowest(asks.map((one) => one.decided.scope ?? 'once'));
  return { decided: { ...decided, scope }, asks };
}

const firstDifference = (a: number[], b: number[]): number =>
  a.map((one, at) => one - b[at]!).find((difference) => difference !== 0) ?? 0;

/** What people have allowed already, when it covers every end that is asked about. */
export function coveredEnds(desktop: Desktop, asked: Asked, { decided, asks }: Ruling) {
  if (decided.enables || decided.answer !== 'ask') return undefined;
  const grants = asks.map((one) => desktop.governor.grants.covers(grantable(desktop, { asked, ...one })));
  return grants.every((grant) => grant !== undefined) ? grants[0] : undefined;
}
