import { narrowest, strictness, type Answer, type Scope } from './answer.js';
import type { Tier } from './question.js';

/** One answer that may come, and who gives it. */
export interface Outcome {
  answer: Answer;
  rule: string;
  tier: Tier;
  reason?: string;
  hint?: string;
  /** The widest yes; of asks that meet, the narrowest counts. */
  scope?: Scope;
  enables?: true;
}

/** What a part of the policy may say; undefined among them: it may say nothing. */
export type Outcomes = readonly (Outcome | undefined)[];

/** The strictest of those that say something; among equals the first, with the narrowest scope of them. */
export function strictest(voices: Outcomes): Outcome | undefined {
  const said = voices.filter((voice) => voice !== undefined);
  const most = Math.max(...said.map(({ answer }) => strictness(answer)));
  const equal = said.filter(({ answer }) => strictness(answer) === most);
  const first = equal[0];
  if (!first || first.answer !== 'ask' || first.enables) return first;
  const scopes = equal.flatMap(({ scope }) => scope ?? []);
  return scopes.length === 0 ? first : { ...first, scope: narrowest(scopes) };
}

/** All that can come of several sets when the strictest voice counts. */
export function combine(...sets: readonly Outcomes[]): Outcomes {
  return sets.reduce((before, set) => distinct(before.flatMap((one) => set.map((other) => strictest([one, other])))));
}

/** One of each answer is enough to know what may come; of asks it is the first, with the narrowest scope of them. */
export function distinct(outcomes: Outcomes): Outcomes {
  if (outcomes.length === 1) return outcomes;
  const seen = new Map<string | undefined, Outcome | undefined>();
  for (const outcome of outcomes) {
    seen.set(outcome?.answer, strictest([seen.get(outcome?.answer), outcome]));
  }
  return [...seen.values()];
}
