// @module-tag safety
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Deadline, DesktopError } from '../../shared/index.js';
import { ActCheckpoints, type CheckpointGate, type ActStep, type Checkpoint } from './act-checkpoints.js';

const soon = (): Deadline => Deadline.in(10_000);

function checkpointOf(step: ActStep<unknown>): Checkpoint {
  if ('checkpoint' in step) return step.checkpoint;
  throw new Error('the act is done');
}

/** An act that presses, may be released elsewhere, and writes down what it sent. */
function click(checkpoints: ActCheckpoints, deadline: Deadline, sent: string[]): Promise<ActStep<string>> {
  return checkpoints.run({ checkpoints: ['ready', 'pressed'], deadline }, 'The click', async (gate) => {
    await gate.pass('ready');
    sent.push('down');
    try {
      const away = await gate.pressed();
      sent.push(away ? `to ${away.x},${away.y}` : 'up');
    } catch (error) {
      sent.push('released');
      throw error;
    }
    return 'clicked';
  });
}

describe('an act with checkpoints', () => {
  it('pauses at each checkpoint that is wanted and ends with its result', async () => {
    const checkpoints = new ActCheckpoints();
    const sent: string[] = [];
    const ready = checkpointOf(await click(checkpoints, soon(), sent));
    expect(ready).toEqual({ token: expect.any(String) as string, at: 'ready' });
    expect(sent).toEqual([]);
    const pressed = checkpointOf(await checkpoints.resume(ready.token, 'proceed', { deadline: soon() }));
    expect(pressed.at).toBe('pressed');
    expect(pressed.token).not.toBe(ready.token);
    expect(sent).toEqual(['down']);
    const decision = { releaseAt: { x: 3, y: 4 } };
    expect(await checkpoints.resume(pressed.token, decision, { deadline: soon() })).toEqual({ done: 'clicked' });
    expect(sent).toEqual(['down', 'to 3,4']);
  });

  it('passes the checkpoints that are not wanted, and runs at once without any', async () => {
    const checkpoints = new ActCheckpoints();
    const seen: unknown[] = [];
    const work = async (gate: CheckpointGate): Promise<number> => {
      await gate.pass('ready');
      seen.push(gate.wants('drop'), gate.wants('pressed'), await gate.pressed());
      return 1;
    };
    expect(await checkpoints.run({ deadline: soon() }, 'The act', work)).toEqual({ done: 1 });
    expect(await checkpoints.run({ checkpoints: ['drop'], deadline: soon() }, 'The act', work)).toEqual({ done: 1 });
    expect(seen).toEqual([false, false, undefined, true, false, undefined]);
  });

  it('reaches a checkpoint before its first wait', async () => {
    const checkpoints = new ActCheckpoints();
    const step = await checkpoints.run({ checkpoints: ['chunk'], deadline: soon() }, 'Typing', (gate) =>
      gate.pass('chunk').then(() => 'typed'),
    );
    const { token } = checkpointOf(step);
    expect(await checkpoints.resume(token, 'proceed', { deadline: soon() })).toEqual({ done: 'typed' });
  });

  it.each([
    ['ready', 'stop', []],
    ['ready', { releaseAt: { x: 1, y: 1 } }, []],
    ['pressed', 'stop', ['down', 'released']],
  ] as const)('is ended at %s by the decision %j and sends nothing more', async (at, decision, expected) => {
    const checkpoints = new ActCheckpoints();
    const sent: string[] = [];
    let { token } = checkpointOf(await click(checkpoints, soon(), sent));
    if (at === 'pressed') token = checkpointOf(await checkpoints.resume(token, 'proceed', { deadline: soon() })).token;
    await expect(checkpoints.resume(token, decision, { deadline: soon() })).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(sent).toEqual(expected);
  });

  it('throws its own error from the resume that led to it', async () => {
    const checkpoints = new ActCheckpoints();
    const step = await checkpoints.run({ checkpoints: ['ready'], deadline: soon() }, 'The act', async (gate) => {
      await gate.pass('ready');
      throw new DesktopError('app_hung', 'No answer.', { delivered: 'unknown' });
    });
    const resumed = checkpoints.resume(checkpointOf(step).token, 'proceed', { deadline: soon() });
    await expect(resumed).rejects.toMatchObject({ code: 'app_hung', delivered: 'unknown' });
  });
});

