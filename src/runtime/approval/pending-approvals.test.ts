import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { PendingApprovals, type Closing, type UserAnswer, type Subject, type Taken } from './pending-approvals.js';

class Time {
  at = 1_000_000;
  private readonly waiting = new Set<{ at: number; wake: () => void }>();
  now = (): number => this.at;
  after = (ms: number, wake: () => void): (() => void) => {
    const one = { at: this.at + ms, wake };
    this.waiting.add(one);
    return () => void this.waiting.delete(one);
  };
  get pending(): number {
    return this.waiting.size;
  }
  pass(ms: number): void {
    this.at += ms;
    for (const one of [...this.waiting]) {
      if (one.at > this.at || !this.waiting.delete(one)) continue;
      one.wake();
    }
  }
}

const ASKED: Subject = {
  session: 's1',
  subjectHash: 'ab'.repeat(32),
  shown: { act: 'click button "Delete"' },
  widest: 'app',
  channels: ['terminal', 'mcp'],
  seconds: 55,
};

function stage(request: Partial<Subject> = {}, signal?: AbortSignal) {
  const time = new Time();
  const questions = new PendingApprovals(time);
  const { question, closed } = questions.ask({ ...ASKED, ...request }, signal);
  let closing: Closing | undefined;
  void closed.then((how) => (closing = how));
  const ended = async (): Promise<Closing | undefined> => {
    await Promise.resolve();
    return closing;
  };
  const answer = (given: UserAnswer): Taken => questions.answer(question.id, given);
  return { time, questions, question, ended, answer };
}

describe('the first valid answer', () => {
  it.each<[string, UserAnswer, Closing['state']]>([
    ['a yes', { channel: 'terminal', scope: 'once' }, 'allowed'],
    ['a wider yes', { channel: 'terminal', scope: 'app' }, 'allowed'],
    ['a no', { channel: 'terminal' }, 'denied'],
    ['a no with a reason', { channel: 'mcp', reason: 'not this folder' }, 'denied'],
  ])('%s closes the question', async (_, given, state) => {
    const { time, questions, ended, answer } = stage();
    time.pass(2_000);
    expect(answer(given)).toBe('counted');
    expect(await ended()).toMatchObject({ state });
    expect(questions.all).toEqual([]);
    expect(time.pending).toBe(0);
  });

  it('wins; whoever comes later hears that it is closed', async () => {
    const { time, ended, answer } = stage();
    time.pass(2_000);
    expect(answer({ channel: 'terminal' })).toBe('counted');
    expect(answer({ channel: 'mcp', scope: 'once' })).toBe('already closed');
    expect(await ended()).toMatchObject({ state: 'denied' });
  });
});

describe('no answer', () => {
  it('in time is a no', async () => {
    const { time, ended, answer } = stage();
    time.pass(55_000);
    expect(await ended()).toEqual({ state: 'expired' });
    expect(answer({ channel: 'terminal', scope: 'once' })).toBe('already closed');
  });

  it('is what comes when the time is over, also before the timer has told', async () => {
    const { time, ended, answer } = stage();
    time.at += 55_000;
    expect(answer({ channel: 'terminal', scope: 'once' })).toBe('already closed');
    expect(await ended()).toEqual({ state: 'expired' });
  });

  it.each<[string, Partial<Subject>, UserAnswer, Taken]>([
    ['a program that answers for a person', {}, { channel: 'mcp', scope: 'once' }, 'too fast'],
    ['a program that declines for a person', {}, { channel: 'mcp' }, 'too fast'],
    ['a channel that was not asked', { channels: ['terminal'] }, { channel: 'mcp', scope: 'once' }, 'not here'],
    ['a yes that is wider than may be', { widest: 'once' }, { channel: 'terminal', scope: 'app' }, 'too wide'],
  ])('is %s: the question stays open for others', async (_, request, given, taken) => {
    const { questions, ended, answer } = stage(request);
    expect(answer(given)).toBe(taken);
    expect(await ended()).toBeUndefined();
    expect(questions.all).toHaveLength(1);
    expect(answer({ channel: 'terminal', scope: 'once' })).toBe('counted');
    expect(await ended()).toMatchObject({ state: 'allowed', channel: 'terminal' });
  });

  it('of a stranger', () => {
    const { questions } = stage();
    expect(questions.answer('ff'.repeat(16), { channel: 'terminal', scope: 'once' })).toBe('unknown question');
  });
});

