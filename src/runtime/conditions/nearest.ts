import { DesktopError } from '../../shared/index.js';
import { foundCandidate, type Candidate } from '../candidate.js';
import { findElements } from '../find-elements.js';
import type { LookCall } from '../look.js';
import { nearestOf } from '../selector-target.js';
import type { Written } from './condition.js';
import type { Looked, Moment } from './moment.js';

const MOST = 5;

/** What comes near a miss. First what fits and only does not show; conditions are about what shows. */
export function nearestTo(
  { selector }: Written,
  looked: Looked,
  { desktop, within }: Moment,
): (call: LookCall) => Promise<Candidate[]> {
  return async (call) => {
    try {
      const { matches } = await findElements(desktop, selector, { within }, call);
      if (matches.length > 0) {
        return matches.slice(0, MOST).map((match) => ({ ...foundCandidate(match), note: 'not on the screen' }));
      }
      return await nearestOf(desktop, selector, looked, call);
    } catch (error) {
      // The true answer is known already; without candidates it is as true.
      if (error instanceof DesktopError) return [];
      throw error;
    }
  };
}
