import type { Looked } from './moment.js';

/**
 * Why something could be there although it was not found, if it could. What was seen in some windows before can be
 * hidden only in those.
 */
export function doubtOf({ doubts }: Looked, seenIn: ReadonlySet<string> = new Set()): string | undefined {
  const relevant = seenIn.size === 0 ? doubts : doubts.filter(({ window }) => seenIn.has(window));
  if (relevant.length === 0) return undefined;
  return `Not everything could be read: ${relevant.map(({ reason }) => reason).join('; ')}.`;
}
