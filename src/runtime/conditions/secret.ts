import type { Element } from '../../tree/index.js';
import type { Judgement } from './judgement.js';

/** What is never read is neither this nor that, neither changed nor unchanged. */
export function secretAnswer(condition: string, { ref }: Element): Judgement {
  return {
    answer: 'unknown',
    reason: `${ref} is a secret field: its value is never read.`,
    seen: { condition },
  };
}
