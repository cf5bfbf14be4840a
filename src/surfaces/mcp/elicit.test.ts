import type { ClientCapabilities, ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import type { PendingQuestion } from '../../host/index.js';
import { readAnswer, supportsForms, elicitAnswer, approvalForm, type SendRequest } from './elicit.js';

const QUESTION: PendingQuestion = {
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
  ['a wider scope', { action: 'accept', content: { answer: 'session' } }, 'session'],
  ['a scope wider than offered', { action: 'accept', content: { answer: 'app' } }, undefined],
  ['a no', { action: 'accept', content: { answer: 'deny' } }, 'deny'],
  ['a declined form', { action: 'decline' }, 'deny'],
  ['a cancelled form', { action: 'cancel' }, undefined],
  ['an accepted form without a choice', { action: 'accept' }, undefined],
  ['an accepted form without content', { action: 'accept', content: {} }, undefined],
  ['an unknown choice', { action: 'accept', content: { answer: 'yes' } }, undefined],
  ['a choice of the wrong type', { action: 'accept', content: { answer: true } }, undefined],
])('%s', (_, said, answer) => {
  expect(readAnswer(said as ElicitResult, 'session')).toBe(answer);
});

test('the form has one choice up to the widest permitted scope, and no default', () => {
  const { message, requestedSchema } = approvalForm(QUESTION);
  expect(message).toBe(
    [
      'May the agent do this? click e22 button "Save" in w3',
      'program /usr/bin/mousepad (reported by the operating system)',
      'risk medium, rule guarded/act-medium',
      'with text "x\\u{202e}; rm -rf everything"',
      'in the window "Notes\\" accept" (text from the app)',
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
  ['a denial, without a scope', accepts('deny'), [{}]],
  ['a non-answer that came at once, to be counted', async () => ({ action: 'cancel' }), [{}]],
  ['nothing about a form that failed', () => Promise.reject(new Error('no')), []],
])('the host receives %s', async (_, said, heard) => {
  const { send, host, answers } = scene(said);
  await elicitAnswer(send, host, QUESTION, never);
  const all = heard.map((one) => ({ what: 'answer', id: QUESTION.id, channel: 'mcp', tookMs: soon, ...one }));
  expect(answers).toEqual(all);
});

test('does not show a form when the mcp channel is not allowed', async () => {
  const { send, host, asked, answers } = scene(accepts('once'));
  await elicitAnswer(send, host, { ...QUESTION, channels: ['terminal'] }, never);
  expect([asked, answers]).toEqual([[], []]);
});

test('ignores a form that returns after the request is closed', async () => {
  const over = new AbortController();
  const { send, host, answers } = scene(async () => (over.abort(), accepts('once')()));
  await elicitAnswer(send, host, QUESTION, over.signal);
  expect(answers).toEqual([]);
});

test('cancels only forms that were not answered when the request is closed', async () => {
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
])('a client with the capabilities %j: %s', (capabilities, can) => {
  expect(supportsForms(capabilities)).toBe(can);
});
