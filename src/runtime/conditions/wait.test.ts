import { CallView } from '../visibility/call-view.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { officeSpec, saveAs } from '../../../tests/scenes/office.js';
import { fakeDesktop, type FakeDesktop } from '../../drivers/fake/index.js';
import { Deadline, DesktopError } from '../../shared/index.js';
import { Desktop } from '../desktop/desktop.js';
import { parseCondition } from './parse-condition.js';
import { waitFor, WAIT_GRACE_MS, type WaitOutcome, type WaitOptions } from './wait.js';

let fake: FakeDesktop;
let desktop: Desktop;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  fake = fakeDesktop({ ...officeSpec(), hungAfterMs: 200 });
  desktop = new Desktop({ name: 'office', kind: 'virtual', driver: fake.driver });
  await vi.advanceTimersByTimeAsync(0);
});
afterEach(async () => {
  expect(listeners()).toBe(0);
  const closed = desktop.close();
  await vi.advanceTimersByTimeAsync(2_000);
  await closed;
  vi.useRealTimers();
});

/** What a wait leaves behind in the desktop would be called for ever. */
function listeners(): number {
  return (desktop as unknown as { listeners: Set<unknown> }).listeners.size;
}

interface Wait {
  done: boolean;
  result: Promise<WaitOutcome>;
}

