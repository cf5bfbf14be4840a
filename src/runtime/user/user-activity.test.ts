import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeDesktop, type FakeDesktop } from '../../drivers/fake/index.js';
import { Deadline } from '../../shared/index.js';
import { UserActivity, USER_IDLE_MS } from './user-activity.js';

let fake: FakeDesktop;
let user: UserActivity;
let received: string[];
beforeEach(() => {
  vi.useFakeTimers();
  fake = fakeDesktop({ windows: [] });
  received = [];
  const listener = {
    pause: (kind: string) => void received.push(`pause ${kind}`),
    resume: () => void received.push('resume'),
    stop: () => void received.push('stop'),
    lost: (reason: string) => void received.push(`lost ${reason}`),
  };
  user = new UserActivity(fake.driver, listener, false);
});
afterEach(() => {
  user.end();
  vi.useRealTimers();
});

async function watched(): Promise<void> {
  const ready = user.startWatching(Deadline.in(1_000));
  await vi.advanceTimersByTimeAsync(1);
  await ready;
}
const later = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
const userInput = async (...kinds: Parameters<typeof fake.controls.userInput>): Promise<void> => {
  fake.controls.userInput(...kinds);
  await later(0);
};

describe('user activity', () => {
  it('is reported once per period of input, and when the user is idle again', async () => {
    await watched();
    await userInput('motion');
    await later(USER_IDLE_MS - 100);
    await userInput('key');
    await later(USER_IDLE_MS - 100);
    expect(received).toEqual(['pause motion']);
    expect([...user.lastPeriod!.kinds]).toEqual(['motion', 'key']);
    await later(200);
    expect(received).toEqual(['pause motion', 'resume']);
    expect(user.busy).toBe(false);
    await userInput('button');
    expect(received).toEqual(['pause motion', 'resume', 'pause button']);
    expect([...user.lastPeriod!.kinds]).toEqual(['button']);
  });

  it('is not watched before the first act, nor long after the last call', async () => {
    await userInput('motion', 'stop');
    await watched();
    expect(received).toEqual([]);
    await later(59_000);
    user.noteAgentActivity();
    await later(59_000);
    await userInput('stop');
    expect(received).toEqual(['stop']);
    await later(2_000);
    await userInput('motion', 'stop');
    expect(received).toEqual(['stop']);
  });

  it('that cannot be watched is reported once, and watched again from the next act on', async () => {
    await watched();
    fake.controls.loseUserInput('why');
    await later(0);
    expect([user.undetectedReason, ...received]).toEqual(['why', 'lost why']);
    await watched();
    expect(user.undetectedReason).toBeUndefined();
    await userInput('key');
    expect(received).toEqual(['lost why', 'pause key']);
  });

  it.each([
    ['waits until the user is idle', 5_000, true],
    ['gives up when the user cannot be idle in time', USER_IDLE_MS - 100, false],
  ])('%s', async (_, ms, answer) => {
    await watched();
    await userInput('motion');
    const quiet = user.waitUntilIdle(Deadline.in(ms));
    await later(ms);
    expect(await quiet).toBe(answer);
  });
});
