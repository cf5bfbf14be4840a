// @module-tag safety

import { afterEach, describe, expect, it } from 'vitest';
import { fakeDesktop, type FakeDesktop, type WidgetSpec } from '../../drivers/fake/index.js';
import { compilePolicy, type PolicyFile } from '../../policy/index.js';
import { Desktop, type PendingApproval, perform, type UserAnswer } from '../../runtime/index.js';
import { SecretStore, TaintTracker } from '../../secrets/index.js';
import { DesktopError } from '../../shared/index.js';
import { TOOLS } from '../index.js';

const SECRETS: PolicyFile['secrets'] = {
  bank: { env: 'DP_TEST_BANK', into: { app: '/usr/bin/bank' } },
  page: { env: 'DP_TEST_BANK', into: { app: '/usr/bin/bank', url: 'https://bank.example/*' } },
};

let fake: FakeDesktop;
let desktop: Desktop;
afterEach(() => desktop.close());

function open(rules: PolicyFile['rules'], page: WidgetSpec): void {
  fake = fakeDesktop({
    windows: [
      {
        ...{ key: 'Bank', title: 'Bank', app: 'bank', program: '/usr/bin/bank' },
        bounds: { x: 0, y: 0, width: 400, height: 400 },
        children: [{ role: 'textbox', name: 'Login' }, page],
      },
    ],
  });
  const policy = compilePolicy({ user: { version: 1, secrets: SECRETS, rules } }, 'virtual');
  const store = new SecretStore(policy.settings.secrets, { environment: { DP_TEST_BANK: 'correct horse' } });
  const secrecy = { store, taint: new TaintTracker() };
  desktop = new Desktop({ name: 'desk', kind: 'virtual', driver: fake.driver, policy, secrecy });
}

type User = (question: PendingApproval) => UserAnswer;

async function call(tool: string, args: object, user?: User): Promise<Record<string, unknown>> {
  const onQuestion = (question: PendingApproval): void =>
    void desktop.authorizer.questions.answer(question.id, user!(question));
  try {
    const { json } = await perform(desktop, TOOLS, {
      ...{ tool, args: { settleMs: 40, timeoutMs: 400, ...args }, caller: 'mcp:a' },
      ...(user && { onQuestion }),
    });
    return json;
  } catch (error) {
    if (!(error instanceof DesktopError)) throw error;
    return { ...error.toJSON() };
  }
}

describe('a secret for a web page', () => {
  const page = (url: string | null, key: string, ...children: WidgetSpec[]): WidgetSpec => ({
    ...{ role: 'document', name: key, key, url },
    children: [{ role: 'textbox', name: `in ${key}`, key: `in ${key}` }, ...children],
  });
  const type = (field: string, more: object = {}, user?: User): Promise<Record<string, unknown>> =>
    call('ui_type', { target: `textbox:"in ${field}"`, secret: 'page', ...more }, user);
  const BANK = 'https://bank.example/login';

  it.each<[string, WidgetSpec, string, boolean]>([
    ['its page', page(BANK, 'outer'), 'outer', true],
    ['another page', page('https://evil.example/', 'outer'), 'outer', false],
    ['a page without a known address', page(null, 'outer'), 'outer', false],
    ['its page in itself', page(BANK, 'outer', page(BANK, 'inner')), 'inner', true],
    ['its page around a frame of another', page(BANK, 'outer', page('https://e.example/', 'inner')), 'outer', true],
    ['a frame of another page in its page', page(BANK, 'outer', page('https://e.example/', 'inner')), 'inner', false],
    ['its page in a frame of another', page('https://e.example/', 'outer', page(BANK, 'inner')), 'inner', false],
    ['data: in its page', page(BANK, 'outer', page('data:text/html,x', 'inner')), 'inner', false],
  ])('is typed into %s only if all addresses match', async (_, scene, field, typed) => {
    open([], scene);
    const done = await type(field);
    expect(done).toMatchObject(typed ? { delivered: 'yes' } : { code: 'policy_denied', delivered: 'no' });
    expect(fake.diary.length > 0).toBe(typed);
  });

  it('is typed into nothing outside of a page, and one without url into no page', async () => {
    open([], page(BANK, 'outer'));
    expect(await call('ui_type', { target: 'textbox:Login', secret: 'page' })).toMatchObject({ code: 'policy_denied' });
    expect(await type('outer', { secret: 'bank' })).toMatchObject({
      ...{ code: 'policy_denied', message: expect.stringContaining('its into has no url') as string },
    });
    expect(fake.diary).toEqual([]);
  });

  it.each([
    ['by keys', { method: 'input' }],
    ['at once', {}],
  ])('is not typed %s into a page that navigates after the decision', async (_, more) => {
    const read = { times: 0 };
    open([], page(BANK, 'outer'));
    const pages = fake.driver.pages!.bind(fake.driver);
    fake.driver.pages = async (...given) => {
      const answer = await pages(...given);
      // Decided and checked with the first answer.
      if (++read.times === 1) fake.controls.navigate('outer', 'https://evil.example/');
      return answer;
    };
    expect(await type('outer', more)).toMatchObject({ code: 'policy_denied', delivered: 'no' });
    expect(read.times).toBeGreaterThan(1);
    expect(fake.diary.join('\n')).not.toContain('corr');
  });

  it('shows its address to the user, who approves it for this page only', async () => {
    const rules: PolicyFile['rules'] = [{ name: 'ask', when: { tool: 'ui_type' }, decision: 'ask', grant: 'once' }];
    open(rules, page(`${BANK}?token=1`, 'outer'));
    const asked: PendingApproval[] = [];
    const away: User = (question) => {
      asked.push(question);
      if (asked.length === 1) fake.controls.navigate('outer', 'https://bank.example/other');
      return { channel: 'terminal', scope: 'once' };
    };
    await type('outer', {}, away);
    const shown = asked.map((question) => (question.shown as { pages?: string[] }).pages);
    expect(shown).toEqual([['https://bank.example/login'], ['https://bank.example/other']]);
    // The user is not asked about a page that the policy refuses.
    fake.controls.navigate('outer', 'https://evil.example/');
    expect(await type('outer', {}, away)).toMatchObject({ code: 'policy_denied' });
    expect(asked).toHaveLength(2);
  });
});
