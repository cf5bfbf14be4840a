import type { WindowInfo } from '../../tree/index.js';
import type { Candidate } from '../candidate.js';
import type { LookCall } from '../look.js';
import type { SeenElement } from './seen-element.js';

export type Answer = 'satisfied' | 'unsatisfied' | 'unknown';

/** What a condition was judged by; app text in it is data. */
export interface Seen {
  /** The condition's key. */
  condition: string;
  matches?: number;
  /** The match, or the first of several. */
  element?: SeenElement;
  /** Of a state: what it is; null when the element cannot have it. */
  state?: { name: string; is: boolean | 'mixed' | null };
  /** Windows whose title fits. */
  windows?: Pick<WindowInfo, 'ref' | 'role' | 'title'>[];
  /** Of what is gone or closed: whether it was there at all. */
  seenBefore?: boolean;
  /** What differs from the start. */
  differs?: readonly Difference[];
  stableForMs?: number;
  /** Of `all`, `any` and `not`. */
  parts?: { answer: Answer; reason?: string; seen: Seen }[];
}

export type Difference = 'appeared' | 'gone' | 'name' | 'value' | 'states' | 'children';

export interface Judgement {
  answer: Answer;
  seen: Seen;
  /** Why it is not known, or what is in the way: a sentence of ours. */
  reason?: string;
  /** Several where one is needed. */
  candidates?: Candidate[];
  /** It may come true by time alone: look again then. */
  againInMs?: number;
  /** What comes near what is missing. Asked only when nobody waits for it any longer. */
  nearest?: (call: LookCall) => Promise<Candidate[]>;
}

const OPPOSITE: Readonly<Record<Answer, Answer>> = {
  satisfied: 'unsatisfied',
  unsatisfied: 'satisfied',
  unknown: 'unknown',
};

export function opposite(answer: Answer): Answer {
  return OPPOSITE[answer];
}

/** One that does not hold decides; else unknown spreads. */
export function allOf(answers: readonly Answer[]): Answer {
  if (answers.includes('unsatisfied')) return 'unsatisfied';
  return answers.includes('unknown') ? 'unknown' : 'satisfied';
}

/** One that holds decides; else unknown spreads. */
export function anyOf(answers: readonly Answer[]): Answer {
  if (answers.includes('satisfied')) return 'satisfied';
  return answers.includes('unknown') ? 'unknown' : 'unsatisfied';
}

/** Whether an act closed it cannot be told: it was not there before. */
export function notThereBefore(seen: Seen): Judgement {
  return { answer: 'unknown', reason: 'It was not there before the act either.', seen };
}
