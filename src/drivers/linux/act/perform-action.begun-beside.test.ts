import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { begunBeside } from './perform-action.js';

/** A look that ends when it is told to. */
function looks() {
  const ends: ((error?: Error) => void)[] = [];
  const look = (): Promise<void> =>
    new Promise((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve())));
  return { ends, look };
}

test('a look that ends after the plan is the last, and the only one', async () => {
  const { ends, look } = looks();
  const last = begunBeside(look)();
  ends[0]!();
  await last;
  expect(ends).toHaveLength(1);
});

test('one that ended before the plan is taken again, and waited for', async () => {
  const { ends, look } = looks();
  const last = begunBeside(look);
  ends[0]!();
  await turn();
  let done = false;
  const taken = last().then(() => (done = true));
  await turn();
  expect([ends.length, done]).toEqual([2, false]);
  ends[1]!();
  await taken;
});

test.each([false, true])('what it found is told, ended early: %s; and to nobody who does not ask', async (early) => {
  const { ends, look } = looks();
  const last = begunBeside(look);
  if (early) ends[0]!(new Error('moved'));
  await turn();
  const taken = last();
  if (!early) ends[0]!(new Error('moved'));
  await expect(taken).rejects.toThrow('moved');
  expect(ends).toHaveLength(1);
});
