import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../audit/index.js';
import { fakeDesktop, type FakeDesktop } from '../../drivers/fake/index.js';
import { govern, type PolicyFile } from '../../policy/index.js';
import { Deadline, DesktopError } from '../../shared/index.js';
import { Desktop } from '../desktop.js';
import { findTarget } from '../find-target.js';
import type { Asked } from '../govern/asked.js';
import { Reader } from '../reader.js';
import type { ActTool } from '../tool.js';
import type { Aim } from './aim.js';
import { performAct, type ActOutcome } from './perform-act.js';

let fake: FakeDesktop;
let desktop: Desktop;
let ledger: MemoryLedger;
let ready: Deadline;
let acts: number;

function open(user: Partial<PolicyFile> = {}): void {
  const children = ['Keep', 'Drop', 'Ask'].map((name) => ({ role: 'button' as const, name, key: name }));
  fake = fakeDesktop({ windows: [{ title: 'Form', app: 'crm', program: '/usr/bin/crm', children }] });
  ledger = new MemoryLedger();
  const policy = govern({ user: { version: 1, enabled: true, ...user } }, 'virtual');
  desktop = new Desktop({ name: 'desk', kind: 'virtual', driver: fake.driver, policy, ledger });
}
beforeEach(() => {
  acts = 0;
  open();
});
afterEach(() => desktop.close());

type Act = (times: number, actor: Parameters<ActTool['act']>[0], aim: Aim) => Promise<void>;

/** One act on `Keep`, or from it to another; `act` is told how often it was tried. */
async function perform(
  args: Record<string, unknown>,
  act: Act = async () => undefined,
  { readyMs = 2_000, aim = {} }: { readyMs?: number; aim?: Partial<Aim> } = {},
): Promise<ActOutcome | DesktopError> {
  const deadline = Deadline.in(5_000);
  const find = (name: string) => findTarget(desktop, `button:${name}`, undefined, deadline);
  const tool: Pick<ActTool, 'name' | 'class' | 'aim' | 'act'> = {
    ...{ name: 'ui_click', class: 'act' },
    aim: async () => {
      const target = await find('Keep');
      const onto = typeof args.onto === 'string' && { onto: await find(args.onto) };
      return { verb: 'click', needs: {}, target, window: target.window, ...onto, ...aim };
    },
    act: async (actor, aimed) => {
      acts += 1;
      await act(acts, actor, aimed);
      return { confirmed: true };
    },
  };
  const { onto: _, ...given } = args;
  const asked: Asked = { tool: 'ui_click', class: 'act', caller: 'mcp:a', args: given };
  ready = Deadline.in(readyMs);
  const times = { ready, deadline, settleMs: 20, verifyMs: 0 };
  return performAct(desktop, tool, { asked, reader: new Reader(desktop, deadline, 'mcp:a'), ...times }).catch(
    (error: unknown) => {
      if (error instanceof Error) return error as DesktopError;
      throw error;
    },
  );
}

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
    ['after a person was asked: not', { target: 'button:Keep' }, gone({ details: { asked: true } }), 1],
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

  it('is not looked for when something went out already, nor when the time for it is over', async () => {
    const after: Act = async (_, actor) => {
      actor.delivered = 'unknown';
      throw gone();
    };
    expect(await perform({ target: 'button:Keep' }, after)).toMatchObject({ code: 'stale_ref', delivered: 'unknown' });
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
  const rules: PolicyFile['rules'] = [
    { name: 'no-drop', decision: 'deny', when: { name: 'Drop' } },
    { name: 'ask', decision: 'ask', when: { name: 'Ask' } },
    { name: 'only-names', decision: 'allow', when: { name: 'Keep' } },
    { name: 'else', decision: 'deny', when: { class: 'act' } },
  ];
  it.each<[string, Record<string, unknown>, object, number]>([
    ['one end', { target: 'button:Keep' }, { result: {} }, 1],
    ['both ends allowed', { from: 'button:Keep', onto: 'Keep' }, { result: {} }, 1],
    ['the other end denied', { from: 'button:Keep', onto: 'Drop' }, { code: 'policy_denied' }, 0],
    ['the other end asked about', { from: 'button:Keep', onto: 'Ask' }, { ask: { decided: { rule: 'ask' } } }, 0],
  ])('%s', async (_, args, outcome, times) => {
    await desktop.close();
    open({ rules });
    expect(await perform(args)).toMatchObject(outcome);
    expect(acts).toBe(times);
  });

  it('what is to be asked is neither done nor written as begun', async () => {
    await desktop.close();
    open({ rules: [{ name: 'ask', decision: 'ask', when: { name: 'Keep' } }] });
    expect(await perform({ target: 'button:Keep' })).toMatchObject({
      ask: { decided: { answer: 'ask', rule: 'ask' } },
    });
    expect([acts, ledger.records]).toEqual([0, []]);
    desktop.governor.grants.give('app', {
      ...{ session: 'mcp:a', tool: 'ui_click', class: 'act', program: '/usr/bin/crm', risk: 'medium' },
    });
    expect(await perform({ target: 'button:Keep' })).toMatchObject({ result: {} });
    expect(ledger.records[0]).toMatchObject({
      kind: 'intent',
      decision: { by: expect.stringMatching(/^grant /) as string },
    });
  });
});

it('what is as wished already is not done', async () => {
  expect(await perform({ target: 'button:Keep' }, undefined, { aim: { already: 'is checked already' } })).toMatchObject(
    { result: {} },
  );
  expect([acts, ledger.records]).toEqual([0, []]);
});