it('a channel that answered too fast is not heard again for that question, and after three of them in the session', () => {
  const { time, questions, answer } = stage();
  expect(answer({ channel: 'mcp' })).toBe('too fast');
  time.pass(5_000);
  expect(answer({ channel: 'mcp', scope: 'once' })).toBe('not here');
  for (const again of [1, 2]) {
    const { question } = questions.ask(ASKED);
    expect(questions.isShut('s1', 'mcp')).toBe(false);
    expect([again, questions.answer(question.id, { channel: 'mcp' })]).toEqual([again, 'too fast']);
  }
  expect(questions.isShut('s1', 'mcp')).toBe(true);
  expect(questions.isShut('s2', 'mcp')).toBe(false);
  const { question } = questions.ask(ASKED);
  time.pass(5_000);
  expect(questions.answer(question.id, { channel: 'mcp', scope: 'once' })).toBe('not here');
  expect(questions.isShut('s1', 'terminal')).toBe(false);
  expect(questions.answer(question.id, { channel: 'terminal', scope: 'once' })).toBe('counted');
  questions.endSession('s1');
  expect(questions.isShut('s1', 'mcp')).toBe(false);
});

describe('is void or withdrawn', () => {
  it('when whoever asked has gone', async () => {
    const gone = new AbortController();
    const { time, ended } = stage({}, gone.signal);
    gone.abort();
    expect(await ended()).toEqual({ state: 'withdrawn' });
    expect(time.pending).toBe(0);
  });

  it('and waits for nobody any more once it is answered', () => {
    const { signal } = new AbortController();
    const { answer } = stage({}, signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    answer({ channel: 'terminal' });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('when they had gone before', async () => {
    expect(await stage({}, AbortSignal.abort()).ended()).toEqual({ state: 'withdrawn' });
  });

  it('when the policy changes: all of them', async () => {
    const { questions, ended } = stage();
    questions.void('the policy was read again');
    expect(await ended()).toEqual({ state: 'void', why: 'the policy was read again' });
  });

  it('when the session ends: those of that session', async () => {
    const { questions, ended } = stage();
    questions.ask({ ...ASKED, session: 's2' });
    questions.endSession('s1');
    expect(await ended()).toMatchObject({ state: 'void' });
    expect(questions.all.map(({ session }) => session)).toEqual(['s2']);
  });
});

it('tells whoever shows the questions', () => {
  const { questions, answer } = stage();
  let told = 0;
  const end = questions.onChange(() => (told += 1));
  answer({ channel: 'terminal' });
  questions.ask(ASKED);
  expect(told).toBe(2);
  end();
  questions.void('stop');
  expect(told).toBe(2);
});

it('closes each once, also when whoever is told closes others', async () => {
  const { questions, ended } = stage();
  const second = questions.ask(ASKED);
  const end = questions.onChange(() => {
    end();
    questions.answer(second.question.id, { channel: 'terminal' });
  });
  questions.void('stop');
  expect(await ended()).toEqual({ state: 'void', why: 'stop' });
  expect(await second.closed).toMatchObject({ state: 'denied' });
});

it('an answer counts from when it was before whoever gave it, however long it took to get there', () => {
  const { time, questions, question, answer } = stage();
  time.pass(5_000);
  expect(answer({ channel: 'mcp', scope: 'once', tookMs: 699 })).toBe('too fast');
  expect(answer({ channel: 'terminal', tookMs: 5 })).toBe('counted');
  expect(questions.known(question.id)).toBe(question);
  const second = questions.ask(ASKED).question;
  expect(questions.known(second.id)).toBe(second);
  time.pass(700);
  expect(questions.answer(second.id, { channel: 'mcp', scope: 'once', tookMs: 700 })).toBe('counted');
});

it('keeps two hundred closed ones in mind', () => {
  const questions = new PendingApprovals(new Time());
  const ids = Array.from({ length: 201 }, () => questions.ask(ASKED).question.id);
  questions.void('stop');
  expect([ids[0], ids[1], ids[200]].map((id) => questions.answer(id!, { channel: 'terminal' }))).toEqual([
    ...['unknown question', 'already closed', 'already closed'],
  ]);
});
