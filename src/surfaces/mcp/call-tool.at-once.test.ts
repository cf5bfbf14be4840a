import { expect, test } from 'vitest';
import { AtOnce, MOST_AT_ONCE } from './call-tool.js';

test('one more than is taken is refused, until one has ended, however it ended', async () => {
  const calls = new AtOnce();
  const ends: ((how: () => void) => void)[] = [];
  const call = (): Promise<void> =>
    calls.run(() => new Promise<() => void>((end) => ends.push(end)).then((how) => how()));
  const going = Array.from({ length: MOST_AT_ONCE }, () => call().catch(() => 'failed'));
  await expect(call()).rejects.toMatchObject({ code: 'rate_limited', delivered: 'no', retry: 'after' });
  expect(ends).toHaveLength(MOST_AT_ONCE);
  ends[0]!(() => {
    throw new Error('no');
  });
  expect(await going[0]).toBe('failed');
  going.push(call().catch(() => 'failed'));
  await expect(call()).rejects.toMatchObject({ code: 'rate_limited' });
  for (const end of ends.slice(1)) end(() => undefined);
  await Promise.all(going);
});