function wait(given: unknown, options: Partial<WaitOptions> = {}, signal?: AbortSignal): Wait {
  const timeoutMs = options.timeoutMs ?? 10_000;
  const deadline = Deadline.in(timeoutMs + 5_000 + WAIT_GRACE_MS, signal);
  const result = waitFor(CallView.forUser(desktop), parseCondition(given), { ...options, timeoutMs }, { deadline });
  const started: Wait = { done: false, result };
  const end = (): void => {
    started.done = true;
  };
  result.then(end, end);
  return started;
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('a wait', () => {
  it('for a condition that holds ends at once', async () => {
    const waited = wait('button:Save');
    await pass(0);
    expect(waited.done).toBe(true);
    expect(await waited.result).toMatchObject({ answer: 'satisfied', polls: 1, elapsedMs: 0 });
  });

  const happens: [string, unknown, () => void][] = [
    ['a window opens', { window: 'Save As' }, () => fake.controls.openWindow(saveAs)],
    ['a window closes', { windowClosed: 'Mail' }, () => fake.controls.closeWindow('mail')],
    ['something appears', 'button:New', () => fake.controls.addChild('Main', { role: 'button', name: 'New' })],
    ['something goes', { gone: 'button:Save' }, () => fake.controls.remove('Save')],
    ['one more', { count: ['button:Save', 2] }, () => fake.controls.addChild('Main', { role: 'button', name: 'Save' })],
    ['a state', { state: ['button:Open', 'enabled', true] }, () => fake.controls.setState('Open', 'enabled', true)],
    ['a state by selector', 'button:Open && enabled=true', () => fake.controls.setState('Open', 'enabled', true)],
    ['a value', { value: ['spinbutton:Zoom', 150] }, () => fake.controls.setValue('Zoom', 150)],
    ['a change', { changed: 'spinbutton:Zoom' }, () => fake.controls.setValue('Zoom', 150)],
    ['a text', { text: 'all saved' }, () => fake.controls.setName('Save', 'All saved')],
    ['a title', { window: 'notes.txt' }, () => fake.controls.setTitle('editor', 'notes.txt - Mousepad')],
    ['the focus', { focused: 'button:Save' }, () => fake.controls.focus('Save')],
    ['all', { all: ['button:Cancel', { window: 'Save As' }] }, () => fake.controls.openWindow(saveAs)],
    ['any', { any: ['button:Nowhere', { window: 'Save As' }] }, () => fake.controls.openWindow(saveAs)],
    ['not', { not: 'button:Save' }, () => fake.controls.remove('Save')],
  ];
  it.each(happens)('ends on the event: %s', async (_, given, happen) => {
    const waited = wait(given, { pollMs: 60_000 });
    await pass(777);
    expect(waited.done).toBe(false);
    happen();
    await pass(0);
    expect(waited.done).toBe(true);
    expect(await waited.result).toMatchObject({ answer: 'satisfied', elapsedMs: 777 });
  });

  it('for several windows of a family searches dialogs that open later', async () => {
    const waited = wait('button:Cancel', { within: 'Mousepad', pollMs: 60_000 });
    await pass(10);
    fake.controls.openWindow(saveAs);
    await pass(0);
    expect((await waited.result).answer).toBe('satisfied');
  });

  it('for a window that is not open yet waits for it', async () => {
    const waited = wait('button:Cancel', { within: 'Save As', pollMs: 60_000 });
    await pass(10);
    expect(waited.done).toBe(false);
    fake.controls.openWindow(saveAs);
    await pass(0);
    expect((await waited.result).answer).toBe('satisfied');
  });
});

describe('a change without an event', () => {
  /** The widget changes and no event comes of it. */
  const silently = async (): Promise<void> => {
    const deaf = vi.spyOn(desktop as unknown as { hear: () => void }, 'hear').mockImplementation(() => undefined);
    fake.controls.setState('Open', 'enabled', true);
    await pass(0);
    deaf.mockRestore();
  };

  it('is found by polling', async () => {
    const waited = wait('button:Open && enabled=true');
    await pass(100);
    await silently();
    await pass(899);
    expect(waited.done).toBe(false);
    await pass(1);
    expect(waited.done).toBe(true);
  });

  it('is polled for less often if a poll takes long', async () => {
    fake.controls.slow('editor', 8);
    const waited = wait('button:Done', { within: 'Mousepad', timeoutMs: 9_500 });
    await pass(10_500);
    // 3.2 s of rest after each 8 ms.
    expect(await waited.result).toMatchObject({ answer: 'unsatisfied', polls: 3 });
  });

  it('is found sooner with a short pollMs', async () => {
    const waited = wait('button:Open && enabled=true', { pollMs: 50 });
    await pass(60);
    await silently();
    await pass(40);
    expect(waited.done).toBe(true);
  });

  it('polls once more soon after an event, because trees lag behind', async () => {
    const waited = wait('button:Open && enabled=true');
    await pass(100);
    fake.controls.setName('Save', 'Save all');
    await pass(1);
    await silently();
    await pass(299);
    expect(waited.done).toBe(true);
  });
});

describe('a storm of events', () => {
  it('costs a bounded share, and its end is seen', async () => {
    const reads = vi.spyOn(fake.driver, 'read');
    fake.controls.slow('editor', 50);
    const waited = wait('button:Done', { within: 'Mousepad', pollMs: 60_000 });
    for (let n = 0; n < 300; n++) {
      fake.controls.setValue('Zoom', n);
      await pass(10);
    }
    // In 3 s: a few at once, then 50 ms per poll and a pause of 100 ms after it.
    expect(reads.mock.calls.length).toBeGreaterThan(17);
    expect(reads.mock.calls.length).toBeLessThan(25);
    fake.controls.setName('Save', 'Done');
    await pass(200);
    expect(waited.done).toBe(true);
  });

  it('of pixels alone costs less', async () => {
    const reads = vi.spyOn(fake.driver, 'read');
    const waited = wait('button:Done', { within: 'Orders', timeoutMs: 1_000, pollMs: 60_000 });
    for (let n = 0; n < 199; n++) {
      fake.controls.scroll('Customers', 1 + (n % 5));
      await pass(5);
    }
    expect(reads.mock.calls.length).toBeLessThan(25);
    await pass(1_000);
    expect((await waited.result).answer).toBe('unsatisfied');
  });

  it('in windows does not touch a wait for a window', async () => {
    const lists = vi.spyOn(fake.driver, 'windows');
    const waited = wait({ window: 'Save As' }, { pollMs: 60_000 });
    for (let n = 0; n < 100; n++) {
      fake.controls.setValue('Zoom', n);
      await pass(1);
    }
    expect(lists).toHaveBeenCalledTimes(1);
    fake.controls.openWindow(saveAs);
    await pass(0);
    expect(waited.done).toBe(true);
  });

  it('an event during a poll leads to another poll', async () => {
    fake.controls.slow('editor', 100);
    const waited = wait('button:Done', { within: 'Mousepad', pollMs: 60_000 });
    await pass(99);
    // The fake driver takes the tree at the end of the poll: make the change just after that, within the same tick.
    const read = fake.driver.read.bind(fake.driver);
    let first = true;
    vi.spyOn(fake.driver, 'read').mockImplementation(async (...args) => {
      const answer = await read(...args);
      if (first) {
        first = false;
        fake.controls.setName('Save', 'Done');
      }
      return answer;
    });
    fake.controls.setName('Zoom', 'Zoom');
    await pass(1 + 200 + 100 + 200 + 100);
    expect(waited.done).toBe(true);
  });
});

describe('the end', () => {
  it('comes at the deadline, with what was last seen', async () => {
    const waited = wait({ count: ['role=listitem', 9] }, { timeoutMs: 3_000 });
    await pass(2_999);
    expect(waited.done).toBe(false);
    await pass(1);
    expect(await waited.result).toMatchObject({
      answer: 'unsatisfied',
      seen: { condition: 'count', matches: 5 },
      elapsedMs: 3_000,
      polls: 3,
    });
  });

  it('aborts a running poll; the last answer stands', async () => {
    const waited = wait('button:Sav', { within: 'Mousepad', timeoutMs: 1_100 });
    await pass(500);
    fake.controls.slow('editor', 190);
    await pass(600);
    expect(waited.done).toBe(false);
    // Its nearest may take a moment of the time that is kept for that.
    await pass(700);
    expect(await waited.result).toMatchObject({ answer: 'unsatisfied', polls: 1, elapsedMs: 1_100 });
  });

  it('reports a first read that does not end', async () => {
    fake.controls.slow('editor', 150);
    const waited = wait('button:Save', { within: 'Mousepad', timeoutMs: 100 });
    await pass(100);
    expect(await waited.result).toMatchObject({
      answer: 'unknown',
      polls: 0,
      reason: 'The first read did not end in time.',
    });
  });

  it('0 is one poll with its own time limit', async () => {
    fake.controls.slow('editor', 150);
    const waited = wait('button:Save', { within: 'Mousepad', timeoutMs: 0 });
    await pass(150);
    expect(await waited.result).toMatchObject({ answer: 'satisfied', polls: 1 });
    const missing = wait('button:Nowhere', { within: 'Orders', timeoutMs: 0 });
    await pass(0);
    expect(await missing.result).toMatchObject({ answer: 'unsatisfied', polls: 1 });
  });

  it('ends early enough to report the result if the call has less time', async () => {
    const deadline = Deadline.in(5_000);
    const result = waitFor(
      CallView.forUser(desktop),
      parseCondition('button:Nowhere'),
      { timeoutMs: 60_000 },
      { deadline },
    );
    await pass(5_000);
    expect((await result).elapsedMs).toBe(5_000 - WAIT_GRACE_MS);
  });

  it('names what comes near', async () => {
    const waited = wait('button:Sav', { timeoutMs: 100 });
    await pass(1_000);
    expect((await waited.result).nearest).toMatchObject([{ name: 'Save' }]);
  });

  it.each([0, 50, 1_500])('comes at once when the caller cancels, after %s ms', async (ms) => {
    const caller = new AbortController();
    const waited = wait('button:Nowhere', {}, caller.signal);
    await pass(ms);
    caller.abort();
    await expect(waited.result).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('comes at once also during a poll', async () => {
    fake.controls.hang('editor');
    const caller = new AbortController();
    const waited = wait('button:Nowhere', {}, caller.signal);
    await pass(10);
    caller.abort();
    await expect(waited.result).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('an error that polling cannot fix ends it', async () => {
    const waited = wait('ocr:Save');
    await pass(0);
    await expect(waited.result).rejects.toBeInstanceOf(DesktopError);
  });
});

describe('a hung app', () => {
  it('is not known, and known again when it goes on', async () => {
    fake.controls.hang('editor');
    const waited = wait('button:Save', { within: 'Mousepad' });
    await pass(2_500);
    expect(waited.done).toBe(false);
    fake.controls.resume('editor');
    await pass(1_000);
    expect(await waited.result).toMatchObject({ answer: 'satisfied' });
  });

  it('is reported at the deadline', async () => {
    fake.controls.hang('editor');
    const waited = wait({ gone: 'button:Save' }, { within: 'Mousepad', timeoutMs: 1_000 });
    await pass(1_000);
    expect(await waited.result).toMatchObject({
      answer: 'unknown',
      reason: 'Not everything could be read: w1 does not answer.',
    });
  });
});

describe('stableMs', () => {
  it('holds once nothing has changed for this long, not before', async () => {
    const waited = wait({ stableMs: 300 }, { pollMs: 60_000 });
    for (let n = 0; n < 10; n++) {
      await pass(200);
      fake.controls.setValue('Zoom', n);
    }
    await pass(299);
    expect(waited.done).toBe(false);
    await pass(1);
    expect(await waited.result).toMatchObject({ answer: 'satisfied', elapsedMs: 2_300, seen: { stableForMs: 300 } });
  });

  it('moving is a change, pixels are none, another window does not matter', async () => {
    const waited = wait({ stableMs: 300 }, { within: 'Mousepad', pollMs: 60_000 });
    await pass(200);
    fake.controls.moveWindow('editor', { x: 5 });
    await pass(200);
    fake.controls.scroll('Customers', 3);
    await pass(99);
    expect(waited.done).toBe(false);
    await pass(1);
    expect(await waited.result).toMatchObject({ answer: 'satisfied', elapsedMs: 500 });
  });

  it('reports the elapsed time at the deadline', async () => {
    const waited = wait({ stableMs: 5_000 }, { timeoutMs: 1_000 });
    await pass(1_000);
    const { answer, seen } = await waited.result;
    expect([answer, seen.stableForMs! <= 1_000]).toEqual(['unsatisfied', true]);
  });
});

it('many waits poll together no more often than one', async () => {
  const polls = async (waits: number): Promise<number> => {
    const all = Array.from({ length: waits }, () => wait('button:Nowhere', { timeoutMs: 4_000, pollMs: 20 }));
    await pass(6_000);
    const outcomes = await Promise.all(all.map(({ result }) => result));
    return outcomes.reduce((sum, outcome) => sum + outcome.polls, 0);
  };
  const [one, many] = [await polls(1), await polls(40)];
  expect(one).toBeGreaterThan(50);
  // Each of them polls once at its start.
  expect(many).toBeLessThan(2 * one + 40);
  expect(desktop.openWaits.count).toBe(0);
});
