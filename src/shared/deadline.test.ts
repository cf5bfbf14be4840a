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
    ['cancelled before it began', () => Deadline.in(1000, aborted()), 'cancelled'],
    ['over before it began', () => Deadline.in(0), 'timeout'],
    ['over while it waits', () => Deadline.in(5), 'timeout'],
  ])('%s: the work may still fail without anybody hearing of it', async (_, deadline, code) => {
    process.on('unhandledRejection', hear);
    let fail = (_error: Error): void => undefined;
    const work = new Promise<never>((_resolve, reject) => (fail = reject));
    await expect(deadline().race(work, 'Looking')).rejects.toMatchObject({ code });
    fail(new Error('too late to matter'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(unheard).toEqual([]);
  });

  it('is over when one hears that it is', async () => {
    for (let round = 0; round < 20; round++) {
      const deadline = Deadline.in(3 + round / 7);
      await expect(deadline.race(new Promise(() => undefined), 'Looking')).rejects.toMatchObject({ code: 'timeout' });
      expect(deadline.over).toBe(true);
    }
  });

  it('gives the answer, or the failure, that comes in time', async () => {
    await expect(Deadline.in(1000).race(Promise.resolve(7), 'Looking')).resolves.toBe(7);
    await expect(Deadline.in(1000).race(Promise.reject(new Error('no')), 'Looking')).rejects.toThrow('no');
  });
});

describe('atMost', () => {
  it('never gives more time than there was, and keeps the signal', () => {
    const controller = new AbortController();
    const long = Deadline.in(60_000, controller.signal);
    expect(long.atMost(1000).remaining()).toBeLessThanOrEqual(1000);
    expect(Deadline.in(10).atMost(60_000).remaining()).toBeLessThanOrEqual(10);
    controller.abort();
    expect(long.atMost(1000).over).toBe(true);
  });
});
