import { CallView } from '../visibility/call-view.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MemoryLedger } from '../../audit/index.js';
import { fakeDesktop, type FakeDesktop, type WindowSpec } from '../../drivers/fake/index.js';
import { compilePolicy, type PolicyFile } from '../../policy/index.js';
import { SecretStore, TaintTracker } from '../../secrets/index.js';
import { Deadline, DesktopError } from '../../shared/index.js';
import { Desktop } from '../desktop/desktop.js';
import { findTarget, type Target } from '../locate/target.js';
import type { ApprovalCase } from '../approval/ask-user.js';
import type { Approval } from '../approval/approval-validity.js';
import type { CallRequest } from '../request/policy-request.js';
import type { PolicyDecision } from '../authorization/authorizer.js';
import { Reader } from './reader.js';
import type { ActTool } from '../call/tool.js';
import type { ActionPlan } from './action.js';
import { attemptUntilDone } from './run-action.js';
import { FinalActError } from '../request/act-errors.js';
import { withTraits } from '../../../tests/scenes/calls.js';

type ActOutcome = Awaited<ReturnType<typeof attemptUntilDone>>;

let fake: FakeDesktop;
let pending: PolicyDecision | undefined;
let desktop: Desktop;
let ledger: MemoryLedger;
let ready: Deadline;
let acts: number;

function open(user: Partial<PolicyFile> = {}): void {
  const children = ['Keep', 'Drop', 'Ask'].map((name) => ({ role: 'button' as const, name, key: name }));
  fake = fakeDesktop({ windows: [{ title: 'Form', app: 'crm', program: '/usr/bin/crm', children }] });
  ledger = new MemoryLedger();
  const policy = compilePolicy({ user: { version: 1, enabled: true, ...user } }, 'virtual');
  const store = new SecretStore(policy.settings.secrets, { environment: { DW_PIN: 'a secret of a kind' } });
  const secrecy = { store, taint: new TaintTracker() };
  desktop = new Desktop({ name: 'desk', kind: 'virtual', driver: fake.driver, policy, ledger, secrecy });
}
beforeEach(() => {
  acts = 0;
  open();
});
afterEach(() => desktop.close());

type Act = (times: number, actor: Parameters<ActTool['act']>[0], plan: ActionPlan) => Promise<void>;

interface Given {
  readyMs?: number;
  /** What differs from the usual plan, at each attempt. */
  plan?: (tried: number) => Partial<ActionPlan> | Promise<Partial<ActionPlan>>;
  tool?: string;
  approval?: Approval;
}

const find = (name: string): Promise<Target> =>
  findTarget(CallView.forUser(desktop), `button:${name}`, undefined, Deadline.in(5_000));

/** One act on `Keep`, or from it to another; `act` gets the number of the attempt. */
async function perform(
  args: Record<string, unknown>,
  act: Act = async () => undefined,
  { readyMs = 2_000, plan = () => ({}), tool: name = 'ui_click', approval }: Given = {},
): Promise<ActOutcome | DesktopError> {
  const deadline = Deadline.in(5_000);
  let plans = 0;
  const tool: Pick<ActTool, 'name' | 'class' | 'plan' | 'act'> = {
    ...{ name, class: 'act' },
    plan: async () => {
      const target = await find('Keep');
      const onto = typeof args.onto === 'string' && { onto: await find(args.onto) };
      return { verb: 'click', needs: {}, target, window: target.window, ...onto, ...(await plan((plans += 1))) };
    },
    act: async (actor, planned) => {
      acts += 1;
      await act(acts, actor, planned);
      return { confirmed: true };
    },
  };
  const { onto: _, ...given } = args;
  const request: CallRequest = withTraits({ tool: name, class: 'act', caller: 'mcp:a', args: given });
  ready = Deadline.in(readyMs);
  const times = { actionableBy: ready, deadline, settleMs: 20, verifyMs: 0, ...(approval && { approval }) };
  const view = CallView.forUser(desktop);
  view.pendingReadApproval = pending;
  return attemptUntilDone({ view, recordsItself: false }, tool, {
    request,
    reader: new Reader(view, deadline, 'mcp:a'),
    ...times,
  }).catch((error: unknown) => {
    if (error instanceof Error) return error as DesktopError;
    throw error;
  });
}

