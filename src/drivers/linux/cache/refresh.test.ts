import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AppConnection } from '../atspi/app-connection.js';
import { BackgroundRefresh } from './refresh.js';
import type { CachedWindow } from './cached-window.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const LAG_MS = 100;
const REST_MS = LAG_MS + 5;

function setUp(fails = false) {
  const read: string[] = [];
  const cache = { recheckExpired: () => void read.push('recheck') };
  const link = (): AppConnection => ({ toolkit: { lagMs: LAG_MS }, cache }) as unknown as AppConnection;
  const [editor, other] = [link(), link()];
  const window = (of: AppConnection): CachedWindow => ({ link: of, refreshes: 0 }) as CachedWindow;
  const windows = new Map([
    ['text', window(editor)],
    ['dialog', window(editor)],
    ['elsewhere', window(other)],
  ]);
  const refresher = new BackgroundRefresh(
    () => windows,
    (id) => {
      read.push(id);
      return fails ? Promise.reject(new Error('hangs')) : Promise.resolve();
    },
  );
  return { refresher, editor, other, windows, read };
}

describe('a window that was read', () => {
  test('is refreshed when its app is idle; windows of other apps are not', async () => {
    const { refresher, editor, read } = setUp();
    refresher.onActivity(editor);
    await vi.advanceTimersByTimeAsync(REST_MS - 1);
    expect(read).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(read).toEqual(['text', 'dialog']);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(read, 'and once more after a second').toEqual(['text', 'dialog', 'recheck', 'text', 'dialog']);
  });

  test('is not refreshed while its app is active', async () => {
    const { refresher, editor, read } = setUp();
    for (let frame = 0; frame < 100; frame += 1) {
      refresher.onActivity(editor);
      await vi.advanceTimersByTimeAsync(16);
    }
    expect(read).toEqual([]);
    await vi.advanceTimersByTimeAsync(REST_MS);
    expect(read).toEqual(['text', 'dialog']);
  });

  test('is refreshed at most six times until a cached answer is used', async () => {
    const { refresher, other, windows, read } = setUp();
    const blink = async (times: number): Promise<void> => {
      for (let blinks = 0; blinks < times; blinks += 1) {
        refresher.onActivity(other);
        await vi.advanceTimersByTimeAsync(600);
      }
    };
    await blink(20);
    expect(read).toHaveLength(6);
    windows.get('elsewhere')!.refreshes = 0;
    await blink(2);
    expect(read).toHaveLength(8);
  });

  test('is not refreshed after a failed read until new activity', async () => {
    const { refresher, editor, read } = setUp(true);
    refresher.onActivity(editor);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(read).toEqual(['text']);
  });

  test('is not refreshed after close', async () => {
    const { refresher, editor, read } = setUp();
    refresher.onActivity(editor);
    refresher.close();
    refresher.onActivity(editor);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(read).toEqual([]);
  });
});
