import { expect, test } from 'vitest';
import { PendingEvents } from './event-queue.js';

test('a slow reader gets the last of each kind, in their order, and then the end', async () => {
  const pending = new PendingEvents<string>();
  pending.push('motion', 'motion 1');
  pending.push('stop', 'stop 1');
  for (let count = 2; count < 10_000; count++) pending.push('motion', `motion ${count}`);
  pending.end();
  pending.push('key', 'too late');
  const read: string[] = [];
  for await (const event of pending) read.push(event);
  expect(read).toEqual(['stop 1', 'motion 9999']);
});

test('a reader who waits is woken', async () => {
  const pending = new PendingEvents<string>();
  const first = pending[Symbol.asyncIterator]().next();
  pending.push('key', 'key');
  expect(await first).toEqual({ value: 'key', done: false });
});
