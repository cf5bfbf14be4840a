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

test('ends a host to which nobody ever came', () => {
  clock(1_000);
  vi.advanceTimersByTime(999);
  expect(ended).toBe(0);
  vi.advanceTimersByTime(1);
  expect(ended).toBe(1);
});

test('does not count while somebody is here, and begins anew when they go', () => {
  const idle = clock(1_000);
  idle.clients(1);
  vi.advanceTimersByTime(10_000);
  idle.clients(0);
  vi.advanceTimersByTime(999);
  expect(ended).toBe(0);
  vi.advanceTimersByTime(1);
  expect(ended).toBe(1);
});

test('does not end a host while a question is open', () => {
  isAsking = true;
  clock(1_000);
  vi.advanceTimersByTime(5_500);
  expect(ended).toBe(0);
  isAsking = false;
  vi.advanceTimersByTime(500);
  expect(ended).toBe(1);
});

test('never ends one that lives until it is told', () => {
  clock(undefined);
  vi.advanceTimersByTime(1e9);
  expect(ended).toBe(0);
});
