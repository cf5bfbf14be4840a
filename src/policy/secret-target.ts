import type { Facts } from './facts.js';
import type { Secret } from './policy-file.js';
import { compileWhen } from './rules.js';

const NO_RISK = { levels: [], score: { least: 0, most: 0 }, parts: [] };

/**
 * Whether a secret may be typed there: all that `into` names fits, as in a rule that allows. What an app claims to be
 * is not enough, and what is not known yet is no yes.
 */
export function secretFits({ into }: Secret, facts: Facts): boolean {
  return compileWhen(into)({ facts, risk: NO_RISK }, 'allow') === 'yes';
}
