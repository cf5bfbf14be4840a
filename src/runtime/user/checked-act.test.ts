// @module-tag safety
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ActCheckpoints, type CheckpointName } from '../../drivers/contract/index.js';
import { Deadline, DesktopError } from '../../shared/index.js';
import { FinalActError } from '../request/act-errors.js';
import { type ActChecks, checkpointsOf, runChecked } from './checked-act.js';

/** Sends a line per step and waits for `preparing` first. */
function device(sent: string[], preparing: Promise<void> = Promise.resolve()) {
  const driver = new ActCheckpoints();
  const begin = (checkpoints: readonly CheckpointName[], deadline: Deadline) =>
    driver.run({ checkpoints, deadline }, 'The act', async (gate) => {
      await preparing;
      await gate.pass('ready');
      for (const chunk of [1, 2]) {
        await gate.pass('chunk').catch((error: unknown) => {
          throw (error as DesktopError).with({ ...(chunk > 1 && { delivered: 'yes', details: { typed: 32 } }) });
        });
        sent.push(`chunk ${chunk}`);
      }
      return 'all';
    });
  const run = (checks: ActChecks, deadline = Deadline.in(10_000), early = false) =>
    runChecked(driver, checks, { deadline }, () => begin(checkpointsOf(checks), deadline), { early });
  return { driver, run };
}

/** A check that ends when the test says so. */
function controlledCheck() {
  const ends: ((error?: Error) => void)[] = [];
  const check = (): Promise<void> =>
    new Promise((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve())));
  return { ends, check };
}

describe('an act with checks', () => {
  it('runs its check at each checkpoint, before the act continues', async () => {
    const log: string[] = [];
    const note = (what: string) => async (): Promise<void> => void log.push(what);
    expect(await device(log).run({ ready: note('ready'), chunk: note('check') })).toBe('all');
    expect(log).toEqual(['ready', 'check', 'chunk 1', 'check', 'chunk 2']);
  });

  it('sends nothing if the first check throws, and throws exactly its error', async () => {
    const sent: string[] = [];
    const refusal = new FinalActError('target_changed', 'It is another one.');
    const act = device(sent).run({ ready: () => Promise.reject(refusal) });
    await expect(act).rejects.toBe(refusal);
    expect(sent).toEqual([]);
  });

  it('sends nothing more if a later check throws, and says what was delivered', async () => {
    const sent: string[] = [];
    let asked = 0;
    const chunk = async (): Promise<void> => {
      if (++asked === 2)
        throw new DesktopError('target_changed', 'The focus moved.', { hint: 'Run ui_snapshot.', details: { a: 1 } });
    };
    await expect(device(sent).run({ chunk })).rejects.toMatchObject({
      ...{
        code: 'target_changed',
        message: 'The focus moved.',
        hint: 'Run ui_snapshot.',
        delivered: 'yes',
        retry: 'no',
      },
      details: { a: 1, typed: 32 },
    });
    expect(sent).toEqual(['chunk 1']);
  });

  it('passes on an error of ours unchanged', async () => {
    const fault = new TypeError('Ours.');
    await expect(device([]).run({ ready: () => Promise.reject(fault) })).rejects.toBe(fault);
  });

  it.each(['deadline', 'signal'])('ends with its %s while a check runs, in the words of the driver', async (how) => {
    const sent: string[] = [];
    const caller = new AbortController();
    const deadline = how === 'deadline' ? Deadline.in(20) : Deadline.in(10_000, caller.signal);
    const act = device(sent).run({ ready: () => new Promise(() => undefined) }, deadline);
    act.catch(() => undefined); // Awaited below.
    await turn();
    caller.abort();
    const message = how === 'deadline' ? 'The act did not finish in time.' : 'The act was cancelled.';
    await expect(act).rejects.toMatchObject({ message, delivered: 'no' });
    expect(sent).toEqual([]);
  });
});

describe('a check that starts early', () => {
  it('runs once if it ends after the driver is ready', async () => {
    const { ends, check } = controlledCheck();
    const act = device([]).run({ ready: check }, undefined, true);
    await turn();
    expect(ends).toHaveLength(1);
    ends[0]!();
    expect(await act).toBe('all');
    expect(ends).toHaveLength(1);
  });

  it('runs again if it ended before the driver was ready', async () => {
    const { ends, check } = controlledCheck();
    const sent: string[] = [];
    let prepared = (): void => undefined;
    const act = device(sent, new Promise((resolve) => (prepared = resolve))).run({ ready: check }, undefined, true);
    ends[0]!();
    await turn();
    prepared();
    await turn();
    expect([ends.length, sent]).toEqual([2, []]);
    ends[1]!();
    await act;
    expect(sent).toHaveLength(2);
  });

  it.each([false, true])('ends the act with its error, ended before the driver was ready: %s', async (first) => {
    const { ends, check } = controlledCheck();
    const sent: string[] = [];
    let prepared = (): void => undefined;
    const act = device(sent, new Promise((resolve) => (prepared = resolve))).run({ ready: check }, undefined, true);
    act.catch(() => undefined); // Awaited below.
    if (first) ends[0]!(new Error('moved'));
    await turn();
    prepared();
    await turn();
    if (!first) ends[0]!(new Error('moved'));
    await expect(act).rejects.toThrow('moved');
    expect([ends.length, sent]).toEqual([1, []]);
  });
});
