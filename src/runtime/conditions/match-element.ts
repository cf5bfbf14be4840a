import type { Match } from '../../selector/index.js';
import { DesktopError } from '../../shared/index.js';
import { renderElementLine, type Role, type States } from '../../tree/index.js';
import { type Candidate, foundCandidate } from '../observe/candidate.js';
import { findElements } from '../locate/elements.js';
import { ambiguous, nearestOf } from '../locate/resolve-selector.js';
import type { SnapshotCall } from '../observe/snapshot.js';
import type { ConditionResult, ConditionSource } from './condition.js';
import { incompleteReason, type SearchResult, type PollContext } from './evaluate.js';

/**
 * For conditions on one element: `then` decides if there is exactly one match. Without a match the condition is
 * unsatisfied. Several matches are refused with candidates, since any of them could be meant.
 */
export async function evaluateOne(
  condition: string,
  written: ConditionSource,
  moment: PollContext,
  then: (match: Match, result: SearchResult) => ConditionResult | Promise<ConditionResult>,
  options: { full?: boolean } = {},
): Promise<ConditionResult> {
  const result = await moment.search(written.selector, options);
  const [match, ...others] = result.matches;
  if (others.length > 0) throw ambiguous(written, result);
  if (match) {
    const { seen, ...rest } = await then(match, result);
    return { ...rest, seen: { ...seen, matches: 1, element: seenElement(match) } };
  }
  return noMatch(condition, written, result, moment);
}

export function noMatch(
  condition: string,
  written: ConditionSource,
  result: SearchResult,
  moment: PollContext,
): ConditionResult {
  const seen = { condition, matches: 0 };
  const doubt = incompleteReason(result);
  if (doubt !== undefined) return { answer: 'unknown', reason: doubt, seen };
  const reason = result.absent !== undefined && { reason: result.absent };
  return { answer: 'unsatisfied', seen, ...reason, nearest: nearestTo(written, result, moment) };
}

const MOST = 5;

/** Similar elements for a miss. First the matches that are not visible: conditions consider only visible elements. */
export function nearestTo(
  { selector }: ConditionSource,
  result: SearchResult,
  { desktop, within }: PollContext,
): (call: SnapshotCall) => Promise<Candidate[]> {
  return async (call) => {
    try {
      const { matches } = await findElements(desktop, selector, { within }, call);
      if (matches.length > 0) {
        return matches.slice(0, MOST).map((match) => ({ ...foundCandidate(match), note: 'not on the screen' }));
      }
      return await nearestOf(desktop, selector, result, call);
    } catch (error) {
      // The answer is already known and does not depend on the candidates.
      if (error instanceof DesktopError) return [];
      throw error;
    }
  };
}

/** An element as a condition saw it, without its children. */
export interface SeenElement {
  ref: string;
  role: Role;
  name?: string;
  value?: string | number;
  states: States;
  window: string;
  /** As in the text of a snapshot: app text in quotes. */
  line: string;
}

export function seenElement({ element, window }: Pick<Match, 'element' | 'window'>): SeenElement {
  const { ref, role, name, value, states } = element;
  return {
    ref,
    role,
    ...(name !== undefined && { name }),
    ...(value !== undefined && { value }),
    states,
    window: window.ref,
    line: renderElementLine(element),
  };
}
