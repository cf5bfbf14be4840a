import { afterEach, describe, expect, it } from 'vitest';
import { Deadline } from './deadline.js';

const aborted = (): AbortSignal => AbortSignal.abort();

describe('race', () => {
  const unheard: unknown[] = [];
  const hear = (reason: unknown): void => void unheard.push(reason);
  afterEach(() => {
    process.off('unhandledRejection', hear);
    unheard.length = 0;
  });

  it.each([
    ['cancelled before the start', () => Deadline.in(1000, aborted()), 'cancelled'],
    ['over before the start', () => Deadline.in(0), 'timeout'],
    ['over during the wait', () => Deadline.in(5), 'timeout'],
  ])('%s: a late failure of the work is not an unhandled rejection', async (_, deadline, code) => {
    process.on('unhandledRejection', hear);
    let fail = (_error: Error): void => undefined;
    const work = new Promise<never>((_resolve, reject) => (fail = reject));
    await expect(deadline().race(work, 'Looking')).rejects.toMatchObject({ code });
    fail(new Error('too late to matter'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(unheard).toEqual([]);
  });

  it('is over by the time its timeout is reported', async () => {
    for (let round = 0; round < 20; round++) {
      const deadline = Deadline.in(3 + round / 7);
      await expect(deadline.race(new Promise(() => undefined), 'Looking')).rejects.toMatchObject({ code: 'timeout' });
      expect(deadline.over).toBe(true);
    }
  });

  it('returns the result or the failure that comes in time', async () => {
    await expect(Deadline.in(1000).race(Promise.resolve(7), 'Looking')).resolves.toBe(7);
    await expect(Deadline.in(1000).race(Promise.reject(new Error('no')), 'Looking')).rejects.toThrow('no');
  });
});

describe('atMost', () => {
  it('never extends the deadline, and keeps the signal', () => {
    const controller = new AbortController();
    const long = Deadline.in(60_000, controller.signal);
    expect(long.atMost(1000).remaining()).toBeLessThanOrEqual(1000);
    expect(Deadline.in(10).atMost(60_000).remaining()).toBeLessThanOrEqual(10);
    controller.abort();
    expect(long.atMost(1000).over).toBe(true);
  });
});
