import { expect, it } from 'vitest';
import { DesktopError } from '../../shared/index.js';
import { type CallTool, type ReplayStep, replayStep } from './replay-step.js';

const STEP: ReplayStep = {
  ...{ number: 4, tool: 'ui_click', description: 'Click', then: { status: 'ok' } },
  ...{ do: 'again', args: { target: 'button:1' }, notes: [] },
};

/** Refuses the first calls with a rate limit. */
function rateLimited(refusals: number, retryAfterMs: number): CallTool {
  let calls = 0;
  return async () => {
    calls += 1;
    if (calls <= refusals) throw new DesktopError('rate_limited', 'Too fast.', { details: { retryAfterMs } });
    return { json: { status: 'ok' } };
  };
}

it('reports each wait for the rate limit', async () => {
  const waits: number[] = [];
  const { signal } = new AbortController();
  const replayed = await replayStep(STEP, { call: rateLimited(2, 5), signal, onWait: (ms) => void waits.push(ms) });
  expect([replayed.result, waits]).toEqual(['same', [5, 5]]);
});

it('can be aborted while it waits, without performing the step', async () => {
  const stop = new AbortController();
  const run = { call: rateLimited(9, 59_000), signal: stop.signal, onWait: () => stop.abort() };
  await expect(replayStep(STEP, run)).rejects.toMatchObject({ name: 'AbortError' });
});
