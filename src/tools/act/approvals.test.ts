import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../audit/index.js';
import { fakeDesktop, type FakeDesktop, type WindowSpec } from '../../drivers/fake/index.js';
import { compilePolicy, parsePolicy, type PolicyFile } from '../../policy/index.js';
import { Desktop, type PendingApproval, perform, type UserAnswer } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { TOOLS } from '../index.js';

const windowOf = (key: string, app: string, x: number): WindowSpec => ({
  key,
  title: key,
  app,
  bounds: { x, y: 0, width: 300, height: 400 },
  children: [
    { role: 'label', key: `${key}-top`, name: 'Top' },
    { role: 'button', key: `${key}-create`, name: 'Create', does: (controls) => controls.setName('Status', 'Created') },
    { role: 'button', name: 'Delete' },
    { role: 'textbox', name: 'Name' },
    { role: 'label', key: 'Status', name: 'Empty' },
  ],
});

const YES: UserAnswer = { channel: 'terminal', scope: 'once' };

let fake: FakeDesktop;
let desktop: Desktop;
let ledger: MemoryLedger;
let request: PendingApproval[];
let changed: string[];

function open(user: Partial<PolicyFile> = { enabled: true }): void {
  fake = fakeDesktop({ windows: [windowOf('Accounts', 'crm', 0), windowOf('Stock', 'depot', 400)] });
  ledger = new MemoryLedger();
  const policy = compilePolicy({ user: { version: 1, ...user } }, 'seat');
  desktop = new Desktop({
    name: 'desk',
    driver: fake.driver,
    kind: 'seat',
    policy,
    ledger,
    policyChanged: () => changed,
  });
}

beforeEach(() => {
  request = [];
  changed = [];
  open();
});
afterEach(() => desktop.close());

type User = (question: PendingApproval) => UserAnswer | undefined | Promise<UserAnswer | undefined>;

/** One call whose user answers as `user` does; without one, no user can be asked. */
async function call(tool: string, args: object, user?: User, caller = 'cli'): Promise<Record<string, unknown>> {
  const onQuestion = async (question: PendingApproval): Promise<void> => {
    request.push(question);
    const answer = await user!(question);
    if (answer) desktop.authorizer.questions.answer(question.id, answer);
  };
  return perform(desktop, TOOLS, {
    ...{ tool, args: { ...(tool !== 'ui_list_windows' && { settleMs: 40 }), ...args }, caller },
    ...(user && { onQuestion: (question) => void onQuestion(question) }),
  }).then(
    ({ json }) => json,
    (error: unknown) => {
      if (error instanceof DesktopError) return { ...error.toJSON() };
      throw error;
    },
  );
}

const CREATE = { target: 'button:Create', window: 'Accounts' };
const done = (): string[] => fake.diary.filter((line) => /invoke|click/.test(line));
const kinds = (): unknown[] => ledger.records.map(({ kind }) => kind);

describe('a question', () => {
  it.each([
    ['Create', 'button:Delete'],
    ['Delete', 'button:Create'],
  ])('about %s prints the rule that would spare it, and that rule spares nothing riskier', async (name, other) => {
    await call('ui_click', { target: `button:${name}`, window: 'Accounts' }, () => ({ channel: 'terminal' }));
    const { rule } = request[0]!.shown as { rule: string };
    await desktop.close();
    const file = parsePolicy(`version: 1\nenabled: true\nrules:\n  - ${rule}\n`, { file: 'policy.yaml', tier: 'user' });
    open(file.policy);
    request = [];
    expect(await call('ui_click', { target: `button:${name}`, window: 'Accounts' })).toMatchObject({
      delivered: 'yes',
    });
    const elsewhere = { target: `button:${name}`, window: 'Stock' };
    expect(await call('ui_click', elsewhere)).toMatchObject({ code: 'approval_required' });
    expect(await call('ui_click', { target: other, window: 'Accounts' })).toMatchObject({ code: 'approval_required' });
  });

  it('about something risky says what stands beside it', async () => {
    await call('ui_click', { target: 'button:Delete', window: 'Accounts' }, () => ({ channel: 'terminal' }));
    expect(request[0]!.shown).toMatchObject({
      screen: { siblings: ['label "Top"', 'button "Create"', 'textbox "Name"', 'label "Empty"'] },
    });
    await call('ui_click', CREATE, () => ({ channel: 'terminal' }));
    expect(request[1]!.shown).not.toHaveProperty('screen.siblings');
  });
});

