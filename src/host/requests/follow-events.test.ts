import { describe, expect, it, vi } from 'vitest';
import { DesktopError } from '../../shared/index.js';
import { follow, type FollowItem } from './follow-events.js';

/** A log that returns each entry once to each caller, and notifies for each entry. */
class Log {
  readonly listeners = new Set<() => void>();
  readonly callers = new Set<string>();
  asked = 0;
  private fresh: string[] = ['before'];

  readonly listen = (happened: () => void): (() => void) => {
    this.listeners.add(happened);
    return () => this.listeners.delete(happened);
  };

  readonly ask = async (caller: string) => {
    this.asked++;
    this.callers.add(caller);
    const events = this.fresh.splice(0);
    return { json: { events }, text: events.join() };
  };

  /** As the real one: it notifies before the entry is in the list. */
  take(...news: string[]): void {
    for (const one of news) {
      this.listeners.forEach((happened) => happened());
      this.fresh.push(one);
    }
  }
}

function following() {
  const log = new Log();
  const stop = new AbortController();
  const items: FollowItem[] = [];
  const ended = follow(log.ask, log.listen, stop.signal, (item) => items.push(item));
  return { log, stop, items, ended };
}

describe('follow', () => {
  it('sends each event after its start once, until it is stopped', async () => {
    const { log, stop, items, ended } = following();
    await vi.waitFor(() => expect(log.asked).toBe(1));
    log.take('a', 'b');
    await vi.waitFor(() => expect(items.map(({ text }) => text)).toEqual(['a,b']));
    log.take('c');
    await vi.waitFor(() => expect(items.map(({ text }) => text)).toEqual(['a,b', 'c']));
    stop.abort();
    await ended;
    expect(log.callers.size).toBe(1);
    expect(log.listeners.size).toBe(0);
  });

  it('ends with the desktop if its display is lost first, and fails itself if the desktop continues', async () => {
    const gone = new DesktopError('driver_unavailable', 'The X server has gone.');
    vi.useFakeTimers();
    try {
      for (const dies of [true, false]) {
        const log = new Log();
        const stop = new AbortController();
        const ask = (caller: string) => (log.asked > 0 ? Promise.reject(gone) : log.ask(caller));
        const ended = follow(ask, log.listen, stop.signal, () => undefined).then(
          () => 'ended',
          (error: unknown) => error,
        );
        await vi.advanceTimersByTimeAsync(10);
        log.take('a');
        await vi.advanceTimersByTimeAsync(1_000);
        if (dies) stop.abort();
        await vi.advanceTimersByTimeAsync(20_000);
        expect(await ended).toBe(dies ? 'ended' : gone);
      }
    } finally {
      vi.useRealTimers();
    }
  });

  it('asks only after an event', async () => {
    vi.useFakeTimers();
    try {
      const { log, stop, ended } = following();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(log.asked).toBe(1);
      log.take('a');
      // No time passes: it is sent at once.
      await vi.advanceTimersByTimeAsync(0);
      expect(log.asked).toBe(2);
      for (let i = 0; i < 100; i++) log.take(`storm ${i}`);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(log.asked).toBe(3);
      stop.abort();
      await ended;
    } finally {
      vi.useRealTimers();
    }
  });

  it('ends at once if it is stopped before it began', async () => {
    const log = new Log();
    await follow(log.ask, log.listen, AbortSignal.abort(), () => undefined).catch(() => undefined);
    expect(log.listeners.size).toBe(0);
  });

  it('passes an error on', async () => {
    const { listen, listeners } = new Log();
    const fail = () => Promise.reject(new Error('gone'));
    await expect(follow(fail, listen, new AbortController().signal, () => undefined)).rejects.toThrow('gone');
    expect(listeners.size).toBe(0);
  });
});
