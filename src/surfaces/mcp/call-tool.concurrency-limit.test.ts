import { expect, test } from 'vitest';
import { ConcurrencyLimit, MAX_CONCURRENT_CALLS } from './call-tool.js';

test('refuses a call above the limit until another one ends, successful or not', async () => {
  const calls = new ConcurrencyLimit();
  const ends: ((how: () => void) => void)[] = [];
  const call = (): Promise<void> =>
    calls.run(() => new Promise<() => void>((end) => ends.push(end)).then((how) => how()));
  const going = Array.from({ length: MAX_CONCURRENT_CALLS }, () => call().catch(() => 'failed'));
  await expect(call()).rejects.toMatchObject({ code: 'rate_limited', delivered: 'no', retry: 'after' });
  expect(ends).toHaveLength(MAX_CONCURRENT_CALLS);
  ends[0]!(() => {
    throw new Error('no');
  });
  expect(await going[0]).toBe('failed');
  going.push(call().catch(() => 'failed'));
  await expect(call()).rejects.toMatchObject({ code: 'rate_limited' });
  for (const end of ends.slice(1)) end(() => undefined);
  await Promise.all(going);
});
