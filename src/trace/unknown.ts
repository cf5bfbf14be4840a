import type { ReadLine } from '../audit/index.js';
import { isDeed, type Step } from './trace.js';

interface Gaps {
  unread: readonly ReadLine[];
  orphans: readonly number[];
  leftOut: number;
}

const MOST_NAMED = 8;

const named = (numbers: readonly (number | string)[]): string =>
  [
    ...numbers.slice(0, MOST_NAMED),
    ...(numbers.length > MOST_NAMED ? [`${numbers.length - MOST_NAMED} more`] : []),
  ].join(', ');

/** What the log does not tell: said, so that nobody takes silence for "nothing happened". */
export function unknownOf(steps: readonly Step[], { unread, orphans, leftOut }: Gaps): string[] {
  const deeds = steps.filter(isDeed);
  const open = deeds.filter(({ kind, outcome }) => kind === 'act' && !outcome).map(({ number }) => number);
  const unanswered = deeds.filter(({ question }) => question && !question.answer).map(({ number }) => number);
  const unsigned = steps.filter((step) => step.unsigned).map(({ number }) => number);
  const said: string[] = [];
  if (leftOut > 0) said.push(`${leftOut} other steps of the log are not shown here.`);
  if (unsigned.length > 0)
    said.push(`Nobody signed step ${named(unsigned)}: it was written right before a crash, or by somebody else.`);
  if (open.length > 0) said.push(`No outcome was written for step ${named(open)}: it may have been done or not.`);
  if (unanswered.length > 0) said.push(`The question of step ${named(unanswered)} was still open where the log ends.`);
  if (orphans.length > 0)
    said.push(`The log has outcomes of acts that are not in this part of it: record ${named(orphans)}.`);
  if (unread.length > 0) {
    const places = unread.map(({ segment, line }) => `line ${line} of segment ${segment}`);
    said.push(`${unread.length === 1 ? 'One line' : `${unread.length} lines`} could not be read: ${named(places)}.`);
  }
  return said;
}
