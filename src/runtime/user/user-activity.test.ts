import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeDesktop, type FakeDesktop } from '../../drivers/fake/index.js';
import { Deadline } from '../../shared/index.js';
import { UserActivity, QUIET_MS } from './user-activity.js';

let fake: FakeDesktop;
let person: UserActivity;
let told: string[];
beforeEach(() => {
  vi.useFakeTimers();
  fake = fakeDesktop({ windows: [] });
  told = [];
  const listener = {
    pause: (kind: string) => void told.push(`pause ${kind}`),
    resume: () => void told.push('resume'),
    stop: () => void told.push('stop'),
    lost: (reason: string) => void told.push(`lost ${reason}`),
  };
  person = new UserActivity(fake.driver, listener, false);
});
afterEach(() => {
  person.end();
  vi.useRealTimers();
});

async function watched(): Promise<void> {
  const ready = person.watched(Deadline.in(1_000));
  await vi.advanceTimersByTimeAsync(1);
  await ready;
}
const later = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
const human = async (...kinds: Parameters<typeof fake.controls.userInput>): Promise<void> => {
  fake.controls.userInput(...kinds);
  await later(0);
};

describe('the person', () => {
  it('is told of once for each use, and when they have let go', async () => {
    await watched();
    await human('motion');
    await later(QUIET_MS - 100);
    await human('key');
    await later(QUIET_MS - 100);
    expect(told).toEqual(['pause motion']);
    expect([...person.lastUse!.kinds]).toEqual(['motion', 'key']);
    await later(200);
    expect(told).toEqual(['pause motion', 'resume']);
    expect(person.busy).toBe(false);
    await human('button');
    expect(told).toEqual(['pause motion', 'resume', 'pause button']);
    expect([...person.lastUse!.kinds]).toEqual(['button']);
  });

  it('is not watched before the first act, nor long after the last call', async () => {
    await human('motion', 'stop');
    await watched();
    expect(told).toEqual([]);
    await later(59_000);
    person.noteAgentActivity();
    await later(59_000);
    await human('stop');
    expect(told).toEqual(['stop']);
    await later(2_000);
    await human('motion', 'stop');
    expect(told).toEqual(['stop']);
  });

  it('who is lost is told of once, and watched for again with the next act', async () => {
    await watched();
    fake.controls.loseUserInput('why');
    await later(0);
    expect([person.unwatched, ...told]).toEqual(['why', 'lost why']);
    await watched();
    expect(person.unwatched).toBeUndefined();
    await human('key');
    expect(told).toEqual(['lost why', 'pause key']);
  });

  it.each([
    ['has let go in time', 5_000, true],
    ['cannot have let go in time', QUIET_MS - 100, false],
  ])('%s', async (_, ms, answer) => {
    await watched();
    await human('motion');
    const quiet = person.quiet(Deadline.in(ms));
    await later(ms);
    expect(await quiet).toBe(answer);
  });
});
