import { existsSync, readFileSync, statSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { claimDisplay, transferLock, lockFile, releaseDisplay } from './display.js';

const claimed: number[] = [];
const claim = (taken: ReadonlySet<number> = new Set()): number => {
  const display = claimDisplay(() => undefined, taken);
  claimed.push(display);
  return display;
};

afterEach(() => {
  for (const display of claimed.splice(0)) releaseDisplay(display, [process.pid, 4_000_000]);
});

test('takes the lock that every X server respects, so that each number is claimed once', () => {
  const first = claim();
  expect(first).toBeGreaterThanOrEqual(100);
  expect(readFileSync(lockFile(first), 'latin1')).toBe(`${String(process.pid).padStart(10)}\n`);
  expect(statSync(lockFile(first)).mode & 0o222).toBe(0);
  expect(claim()).not.toBe(first);
});

test('announces the number before its lock exists', () => {
  let before: boolean | undefined;
  const display = claimDisplay((number) => (before = existsSync(lockFile(number))), new Set());
  claimed.push(display);
  expect(before).toBe(false);
});

test('skips numbers that did not work', () => {
  const first = claim();
  releaseDisplay(first, [process.pid]);
  expect(claim(new Set([first]))).not.toBe(first);
});

test('never removes the lock of another process', () => {
  const display = claim();
  transferLock(display, 4_000_000);
  releaseDisplay(display, [process.pid]);
  expect(existsSync(lockFile(display))).toBe(true);
  releaseDisplay(display, [4_000_000]);
  expect(existsSync(lockFile(display))).toBe(false);
});