describe('a read that still needs approval', () => {
  const needed: PolicyDecision = { answer: 'ask', rule: 'letters', scope: 'once' };
  const view = (of?: PolicyDecision): void => void (pending = of);
  afterEach(() => void (pending = undefined));

  it('is asked about if the act itself needs no approval', async () => {
    view(needed);
    expect(await perform({ target: 'button:Keep' })).toMatchObject({ ask: { decision: needed } });
    expect(acts).toBe(0);
  });

  it('is asked about together with an act that needs approval, by the rule of the act', async () => {
    open({ rules: [{ name: 'acts', decision: 'ask', when: { class: 'act' } }] });
    view(needed);
    expect(await perform({ target: 'button:Keep' })).toMatchObject({ ask: { decision: { rule: 'acts' } } });
  });

  it('asks nothing if no approval is pending', async () => {
    view();
    expect(await perform({ target: 'button:Keep' })).toHaveProperty('result');
    expect(acts).toBe(1);
  });
});

describe('what went away before anything was done', () => {
  const gone = (other: object = {}): Error => new DesktopError('stale_ref', 'It is no more.', other);
  it.each<[string, Record<string, unknown>, Error, number]>([
    ['by a selector: again', { target: 'button:Keep' }, gone(), 2],
    ['where a drag begins: again', { from: 'button:Keep' }, gone(), 2],
    ['as something else: again', { target: 'button:Keep' }, new DesktopError('target_changed', 'Other.'), 2],
    ['by a ref: not', { target: ' e1 ' }, gone(), 1],
    ['by nothing: not', {}, gone(), 1],
    ['for another reason: not', { target: 'button:Keep' }, new DesktopError('not_ready', 'Disabled.'), 1],
    ['after it went out: not', { target: 'button:Keep' }, gone({ delivered: 'unknown' }), 1],
    ['after the user was asked: not', { target: 'button:Keep' }, new FinalActError('stale_ref', 'It is no more.'), 1],
    [
      'by a fault of ours: not',
      { target: 'button:Keep' },
      Object.assign(new Error('x'), { code: 'stale_ref', delivered: 'no' }),
      1,
    ],
  ])('%s', async (_, args, error, times) => {
    const done = await perform(args, async (tried) => {
      if (tried === 1) throw error;
    });
    expect(acts).toBe(times);
    if (times === 2) expect(done).toMatchObject({ result: { status: expect.any(String) as string } });
    else expect((done as Error).message).toBe(error.message);
  });

  it('is not searched for after something was delivered, nor after the deadline', async () => {
    const after: Act = async (_, actor) => {
      actor.delivered = 'unknown';
      throw gone();
    };
    expect(await perform({ target: 'button:Keep' }, after)).toMatchObject({ code: 'stale_ref', delivered: 'unknown' });
    expect(acts).toBe(1);
    acts = 0;
    const { menus } = desktop;
    menus.note = () => {
      throw gone();
    };
    const done: Act = async (_, actor) => void (actor.delivered = 'yes');
    expect(await perform({ target: 'button:Keep' }, done)).toMatchObject({ code: 'stale_ref' });
    expect(acts).toBe(1);
    const late: Act = async () => {
      await expect.poll(() => ready.over).toBe(true);
      throw gone();
    };
    acts = 0;
    await perform({ target: 'button:Keep' }, late, { readyMs: 250 });
    expect(acts).toBe(1);
  });
});

