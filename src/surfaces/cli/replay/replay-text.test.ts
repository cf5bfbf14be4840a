import { expect, it } from 'vitest';
import { DesktopError } from '../../../shared/index.js';
import type { PlannedStep } from '../../../trace/index.js';
import type { Redone } from './do-again.js';
import { endedLine, waitingLine } from './replay-text.js';

const again = (number: number): Redone['step'] => ({
  ...{ number, tool: 'ui_click', words: 'Click', then: { status: 'ok' } },
  ...{ do: 'again', args: {}, notes: [] },
});
const PLAN: PlannedStep[] = [again(4), { ...again(5), do: 'leave out', why: 'it was refused' }, again(6), again(7)];
const done = (count: number): Redone[] =>
  [again(4), again(6), again(7)]
    .slice(0, count)
    .map((step) => ({ step, result: 'same', now: { status: 'ok' }, differences: [], better: [] }));
const cancelled = (delivered: 'no' | 'yes' | 'unknown') => new DesktopError('cancelled', 'Ended.', { delivered });

it.each<[number, unknown, string]>([
  [0, new Error('aborted'), 'Ended by you: 0 of 3 steps were done. Step 4 was not done, 2 steps after it not at all.'],
  [1, cancelled('no'), 'Ended by you: 1 of 3 steps was done. Step 6 was not done, 1 step after it not at all.'],
  [2, cancelled('unknown'), 'Ended by you: 2 of 3 steps were done. Step 7 was begun and may be done in part.'],
  [2, cancelled('yes'), 'Ended by you: 2 of 3 steps were done. Step 7 was begun and may be done in part.'],
  [3, cancelled('no'), 'Ended by you: 3 of 3 steps were done.'],
])('ended after %i: %s', (count, failure, line) => {
  expect(endedLine(PLAN, done(count), failure)).toBe(line);
});

it.each([
  [100, '   4 waits     1 s: the policy allows no more acts in this minute'],
  [41_200, '   4 waits     42 s: the policy allows no more acts in this minute'],
])('waiting for %i ms: %s', (ms, line) => {
  expect(waitingLine(4, ms)).toBe(line);
});
