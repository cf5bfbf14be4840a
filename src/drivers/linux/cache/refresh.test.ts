import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AppLink } from '../atspi/app-connection.js';
import { BackgroundRefresh } from './refresh.js';
import type { CachedWindow } from './cached-window.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const LAG_MS = 100;
const REST_MS = LAG_MS + 5;

function room(fails = false) {
  const read: string[] = [];
  const cache = { recheckExpired: () => void read.push('doubt') };
  const link = (): AppLink => ({ toolkit: { lagMs: LAG_MS }, memory: cache }) as unknown as AppLink;
  const [editor, other] = [link(), link()];
  const window = (of: AppLink): CachedWindow => ({ link: of, refreshes: 0 }) as CachedWindow;
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

describe('a window that was looked at', () => {
  test('is read again when its app has come to rest, and those of others are not', async () => {
    const { refresher, editor, read } = room();
    refresher.onActivity(editor);
    await vi.advanceTimersByTimeAsync(REST_MS - 1);
    expect(read).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(read).toEqual(['text', 'dialog']);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(read, 'and once more after a second').toEqual(['text', 'dialog', 'doubt', 'text', 'dialog']);
  });

  test('is not read while its app does not rest', async () => {
    const { refresher, editor, read } = room();
    for (let frame = 0; frame < 100; frame += 1) {
      refresher.onActivity(editor);
      await vi.advanceTimersByTimeAsync(16);
    }
    expect(read).toEqual([]);
    await vi.advanceTimersByTimeAsync(REST_MS);
    expect(read).toEqual(['text', 'dialog']);
  });

  test('is read six times at most until that was of use', async () => {
    const { refresher, other, windows, read } = room();
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

  test('is left alone after a read that failed, until something happens again', async () => {
    const { refresher, editor, read } = room(true);
    refresher.onActivity(editor);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(read).toEqual(['text']);
  });

  test('is left alone once all is closed', async () => {
    const { refresher, editor, read } = room();
    refresher.onActivity(editor);
    refresher.close();
    refresher.onActivity(editor);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(read).toEqual([]);
  });
});
