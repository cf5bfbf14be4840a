import { expect, test } from 'vitest';
import { LatestEvents } from './event-queue.js';

test('gives a slow reader the last event of each kind, in order, and then ends', async () => {
  const pending = new LatestEvents<string>();
  pending.push('motion', 'motion 1');
  pending.push('stop', 'stop 1');
  for (let count = 2; count < 10_000; count++) pending.push('motion', `motion ${count}`);
  pending.end();
  pending.push('key', 'too late');
  const read: string[] = [];
  for await (const event of pending) read.push(event);
  expect(read).toEqual(['stop 1', 'motion 9999']);
});

test('wakes a waiting reader', async () => {
  const pending = new LatestEvents<string>();
  const first = pending[Symbol.asyncIterator]().next();
  pending.push('key', 'key');
  expect(await first).toEqual({ value: 'key', done: false });
});
