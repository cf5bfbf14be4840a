import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { IdleTimer } from './run-host.js';

let isAsking = false;
let ended = 0;
const clock = (ms: number | undefined): IdleTimer =>
  new IdleTimer(
    ms,
    () => isAsking,
    () => (ended += 1),
  );

beforeEach(() => {
  vi.useFakeTimers();
  [isAsking, ended] = [false, 0];
});
afterEach(() => void vi.useRealTimers());

test('ends a host that never had a client', () => {
  clock(1_000);
  vi.advanceTimersByTime(999);
  expect(ended).toBe(0);
  vi.advanceTimersByTime(1);
  expect(ended).toBe(1);
});

test('does not count while a client is connected, and starts again when it leaves', () => {
  const idle = clock(1_000);
  idle.clients(1);
  vi.advanceTimersByTime(10_000);
  idle.clients(0);
  vi.advanceTimersByTime(999);
  expect(ended).toBe(0);
  vi.advanceTimersByTime(1);
  expect(ended).toBe(1);
});

test('does not end a host while an approval is pending', () => {
  isAsking = true;
  clock(1_000);
  vi.advanceTimersByTime(5_500);
  expect(ended).toBe(0);
  isAsking = false;
  vi.advanceTimersByTime(500);
  expect(ended).toBe(1);
});

test('never ends a host that runs until it is stopped', () => {
  clock(undefined);
  vi.advanceTimersByTime(1e9);
  expect(ended).toBe(0);
});
