import { describe, expect, it } from 'vitest';
import { DesktopError } from '../../shared/index.js';
import type { PlannedStep } from '../plan.js';
import { checkReplay, replayPlan, replayResult, stepReport } from './replay-plan.js';
import type { CallTool } from './replay-step.js';

const step = (number: number): PlannedStep => ({
  ...{ number, tool: 'ui_click', description: 'Click', then: { status: 'ok' } },
  ...{ do: 'again', args: { target: `button:${number}` }, notes: [] },
});
const gap = (number: number): PlannedStep => ({
  ...{ number, tool: 'ui_type', description: 'Type', then: {}, do: 'cannot', why: 'its text is truncated in the log' },
});
const VERIFIED = { verification: { ok: true, verdict: 'ok' } };

describe('checkReplay', () => {
  it.each<[string, PlannedStep[], Parameters<typeof checkReplay>[1], string | undefined]>([
    ['a verified plan', [step(1)], VERIFIED, undefined],
    ['an empty plan', [], VERIFIED, 'This part of the log contains no act to replay.'],
    [
      'a plan of gaps only',
      [gap(1)],
      { ...VERIFIED, allowGaps: true },
      'This part of the log contains no act to replay.',
    ],
    [
      'a log that does not verify',
      [step(1)],
      { verification: { ok: false, verdict: 'line 3' } },
      'Nothing was done: the log does not verify (line 3).',
    ],
    [
      'one that is allowed anyway',
      [step(1)],
      { verification: { ok: false, verdict: 'x' }, allowUnverified: true },
      undefined,
    ],
    [
      'a plan with gaps',
      [step(1), gap(2), gap(3)],
      VERIFIED,
      'Nothing was done: step 2 (and 1 more) cannot be repeated: its text is truncated in the log.',
    ],
    ['gaps that are allowed', [step(1), gap(2)], { ...VERIFIED, allowGaps: true }, undefined],
  ])('%s', (_, plan, checks, message) => {
    const check = (): void => checkReplay(plan, checks);
    if (message === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code: 'bad_arguments', message }));
  });
});

describe('replayPlan', () => {
  const { signal } = new AbortController();
  const answers =
    (...codes: ('ok' | 'failed' | 'denied')[]): CallTool =>
    async () => {
      const code = codes.shift();
      if (code === 'denied') throw new DesktopError('policy_denied', 'No.');
      return { json: { status: code } };
    };
  const numbers = (list: readonly { step: { number: number } }[]): number[] => list.map((one) => one.step.number);

  it('stops at the first step that differs', async () => {
    const done = await replayPlan([step(1), step(2), step(3)], { call: answers('ok', 'failed', 'ok'), signal });
    expect([numbers(done), replayResult(done).result]).toEqual([[1, 2], 'differs']);
  });

  it('continues after a difference with keepGoing, but not after a refusal', async () => {
    const plan = [step(1), gap(2), step(3), step(4)];
    const skipped: number[] = [];
    const done = await replayPlan(plan, {
      call: answers('failed', 'denied', 'ok'),
      ...{ signal, keepGoing: true, onSkipped: ({ number }) => void skipped.push(number) },
    });
    expect([numbers(done), skipped, replayResult(done)]).toMatchObject([[1, 3], [2], { result: 'refused' }]);
    expect(plan.map((one) => stepReport(one, done).result)).toEqual(['differs', 'cannot', 'refused', 'not done']);
  });
});
