import type { ClientCapabilities, ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import type { AskedQuestion } from '../../host/index.js';
import { answerIn, canAsk, elicitAnswer, formOf, type SendRequest } from './elicit.js';

const QUESTION: AskedQuestion = {
  id: 'ab'.repeat(16),
  widest: 'session',
  expiresAt: Date.now() + 60_000,
  session: 'mcp:1',
  channels: ['terminal', 'mcp'],
  shown: {
    what: 'click e22 button "Save" in w3',
    why: 'risk medium, rule guarded/act-medium',
    tool: 'ui_click',
    caller: 'mcp',
    args: { target: 'e22', window: 'w3', text: 'x\u202e; rm -rf everything' },
    program: '/usr/bin/mousepad',
    screen: { window: 'Notes" accept' },
  },
};

test.each<[string, Partial<ElicitResult>, string | undefined]>([
  ['a yes', { action: 'accept', content: { answer: 'once' } }, 'once'],
  ['a wider yes', { action: 'accept', content: { answer: 'session' } }, 'session'],
  ['one that is wider than was offered', { action: 'accept', content: { answer: 'app' } }, undefined],
  ['a no', { action: 'accept', content: { answer: 'deny' } }, 'deny'],
  ['a form that was declined', { action: 'decline' }, 'deny'],
  ['a form that was called off', { action: 'cancel' }, undefined],
  ['a yes without a word', { action: 'accept' }, undefined],
  ['a yes without content', { action: 'accept', content: {} }, undefined],
  ['a word that there is not', { action: 'accept', content: { answer: 'yes' } }, undefined],
  ['a word of another kind', { action: 'accept', content: { answer: true } }, undefined],
])('%s', (_, said, answer) => {
  expect(answerIn(said as ElicitResult, 'session')).toBe(answer);
});

test('the form has one choice, up to what may be said, and no default', () => {
  const { message, requestedSchema } = formOf(QUESTION);
  expect(message).toBe(
    [
      'May the agent do this? click e22 button "Save" in w3',
      'program /usr/bin/mousepad, by the system',
      'risk medium, rule guarded/act-medium',
      'with text "x\\u{202e}; rm -rf everything"',
      'in the window "Notes\\" accept" (the app\'s own words)',
    ].join('\n'),
  );
  expect(requestedSchema).toEqual({
    type: 'object',
    properties: {
      answer: expect.objectContaining({ type: 'string', enum: ['deny', 'once', 'session'] }) as unknown,
    },
    required: ['answer'],
  });
  expect(JSON.stringify(requestedSchema)).not.toContain('default');
});

function scene(said: () => Promise<ElicitResult>) {
  const asked: unknown[] = [];
  const send: SendRequest = ({ params }) => (asked.push(params), said());
  const answers: Record<string, unknown>[] = [];
  const host = {
    request: async <T>(what: string, params?: unknown): Promise<T> => {
      answers.push({ what, ...(params as object) });
      return {} as T;
    },
  };
  return { send, host, asked, answers };
}

const accepts = (answer: string) => async (): Promise<ElicitResult> => ({ action: 'accept', content: { answer } });
const never = new AbortController().signal;
const soon = expect.any(Number) as number;

test.each<[string, () => Promise<ElicitResult>, object[]]>([
  ['an answer', accepts('once'), [{ scope: 'once' }]],
  ['a no, without a scope', accepts('deny'), [{}]],
  ['what is none and came at once, for the count', async () => ({ action: 'cancel' }), [{}]],
  ['nothing of a form that failed', () => Promise.reject(new Error('no')), []],
])('the host hears %s', async (_, said, heard) => {
  const { send, host, answers } = scene(said);
  await elicitAnswer(send, host, QUESTION, never);
  const all = heard.map((one) => ({ what: 'answer', id: QUESTION.id, channel: 'mcp', tookMs: soon, ...one }));
  expect(answers).toEqual(all);
});

test('a question that is not for forms is not put to one', async () => {
  const { send, host, asked, answers } = scene(accepts('once'));
  await elicitAnswer(send, host, { ...QUESTION, channels: ['terminal'] }, never);
  expect([asked, answers]).toEqual([[], []]);
});

test('a form that comes back when it is over is no answer', async () => {
  const over = new AbortController();
  const { send, host, answers } = scene(async () => (over.abort(), accepts('once')()));
  await elicitAnswer(send, host, QUESTION, over.signal);
  expect(answers).toEqual([]);
});

test('a form that was answered is not called off when the question is over; one that was not is', async () => {
  const over = new AbortController();
  const signals: AbortSignal[] = [];
  const { send, host } = scene(accepts('once'));
  const watched: SendRequest = (request, schema, options) => (
    signals.push(options.signal),
    send(request, schema, options)
  );
  await elicitAnswer(watched, host, QUESTION, over.signal);
  const unanswered: SendRequest = (_, __, { signal }) =>
    new Promise(
      (____, reject) => (signals.push(signal), signal.addEventListener('abort', () => reject(new Error('off')))),
    );
  const asking = elicitAnswer(unanswered, host, QUESTION, over.signal);
  over.abort();
  await asking;
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
});

test.each<[ClientCapabilities | undefined, boolean]>([
  [undefined, false],
  [{}, false],
  [{ elicitation: { url: {} } }, false],
  [{ elicitation: { form: {} } }, true],
])('a client that says %j: %s', (capabilities, can) => {
  expect(canAsk(capabilities)).toBe(can);
});