describe('the second question', () => {
  const rules: NonNullable<PolicyFile['rules']> = [
    { name: 'no-drop', decision: 'deny', when: { name: 'Drop' } },
    { name: 'ask', decision: 'ask', when: { name: 'Ask' } },
    { name: 'only-names', decision: 'allow', when: { name: 'Keep' } },
    { name: 'else', decision: 'deny', when: { class: 'act' } },
  ];
  it.each<[string, Record<string, unknown>, object, number]>([
    ['one end', { target: 'button:Keep' }, { result: {} }, 1],
    ['both ends allowed', { from: 'button:Keep', onto: 'Keep' }, { result: {} }, 1],
    ['the other end denied', { from: 'button:Keep', onto: 'Drop' }, { code: 'policy_denied' }, 0],
    ['the other end asked about', { from: 'button:Keep', onto: 'Ask' }, { ask: { decision: { rule: 'ask' } } }, 0],
  ])('%s', async (_, args, outcome, times) => {
    await desktop.close();
    open({ rules });
    expect(await perform(args)).toMatchObject(outcome);
    expect(acts).toBe(times);
  });

  it.each<[string, Given]>([
    ['where it begins', { plan: async () => ({ target: await find('Ask'), onto: await find('Keep') }) }],
    ['where nothing was aimed at', { plan: () => ({ target: undefined }) }],
  ])('the user is asked %s', async (_, given) => {
    await desktop.close();
    open({ rules: [rules[1]!, rules[2]!, { name: 'keys', decision: 'ask', when: { class: 'act' } }] });
    expect(await perform({}, undefined, given)).toMatchObject({ ask: { decision: { answer: 'ask' } } });
    expect(acts).toBe(0);
  });

  it('the user is asked about the target where it is now', async () => {
    await desktop.close();
    open({ rules: [{ name: 'ask', decision: 'ask', when: { class: 'act' } }] });
    const box = (name: string): WindowSpec => {
      const children = [{ role: 'group' as const, name: `${name} box`, children: [{ role: 'button' as const, name }] }];
      return { title: name, app: name, children };
    };
    fake.controls.openWindow(box('First'));
    fake.controls.openWindow(box('Second'));
    const plan = async (): Promise<Partial<ActionPlan>> => {
      const [target, onto] = [await find('First'), await find('Second')];
      for (const name of ['First', 'Second']) fake.controls.setName(`${name} box`, `${name} drawer`);
      return { target, onto, window: target.window };
    };
    const outcome = (await perform({ from: 'button:First' }, undefined, { plan })) as { ask: ApprovalCase };
    const { target, onto } = outcome.ask.plan!;
    expect([target, onto].map((one) => one?.path.at(-1)?.name)).toEqual(['First drawer', 'Second drawer']);
  });

  it('no grant enables a session', async () => {
    const decision: PolicyDecision = { answer: 'ask', rule: 'not-enabled', enables: true };
    desktop.authorizer.decideOrRefuse = () => decision;
    const covers = vi.spyOn(desktop.authorizer.grants, 'covers');
    covers.mockReturnValue({ id: 'g1', scope: 'session' } as ReturnType<typeof desktop.authorizer.grants.covers>);
    expect(await perform({ target: 'button:Keep' })).toMatchObject({ ask: { decision } });
    expect(acts).toBe(0);
  });

  it('an approval of something else does not count', async () => {
    await desktop.close();
    open({ rules: [{ name: 'ask', decision: 'ask', when: { name: 'Keep' } }] });
    const { ask } = (await perform({ target: 'button:Keep' })) as { ask: ApprovalCase };
    const said = { by: 'terminal', scope: 'once', answeredAt: Date.now(), again: false } as const;
    const approval: Approval = { subject: ask.subject, hash: 'of something else', ...said };
    expect(await perform({ target: 'button:Keep' }, undefined, { approval })).toMatchObject({ ask: {} });
    expect(acts).toBe(0);
  });

  it('an act that needs approval is neither performed nor logged as an intent', async () => {
    await desktop.close();
    open({ rules: [{ name: 'ask', decision: 'ask', when: { name: 'Keep' } }] });
    expect(await perform({ target: 'button:Keep' })).toMatchObject({
      ask: { decision: { answer: 'ask', rule: 'ask' } },
    });
    expect([acts, ledger.records]).toEqual([0, []]);
    desktop.authorizer.grants.give('app', {
      ...{ session: 'mcp:a', tool: 'ui_click', class: 'act', program: '/usr/bin/crm', risk: 'medium' },
    });
    expect(await perform({ target: 'button:Keep' })).toMatchObject({ result: {} });
    expect(ledger.records[0]).toMatchObject({
      kind: 'intent',
      decision: { by: expect.stringMatching(/^grant /) as string },
    });
  });
});

