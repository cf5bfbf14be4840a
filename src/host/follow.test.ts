import { describe, expect, it } from 'vitest';
import { follow, type FollowItem } from './follow.js';

describe('follow', () => {
  it('tells what happens after it began, each once, until it is stopped', async () => {
    const news: unknown[][] = [['before'], [], ['a', 'b'], [], ['c']];
    const callers = new Set<string>();
    const stop = new AbortController();
    const items: FollowItem[] = [];
    const ask = async (caller: string) => {
      callers.add(caller);
      const events = news.shift() ?? [];
      if (news.length === 0) setImmediate(() => stop.abort());
      return { json: { events }, text: events.join() };
    };
    await follow(ask, stop.signal, (item) => items.push(item));
    expect(items.map(({ text }) => text)).toEqual(['a,b', 'c']);
    expect(callers.size).toBe(1);
  });

  it('passes a failure on', async () => {
    const fail = () => Promise.reject(new Error('gone'));
    await expect(follow(fail, new AbortController().signal, () => undefined)).rejects.toThrow('gone');
  });
});
