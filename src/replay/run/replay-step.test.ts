import { describe, expect, it } from 'vitest';
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

describe('keys without a target', () => {
  const field = { role: 'textbox', name: 'Note', window: 'Editor' };
  const step: ReplayStep = {
    ...{ number: 4, tool: 'ui_key', description: 'Press', then: { status: 'ok', target: field } },
    ...{ do: 'again', args: { keys: 'ctrl+a' }, notes: [] },
  };
  /** The result of keys names only their window. */
  const replayed = async (focused: { role: string; name: string }): Promise<[string, string[]]> => {
    const called: string[] = [];
    const call: CallTool = async (tool, args) => {
      called.push(tool);
      if (tool === 'ui_key') return { json: { status: 'ok', window: 'w1' } };
      expect(args).toMatchObject({ target: 'focused' });
      return { json: { element: focused, window: { ref: 'w1', title: 'Editor' } } };
    };
    const { result } = await replayStep(step, { call, signal: new AbortController().signal, onWait: () => undefined });
    return [result, called];
  };

  it('are the same if the same element has the focus', async () => {
    expect(await replayed(field)).toEqual(['same', ['ui_describe', 'ui_key']]);
  });

  it('are not pressed while another element has the focus', async () => {
    const [result, called] = await replayed({ role: 'button', name: 'Delete' });
    expect([result, called.includes('ui_key')]).toEqual(['differs', false]);
  });
});