describe('an abandoned checkpoint', () => {
  const paused = async (deadline: Deadline) => {
    const checkpoints = new ActCheckpoints();
    const sent: string[] = [];
    const { token } = checkpointOf(await click(checkpoints, deadline, sent));
    const pressed = checkpointOf(await checkpoints.resume(token, 'proceed', { deadline }));
    return { checkpoints, sent, token: pressed.token };
  };

  it('ends its act when the deadline is over, and a late resume gets the error', async () => {
    const { checkpoints, sent, token } = await paused(Deadline.in(30));
    await expect.poll(() => sent).toEqual(['down', 'released']);
    const late = checkpoints.resume(token, 'proceed', { deadline: soon() });
    await expect(late).rejects.toMatchObject({ code: 'timeout', message: 'The click did not finish in time.' });
    expect(sent).toEqual(['down', 'released']);
  });

  it('ends its act when the call is cancelled', async () => {
    const caller = new AbortController();
    const { checkpoints, sent, token } = await paused(Deadline.in(10_000, caller.signal));
    caller.abort();
    await turn();
    expect(sent).toEqual(['down', 'released']);
    const late = checkpoints.resume(token, 'proceed', { deadline: soon() });
    await expect(late).rejects.toMatchObject({ code: 'cancelled', message: 'The click was cancelled.' });
  });

  it.each(['close', 'abandon'] as const)('ends its act on %s', async (how) => {
    const { checkpoints, sent, token } = await paused(soon());
    checkpoints[how]();
    await turn();
    expect(sent).toEqual(['down', 'released']);
    await expect(checkpoints.resume(token, 'proceed', { deadline: soon() })).rejects.toMatchObject({
      code: 'cancelled',
    });
    const next = click(checkpoints, soon(), sent);
    if (how === 'close') await expect(next).rejects.toMatchObject({ code: 'driver_unavailable' });
    else expect(checkpointOf(await next).at).toBe('ready');
  });

  it('ends its act when the resuming call is cancelled before the next step', async () => {
    const checkpoints = new ActCheckpoints();
    let ended = false;
    const step = await checkpoints.run({ checkpoints: ['ready'], deadline: soon() }, 'The act', async (gate, end) => {
      await gate.pass('ready');
      await end.race(new Promise(() => undefined), 'The act').finally(() => (ended = true));
    });
    const caller = new AbortController();
    const { token } = checkpointOf(step);
    const resumed = checkpoints.resume(token, 'proceed', { deadline: Deadline.in(10_000, caller.signal) });
    resumed.catch(() => undefined); // Awaited below.
    await turn();
    caller.abort();
    await expect(resumed).rejects.toMatchObject({ code: 'cancelled' });
    expect(ended).toBe(true);
  });

  it('does not pause an act whose time is over', async () => {
    const checkpoints = new ActCheckpoints();
    await expect(click(checkpoints, Deadline.in(0), [])).rejects.toMatchObject({ code: 'timeout' });
  });
});

it('a token is valid once', async () => {
  const checkpoints = new ActCheckpoints();
  const sent: string[] = [];
  const { token } = checkpointOf(await click(checkpoints, soon(), sent));
  await checkpoints.resume(token, 'proceed', { deadline: soon() });
  for (const unknown of [token, 'act-99']) {
    const again = checkpoints.resume(unknown, 'proceed', { deadline: soon() });
    await expect(again).rejects.toMatchObject({ code: 'cancelled', delivered: 'unknown', retry: 'no' });
  }
  expect(sent).toEqual(['down']);
});