describe('an act that needs approval', () => {
  it('is done after a yes, once, and all of it is written down in its order', async () => {
    expect(await call('ui_click', CREATE, () => YES)).toMatchObject({ status: 'ok' });
    expect(done()).toEqual(['invoke button "Create"']);
    expect(kinds()).toEqual(['ask', 'answer', 'intent', 'outcome']);
    expect(ledger.records[1]).toMatchObject({ result: 'allowed', channel: 'terminal', scope: 'once' });
    expect(ledger.records[2]).toMatchObject({
      decision: { answer: 'ask', by: 'terminal', scope: 'once', risk: { level: 'medium' } },
      evidence: { subject: request[0]!.subjectHash },
    });
    await call('ui_click', CREATE, () => YES);
    expect(request).toHaveLength(2);
  });

  it('shows what it is about, from the screen in quotes', async () => {
    await call('ui_click', { target: 'button:Delete', window: 'Accounts' }, () => YES);
    expect(request[0]).toMatchObject({
      widest: 'once',
      shown: {
        what: expect.stringMatching(/^click e\d+ button "Delete" in w\d+$/) as string,
        why: expect.stringMatching(/^risk high, rule guarded\//) as string,
        screen: { app: 'crm', window: 'Accounts', name: 'Delete', role: 'button' },
      },
    });
  });

  it('is not done after a no, and the reason reaches the caller', async () => {
    const no: UserAnswer = { channel: 'terminal', reason: 'not this folder' };
    expect(await call('ui_click', CREATE, () => no)).toMatchObject({
      ...{ code: 'approval_denied', delivered: 'no', retry: 'no' },
      details: { userReason: 'not this folder' },
    });
    expect(done()).toEqual([]);
    expect(kinds()).toEqual(['ask', 'answer', 'call']);
  });

  it('is not performed without an answer, or if no user can be asked', async () => {
    open({ enabled: true, approvals: { seconds: 5 } });
    const silence = call('ui_click', CREATE, () => undefined);
    await expect.poll(() => request.length).toBe(1);
    expect(await silence).toMatchObject({ code: 'approval_timeout', retry: 'after' });
    expect(await call('ui_click', CREATE)).toMatchObject({ code: 'approval_required' });
    expect(done()).toEqual([]);
  });

  it('holds the turn while the question is open: no other caller acts, reads continue', async () => {
    let answer!: (answer: UserAnswer) => void;
    const waiting = call('ui_click', CREATE, () => new Promise((resolve) => (answer = resolve)));
    await expect.poll(() => request.length).toBe(1);
    desktop.authorizer.grants.give('app', {
      ...{ session: 'mcp:b', tool: 'ui_click', class: 'act', program: 'nothing', risk: 'medium' },
    });
    const other = call(
      'ui_scroll',
      { target: 'button:Create', window: 'Stock', direction: 'down' },
      undefined,
      'mcp:b',
    );
    expect(await call('ui_list_windows', {})).toMatchObject({ schema: 1 });
    expect(fake.diary).toEqual([]);
    answer(YES);
    expect(await waiting).toMatchObject({ status: 'ok' });
    await other;
    expect(done()[0]).toBe('invoke button "Create"');
  });
});

describe('what changes while the question is open', () => {
  const when = (change: () => void): User => {
    let first = true;
    return () => {
      if (first) change();
      first = false;
      return YES;
    };
  };

  it.each<[string, (controls: FakeDesktop['controls']) => void]>([
    ['moved within its window', (controls) => controls.remove('Accounts-top')],
    ['checked', (controls) => controls.setState('Accounts-create', 'checked', true)],
    ['selected', (controls) => controls.setState('Accounts-create', 'selected', true)],
  ])('%s: asked again with the difference, then done', async (_, change) => {
    expect(
      await call(
        'ui_click',
        CREATE,
        when(() => change(fake.controls)),
      ),
    ).toMatchObject({ status: 'ok' });
    expect(request).toHaveLength(2);
    expect(request[1]!.shown).toMatchObject({ changed: ['target'] });
    expect(request[1]!.subjectHash).not.toBe(request[0]!.subjectHash);
    expect(done()).toEqual(['invoke button "Create"']);
  });

  it('changed twice: not done', async () => {
    let at = 0;
    const user: User = () => {
      fake.controls.setState('Accounts-create', 'selected', (at += 1) % 2 === 1);
      return YES;
    };
    expect(await call('ui_click', CREATE, user)).toMatchObject({ code: 'target_changed', delivered: 'no' });
    expect(request).toHaveLength(2);
    expect(done()).toEqual([]);
  });

  it.each<[string, () => void, string]>([
    ['the target renamed', () => fake.controls.setName('Accounts-create', 'Destroy'), 'element_not_found'],
    ['the target gone', () => fake.controls.remove('Accounts-create'), 'element_not_found'],
    ['its window closed', () => fake.controls.closeWindow('Accounts'), 'element_not_found'],
    ['the policy changed on disk', () => (changed = ['policy.yaml']), 'policy_denied'],
    ['everything stopped', () => void desktop.stop('test'), 'cancelled|policy_denied'],
  ])('%s: not done', async (_, change, code) => {
    const answer = await call('ui_click', { ...CREATE, timeoutMs: 300 }, when(change));
    expect(answer.code).toMatch(new RegExp(`^(${code})$`));
    expect(done()).toEqual([]);
  });

  it('its window replaced by another of the same title, which the user was not asked about: not performed', async () => {
    const replaced = when(() => {
      fake.controls.closeWindow('Accounts');
      fake.controls.openWindow(windowOf('Accounts', 'crm', 0));
    });
    expect(await call('ui_click', { ...CREATE, timeoutMs: 300 }, replaced)).toMatchObject({
      code: expect.stringMatching(/^(target_changed|policy_denied)$/) as string,
      delivered: 'no',
    });
    expect(request).toHaveLength(1);
    expect(done()).toEqual([]);
  });

  it('its window closed without an answer: the question ends by itself', async () => {
    const closed: User = () => {
      fake.controls.closeWindow('Accounts');
      return undefined;
    };
    expect(await call('ui_click', CREATE, closed)).toMatchObject({
      code: 'policy_denied',
      message: expect.stringContaining('its window was closed') as string,
    });
    expect(desktop.authorizer.questions.all).toEqual([]);
  });

  it('the window moved aside by the user: performed', async () => {
    const aside = when(() => fake.controls.moveWindow('Accounts', { x: 50, y: 60 }));
    expect(await call('ui_click', CREATE, aside)).toMatchObject({ status: 'ok' });
    expect(request).toHaveLength(1);
  });
});

describe('a wider yes', () => {
  it('for the session covers the same tool in the same program', async () => {
    await call('ui_click', CREATE, () => ({ channel: 'terminal', scope: 'session' }));
    expect(await call('ui_click', CREATE)).toMatchObject({ delivered: 'yes', schema: 1 });
    expect(await call('ui_set_value', { target: 'textbox:Name', window: 'Accounts', value: 'x' })).toMatchObject({
      code: 'approval_required',
    });
    expect(await call('ui_click', CREATE, undefined, 'mcp:other')).toMatchObject({ code: 'approval_required' });
    expect(await call('ui_click', { ...CREATE, target: 'button:Delete' })).toMatchObject({ code: 'approval_required' });
    desktop.authorizer.forget('test');
    expect(await call('ui_click', CREATE)).toMatchObject({ code: 'approval_required' });
  });

  it('is not more than the question offers', async () => {
    const answers: unknown[] = [];
    const user: User = ({ id }) => {
      answers.push(desktop.authorizer.questions.answer(id, { channel: 'terminal', scope: 'app' }));
      return { channel: 'terminal' };
    };
    expect(await call('ui_click', { ...CREATE, target: 'button:Delete' }, user)).toMatchObject({
      code: 'approval_denied',
    });
    expect(answers).toEqual(['too wide']);
  });
});

describe('a session that is not enabled', () => {
  it('asks once, then goes by the rules', async () => {
    open({});
    const yes: User = ({ widest }) => ({ channel: 'terminal', scope: widest });
    expect(await call('ui_list_windows', {}, yes)).toMatchObject({ schema: 1 });
    expect(request).toMatchObject([{ shown: { enables: true } }]);
    expect(await call('ui_list_windows', {})).toMatchObject({ schema: 1 });
    expect(await call('ui_click', CREATE)).toMatchObject({ code: 'approval_required' });
    expect(await call('ui_list_windows', {}, undefined, 'mcp:b')).toMatchObject({ code: 'approval_required' });
    desktop.authorizer.disable();
    expect(await call('ui_list_windows', {})).toMatchObject({ code: 'approval_required' });
  });
});

describe('limits', () => {
  it('of a minute are held', async () => {
    open({ enabled: true, limits: { actsPerMinute: 2 } });
    const scroll = { target: 'button:Create', window: 'Accounts', direction: 'down' };
    await call('ui_scroll', scroll);
    await call('ui_scroll', scroll);
    expect(await call('ui_scroll', scroll)).toMatchObject({ code: 'rate_limited', retry: 'after', delivered: 'no' });
  });
});

describe('what is typed', () => {
  it('into a password field is in no record and no question', async () => {
    fake.controls.addChild('Accounts', { role: 'textbox', name: 'Password', states: { secret: true } });
    await call('ui_set_value', { target: 'textbox:Password', window: 'Accounts', value: 'hunter2' }, () => YES);
    await call('ui_set_value', { target: 'textbox:Nowhere', window: 'Accounts', value: 'hunter2', timeoutMs: 50 });
    expect(JSON.stringify([ledger.records, request])).not.toContain('hunter2');
  });
});
