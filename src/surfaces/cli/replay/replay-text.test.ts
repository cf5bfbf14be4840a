import { expect, it } from 'vitest';
import { DesktopError } from '../../../shared/index.js';
import type { PlannedStep, ReplayedStep } from '../../../replay/index.js';
import type { Paint } from '../terminal.js';
import { interruptedLine, plannedLine, replayedLines, waitingLine } from './replay-text.js';

const again = (number: number): ReplayedStep['step'] => ({
  ...{ number, tool: 'ui_click', description: 'Click', then: { status: 'ok' } },
  ...{ do: 'again', args: {}, notes: [] },
});
const PLAN: PlannedStep[] = [again(4), { ...again(5), do: 'leave out', why: 'it was refused' }, again(6), again(7)];
const done = (count: number): ReplayedStep[] =>
  [again(4), again(6), again(7)]
    .slice(0, count)
    .map((step) => ({ step, result: 'same', now: { status: 'ok' }, differences: [], better: [] }));
const cancelled = (delivered: 'no' | 'yes' | 'unknown') => new DesktopError('cancelled', 'Ended.', { delivered });

it.each<[number, unknown, string]>([
  [
    0,
    new Error('aborted'),
    'Interrupted: 0 of 3 steps were done. Step 4 was not done; 2 steps after it were not done.',
  ],
  [1, cancelled('no'), 'Interrupted: 1 of 3 steps was done. Step 6 was not done; 1 step after it was not done.'],
  [2, cancelled('unknown'), 'Interrupted: 2 of 3 steps were done. Step 7 was started and may be partly done.'],
  [2, cancelled('yes'), 'Interrupted: 2 of 3 steps were done. Step 7 was started and may be partly done.'],
  [3, cancelled('no'), 'Interrupted: 3 of 3 steps were done.'],
])('interrupted after %i: %s', (count, failure, line) => {
  expect(interruptedLine(PLAN, done(count), failure)).toBe(line);
});

it.each([
  [100, '   4 waits     1 s: rate limit of the policy reached'],
  [41_200, '   4 waits     42 s: rate limit of the policy reached'],
])('waiting for %i ms: %s', (ms, line) => {
  expect(waitingLine(4, ms)).toBe(line);
});

const coloured: Paint = (_, text) => `\x1b[31m${text}\x1b[39m`;
const plain: Paint = (_, text) => text;

it('prints steps in colour, whether they differ or not', () => {
  const [same, differs] = (['same', 'differs'] as const).map((result) =>
    replayedLines({ ...done(1)[0]!, result }, coloured),
  );
  expect(same![0]).toContain('\x1b[31mok       \x1b[39m click');
  expect(differs![0]).toContain('\x1b[31mdiffers  \x1b[39m click');
});

it('text of an edited log cannot control the terminal or add lines', () => {
  const evil = 'x\x1b]0;owned\x07\u202e\n   9 ok        all is well';
  const tame = 'x]0;owned 9 ok all is well';
  const differences = (['status', 'name'] as const).map((what) => ({ what, then: evil, now: evil }));
  const error = new DesktopError('command_failed', evil);
  const redone: ReplayedStep = { ...done(1)[0]!, better: [{ what: 'status', then: evil, now: 'ok' }], differences };
  const lines = [
    plannedLine({ ...again(4), notes: [evil] }, plain),
    plannedLine({ ...again(4), do: 'cannot', why: evil }, plain),
    ...replayedLines(redone, plain),
    ...replayedLines({ ...redone, result: 'differs' }, plain),
  ];
  expect(lines).toHaveLength(6);
  expect(lines.filter((line) => line.includes(tame))).toHaveLength(5);
  for (const line of [...lines, ...replayedLines({ ...redone, result: 'differs', error }, plain)]) {
    expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/);
  }
});
