// @module-tag safety
import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import {
  PendingApprovals,
  type Closing,
  type UserAnswer,
  type Subject,
  type AnswerResult,
} from './pending-approvals.js';

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
  const answer = (given: UserAnswer): AnswerResult => questions.answer(question.id, given);
  return { time, questions, question, ended, answer };
}

describe('the first valid answer', () => {
  it.each<[string, UserAnswer, Closing['state']]>([
    ['an approval', { channel: 'terminal', scope: 'once' }, 'allowed'],
    ['a wider approval', { channel: 'terminal', scope: 'app' }, 'allowed'],
    ['a denial', { channel: 'terminal' }, 'denied'],
    ['a denial with a reason', { channel: 'mcp', reason: 'not this folder' }, 'denied'],
  ])('%s closes the request', async (_, given, state) => {
    const { time, questions, ended, answer } = stage();
    time.pass(2_000);
    expect(answer(given)).toBe('counted');
    expect(await ended()).toMatchObject({ state });
    expect(questions.all).toEqual([]);
    expect(time.pending).toBe(0);
  });

  it('wins; a later answer learns that the request is closed', async () => {
    const { time, ended, answer } = stage();
    time.pass(2_000);
    expect(answer({ channel: 'terminal' })).toBe('counted');
    expect(answer({ channel: 'mcp', scope: 'once' })).toBe('already closed');
    expect(await ended()).toMatchObject({ state: 'denied' });
  });
});

describe('an unanswered or invalid answer', () => {
  it('after the time limit counts as a denial', async () => {
    const { time, ended, answer } = stage();
    time.pass(55_000);
    expect(await ended()).toEqual({ state: 'expired' });
    expect(answer({ channel: 'terminal', scope: 'once' })).toBe('already closed');
  });

  it('after the time limit is refused, also before the timer has fired', async () => {
    const { time, ended, answer } = stage();
    time.at += 55_000;
    expect(answer({ channel: 'terminal', scope: 'once' })).toBe('already closed');
    expect(await ended()).toEqual({ state: 'expired' });
  });

  it.each<[string, Partial<Subject>, UserAnswer, AnswerResult]>([
    ['an approval by a program', {}, { channel: 'mcp', scope: 'once' }, 'too fast'],
    ['a denial by a program', {}, { channel: 'mcp' }, 'too fast'],
    ['an answer on another channel', { channels: ['terminal'] }, { channel: 'mcp', scope: 'once' }, 'not here'],
    ['an approval with too wide a scope', { widest: 'once' }, { channel: 'terminal', scope: 'app' }, 'too wide'],
  ])('is %s: the request stays open for others', async (_, request, given, taken) => {
    const { questions, ended, answer } = stage(request);
    expect(answer(given)).toBe(taken);
    expect(await ended()).toBeUndefined();
    expect(questions.all).toHaveLength(1);
    expect(answer({ channel: 'terminal', scope: 'once' })).toBe('counted');
    expect(await ended()).toMatchObject({ state: 'allowed', channel: 'terminal' });
  });

  it('with an unknown id is refused', () => {
    const { questions } = stage();
    expect(questions.answer('ff'.repeat(16), { channel: 'terminal', scope: 'once' })).toBe('unknown question');
  });
});

