import { expect, it } from 'vitest';
import type { HostClient } from '../../../host/index.js';
import { DesktopError } from '../../../shared/index.js';
import { makeContext } from '../context.js';
import { doAgain, type Redone } from './replay-step.js';

const STEP: Redone['step'] = {
  ...{ number: 4, tool: 'ui_click', words: 'Click', then: { status: 'ok' } },
  ...{ do: 'again', args: { target: 'button:1' }, notes: [] },
};

/** A host that finds the first so many calls too fast. */
function hostOf(tooFast: number, retryAfterMs: number): HostClient {
  let calls = 0;
  const request = async (): Promise<unknown> => {
    calls += 1;
    if (calls <= tooFast) throw new DesktopError('rate_limited', 'Too fast.', { details: { retryAfterMs } });
    return { json: { status: 'ok' } };
  };
  return { request } as unknown as HostClient;
}

it('says each time that it waits for the policy', async () => {
  const waits: number[] = [];
  const context = makeContext(new AbortController().signal, {});
  const redone = await doAgain(context, hostOf(2, 5), STEP, { caller: 'replay:a', waits: (ms) => void waits.push(ms) });
  expect([redone.result, waits]).toEqual(['same', [5, 5]]);
});

it('ends while it waits, and nothing was done', async () => {
  const stop = new AbortController();
  const context = makeContext(stop.signal, {});
  const redoing = { caller: 'replay:a', waits: () => stop.abort() };
  await expect(doAgain(context, hostOf(9, 59_000), STEP, redoing)).rejects.toMatchObject({ name: 'AbortError' });
});
