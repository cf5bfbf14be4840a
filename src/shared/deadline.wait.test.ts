import { describe, expect, it } from 'vitest';
import { sleepUntilWoken, within } from './deadline.js';

const LONG_MS = 600_000;

describe('sleepUntilWoken', () => {
  it('ends after the time', () => sleepUntilWoken(1, () => undefined));

  it('ends when it is woken, and waking again does nothing', async () => {
    let wake = (): void => undefined;
    const sleep = sleepUntilWoken(LONG_MS, (end) => (wake = end));
    wake();
    await sleep;
    wake();
  });

  it('ends when the signal aborts, and then does not listen to it', async () => {
    const abort = new AbortController();
    const sleep = sleepUntilWoken(LONG_MS, () => undefined, { signal: abort.signal });
    abort.abort();
    await sleep;
  });
});

describe('within', () => {
  it('returns the result in time, else undefined', async () => {
    expect(await within(Promise.resolve('done'), LONG_MS)).toBe('done');
    expect(await within(new Promise(() => undefined), 1)).toBeUndefined();
  });

  it('rejects with the work', async () => {
    await expect(within(Promise.reject(new Error('broken')), LONG_MS)).rejects.toThrow('broken');
  });
});
