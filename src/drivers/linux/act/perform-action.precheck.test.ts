import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startPrecheck } from './perform-action.js';

/** A check that ends when the test says so. */
function controlledCheck() {
  const ends: ((error?: Error) => void)[] = [];
  const check = (): Promise<void> =>
    new Promise((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve())));
  return { ends, check };
}

test('uses one check if it ends after the plan is ready', async () => {
  const { ends, check } = controlledCheck();
  const last = startPrecheck(check)();
  ends[0]!();
  await last;
  expect(ends).toHaveLength(1);
});

test('checks again if the first check ended before the plan was ready', async () => {
  const { ends, check } = controlledCheck();
  const last = startPrecheck(check);
  ends[0]!();
  await turn();
  let done = false;
  const taken = last().then(() => (done = true));
  await turn();
  expect([ends.length, done]).toEqual([2, false]);
  ends[1]!();
  await taken;
});

test.each([false, true])(
  'reports the failure of the first check to the caller, ended early: %s',
  async (endedEarly) => {
    const { ends, check } = controlledCheck();
    const last = startPrecheck(check);
    if (endedEarly) ends[0]!(new Error('moved'));
    await turn();
    const taken = last();
    if (!endedEarly) ends[0]!(new Error('moved'));
    await expect(taken).rejects.toThrow('moved');
    expect(ends).toHaveLength(1);
  },
);