it('ignores a channel that answered too fast for that request, and after three of them for the session', () => {
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

describe('a request', () => {
  it('is withdrawn when the caller cancels', async () => {
    const gone = new AbortController();
    const { time, ended } = stage({}, gone.signal);
    gone.abort();
    expect(await ended()).toEqual({ state: 'withdrawn' });
    expect(time.pending).toBe(0);
  });

  it('no longer listens to the caller after it is answered', () => {
    const { signal } = new AbortController();
    const { answer } = stage({}, signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    answer({ channel: 'terminal' });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('is withdrawn at once when the caller had cancelled before', async () => {
    expect(await stage({}, AbortSignal.abort()).ended()).toEqual({ state: 'withdrawn' });
  });

  it('is void when the policy changes, as are all others', async () => {
    const { questions, ended } = stage();
    questions.void('the policy was read again');
    expect(await ended()).toEqual({ state: 'void', why: 'the policy was read again' });
  });

  it('is void when its session ends, and the requests of other sessions are not', async () => {
    const { questions, ended } = stage();
    questions.ask({ ...ASKED, session: 's2' });
    questions.endSession('s1');
    expect(await ended()).toMatchObject({ state: 'void' });
    expect(questions.all.map(({ session }) => session)).toEqual(['s2']);
  });
});

it('notifies listeners when requests open and close', () => {
  const { questions, answer } = stage();
  let promptForCaller = 0;
  const end = questions.onChange(() => (promptForCaller += 1));
  answer({ channel: 'terminal' });
  questions.ask(ASKED);
  expect(promptForCaller).toBe(2);
  end();
  questions.void('stop');
  expect(promptForCaller).toBe(2);
});

it('closes each request once, also when a listener closes others', async () => {
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

it('measures how long the user had the request in view, not how long the answer travelled', () => {
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

it('remembers two hundred closed requests', () => {
  const questions = new PendingApprovals(new Time());
  const ids = Array.from({ length: 201 }, () => questions.ask(ASKED).question.id);
  questions.void('stop');
  expect([ids[0], ids[1], ids[200]].map((id) => questions.answer(id!, { channel: 'terminal' }))).toEqual([
    ...['unknown question', 'already closed', 'already closed'],
  ]);
});

describe('a session whose requests stay unanswered', () => {
  const ask = (questions: PendingApprovals, session = 's1', signal?: AbortSignal) =>
    questions.ask({ ...ASKED, session }, signal).question.id;
  const expire = (time: Time, questions: PendingApprovals, session?: string): void => {
    ask(questions, session);
    time.pass(55_000);
  };

  it('has to wait after the second one, longer after each further one, and at most ten minutes', () => {
    const time = new Time();
    const questions = new PendingApprovals(time);
    const pauses = Array.from({ length: 10 }, () => {
      expire(time, questions);
      return questions.pauseMs('s1');
    });
    expect(pauses).toEqual([0, 10_000, 20_000, 40_000, 80_000, 160_000, 320_000, 600_000, 600_000, 600_000]);
    time.pass(599_999);
    expect(questions.pauseMs('s1')).toBe(1);
    time.pass(1);
    expect(questions.pauseMs('s1')).toBe(0);
    expect(questions.pauseMs('s2')).toBe(0);
  });

  it('may ask again as soon as the user answers one of its requests', () => {
    const time = new Time();
    const questions = new PendingApprovals(time);
    for (let at = 0; at < 3; at++) expire(time, questions);
    time.pass(20_000);
    questions.answer(ask(questions), { channel: 'terminal' });
    expire(time, questions);
    expect(questions.pauseMs('s1')).toBe(0);
  });

  it('does not get around it by calling requests off or by ending', () => {
    const time = new Time();
    const questions = new PendingApprovals(time);
    for (let at = 0; at < 2; at++) {
      const caller = new AbortController();
      ask(questions, 's1', caller.signal);
      caller.abort();
    }
    questions.endSession('s1');
    expect(questions.pauseMs('s1')).toBe(10_000);
  });

  it('does not get around it by a new session for each request', () => {
    const time = new Time();
    const questions = new PendingApprovals(time);
    for (const session of ['n1', 'n2']) {
      questions.ask({ ...ASKED, session, door: 'http' });
      questions.endSession(session);
    }
    expect(questions.pauseMs('n3', 'http')).toBe(10_000);
    expect(questions.pauseMs('n3', 'elsewhere')).toBe(0);
    time.pass(10_000);
    questions.ask({ ...ASKED, session: 'n3', door: 'http' });
    time.pass(55_000);
    expect(questions.pauseMs('n4', 'http')).toBe(20_000);
  });

  it('does not make sessions wait that the user answers, behind the same door', () => {
    const time = new Time();
    const questions = new PendingApprovals(time);
    const known = questions.ask({ ...ASKED, session: 'known', door: 'http' }).question.id;
    expect(questions.answer(known, { channel: 'terminal' })).toBe('counted');
    for (const session of ['n1', 'n2', 'n3']) questions.ask({ ...ASKED, session, door: 'http' });
    time.pass(55_000);
    expect(questions.pauseMs('known', 'http')).toBe(0);
    expect(questions.pauseMs('n4', 'http')).toBe(20_000);
    time.pass(20_000);
    // An answer to a new session ends the pause of all of them.
    questions.answer(questions.ask({ ...ASKED, session: 'n4', door: 'http' }).question.id, { channel: 'terminal' });
    questions.ask({ ...ASKED, session: 'n5', door: 'http' });
    time.pass(55_000);
    expect(questions.pauseMs('n6', 'http')).toBe(0);
  });

  it('leaves room for others: at most eight requests of new sessions are open behind one door', () => {
    const questions = new PendingApprovals(new Time());
    const known = questions.ask({ ...ASKED, session: 'known', door: 'http' }).question.id;
    questions.answer(known, { channel: 'terminal' });
    for (let at = 0; at < 7; at++) questions.ask({ ...ASKED, session: `n${at}`, door: 'http' });
    expect(questions.isCrowded('n7', 'http')).toBe(false);
    const last = questions.ask({ ...ASKED, session: 'n7', door: 'http' }).question.id;
    expect(questions.isCrowded('n8', 'http')).toBe(true);
    expect(questions.isCrowded('n8', 'elsewhere')).toBe(false);
    expect(questions.isCrowded('n8', undefined)).toBe(false);
    expect(questions.isCrowded('known', 'http')).toBe(false);
    questions.answer(last, { channel: 'terminal' });
    expect(questions.isCrowded('n8', 'http')).toBe(false);
  });

  it('is not blamed for requests that became void', () => {
    const time = new Time();
    const questions = new PendingApprovals(time);
    for (let at = 0; at < 3; at++) {
      ask(questions);
      questions.void('the policy was read again');
    }
    expect(questions.pauseMs('s1')).toBe(0);
  });
});

describe('requests on a desktop that stay unanswered', () => {
  it('are followed by as much time without requests, whatever their sessions', () => {
    const { time, questions } = stage();
    expect(questions.desktopPauseMs('s2')).toBe(0);
    time.pass(30_000);
    questions.ask({ ...ASKED, session: 's2' });
    time.pass(25_000);
    // The first one has expired, the second one is open: a third would prolong the wait of others.
    expect(questions.desktopPauseMs('s3')).toBeGreaterThan(0);
    time.pass(30_000);
    expect(questions.desktopPauseMs('s3')).toBe(85_000);
    time.pass(85_000);
    expect(questions.desktopPauseMs('s3')).toBe(0);
    questions.ask({ ...ASKED, session: 's3' });
    expect(questions.desktopPauseMs('s4')).toBeGreaterThan(0);
    questions.endSession('s3');
    expect(questions.desktopPauseMs('s4')).toBe(10_000);
  });

  it.each<[string, number, UserAnswer, boolean]>([
    ['an answer of the user ends it', 20_000, { channel: 'terminal' }, false],
    ['a form that its client declines late counts as unanswered', 20_000, { channel: 'mcp' }, true],
    ['a form that is declined soon does not count', 5_000, { channel: 'mcp' }, false],
    ['a form that is accepted does not count', 20_000, { channel: 'mcp', scope: 'once' }, false],
  ])('%s', (_, ms, given, pauses) => {
    const { time, questions } = stage();
    time.pass(60_000);
    const { question } = questions.ask({ ...ASKED, session: 's2' });
    time.pass(ms);
    expect(questions.answer(question.id, given)).toBe('counted');
    expect(questions.desktopPauseMs('s3') > 0).toBe(pauses);
  });

  it('do not stop a session that the user has answered, until it ends', () => {
    const { time, questions, answer } = stage();
    answer({ channel: 'terminal', scope: 'once' });
    for (const session of ['s2', 's3']) {
      questions.ask({ ...ASKED, session });
      time.pass(60_000);
    }
    expect(questions.desktopPauseMs('s1')).toBe(0);
    questions.endSession('s1');
    expect(questions.desktopPauseMs('s1')).toBeGreaterThan(0);
  });
});
