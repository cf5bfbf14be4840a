import type { Decision, Policy, Question } from './question.js';

/**
 * The rules for as long as nobody can write others: on a private desktop everything is allowed; a person's own screen is
 * only looked at, by its structure and not by its pixels.
 */
export const WHOSE_DESKTOP: Policy = {
  decide({ desktop, class: kind }: Question): Decision {
    if (desktop === 'virtual') return { answer: 'allow', rule: 'private/all' };
    if (kind === 'read') return { answer: 'allow', rule: 'seat/look' };
    return {
      answer: 'deny',
      rule: `seat/${kind}`,
      reason: `this is a person's own screen: there ${kind === 'capture' ? 'no pictures are taken' : 'nothing is operated'} yet`,
      hint: 'work on a private desktop: deskwright desktop start, then --desktop NAME.',
    };
  },
};