it('an act whose result is already there is not performed', async () => {
  expect(
    await perform({ target: 'button:Keep' }, undefined, { plan: () => ({ noop: 'is checked already' }) }),
  ).toMatchObject({ result: {} });
  expect([acts, ledger.records]).toEqual([0, []]);
});

describe('menus of ours in the way', () => {
  const into = { app: '/usr/bin/crm' };
  let meanwhile: () => void;
  let closed: number;
  beforeEach(async () => {
    await desktop.close();
    open({
      rules: [{ name: 'ask', decision: 'ask', when: { name: 'Ask' } }],
      secrets: { pin: { env: 'DW_PIN', into } },
    });
    fake.controls.openWindow({ title: 'Mail', app: 'mail', key: 'mail' });
    closed = 0;
    meanwhile = () => undefined;
    desktop.menus.outside = async (_, __, deadline) => (await desktop.listWindows(deadline)).windows.slice(0, 1);
    desktop.menus.close = async (_, menus) => {
      closed += 1;
      meanwhile();
      return menus.map(({ ref }) => ref);
    };
  });
  const CLOSED = { result: { closed: ['w1'] } };
  /** What is aimed at when they are closed. */
  const then = (name: string): Given => ({
    plan: async (tried) => (tried === 1 ? {} : { target: await find(name) }),
  });

  it('are closed first, and the window that became active is reported', async () => {
    meanwhile = () => fake.controls.activate('Form');
    expect(await perform({ target: 'button:Keep' })).toMatchObject({ result: { closed: ['w1'], activated: 'w2' } });
    expect(acts).toBe(1);
    desktop.menus.outside = async () => [];
    expect(await perform({ target: 'button:Keep' })).not.toMatchObject({ result: { closed: [] } });
    expect([acts, closed]).toEqual([2, 1]);
  });

  const SECRET = { secret: 'pin' };
  it.each<[string, object, Given, object, number]>([
    ['something else that is allowed: done', {}, then('Drop'), CLOSED, 1],
    ['something to be asked about: not', {}, then('Ask'), { code: 'target_changed', retry: 'safe' }, 0],
    ['the same place for a secret: done', SECRET, { ...then('Keep'), tool: 'ui_type' }, CLOSED, 1],
    ['another place for a secret: not', SECRET, { ...then('Drop'), tool: 'ui_type' }, { code: 'target_changed' }, 0],
    [
      'already in the requested state: not',
      {},
      { plan: (tried) => (tried > 1 ? { noop: 'is checked already' } : {}) },
      CLOSED,
      0,
    ],
  ])('behind them is %s', async (_, args, given, outcome, times) => {
    expect(await perform({ target: 'button:Keep', ...args }, undefined, given)).toMatchObject(outcome);
    expect([acts, closed]).toEqual([times, 1]);
  });

  it.each([
    ['by their closing', true],
    ['before', false],
  ])('what must be gone after the act may have come %s', async (_, open) => {
    const come = (): void => void fake.controls.addChild('Form', { role: 'label', name: 'Wait', key: 'wait' });
    if (open) meanwhile = come;
    else {
      desktop.menus.outside = async () => [];
      come();
    }
    const leave: Act = async () => fake.controls.remove('wait');
    expect(await perform({ target: 'button:Keep', verify: { gone: 'label:Wait' } }, leave)).toMatchObject({
      result: { postcondition: 'satisfied' },
    });
  });
});
