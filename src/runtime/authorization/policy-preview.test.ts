import { CallView } from '../visibility/call-view.js';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { MemoryLedger } from '../../audit/index.js';
import { fakeDesktop, type FakeDesktop } from '../../drivers/fake/index.js';
import { compilePolicy, type PolicyFile, type PolicyRequest } from '../../policy/index.js';
import { Deadline } from '../../shared/index.js';
import { Desktop } from '../desktop/desktop.js';
import { findTarget } from '../locate/target.js';
import { Reader } from '../act/reader.js';
import { defineAct, defineTool, type Tool } from '../call/tool.js';
import { previewDecision, type DecisionPreview } from './policy-preview.js';
import { traitsOf, UNLISTED } from '../../../tests/scenes/calls.js';

let desktop: Desktop;
let fake: FakeDesktop;
let ledger: MemoryLedger;
afterEach(() => desktop.close());

const read = defineTool({
  ...{ name: 'ui_peek', class: 'read', description: 'Reads.', timeoutMs: 1_000, input: z.object({}) },
  ...UNLISTED,
  traits: traitsOf('ui_query'),
  run: async () => ({}),
  text: () => '',
});
const find = (target: string) => findTarget(CallView.forUser(desktop), target, undefined, Deadline.in(5_000));
const drag = defineAct({
  ...{ name: 'ui_drag', class: 'act', description: 'Drags.', timeoutMs: 1_000 },
  ...UNLISTED,
  traits: { text: 'none', keys: 'none', risk: 'drag', place: 'any-window', appGrant: true },
  input: z.object({ from: z.string(), to: z.string().optional() }),
  plan: async (_, { from, to }) => {
    const target = await find(from);
    return { verb: 'drag', needs: {}, target, window: target.window, ...(to && { onto: await find(to) }) };
  },
  act: () => Promise.reject(new Error('nothing is done')),
  text: () => '',
});

function open(
  rules: NonNullable<PolicyFile['rules']>,
  kind: PolicyRequest['desktop'] = 'virtual',
  enabled = true,
): void {
  const children = ['Keep', 'Drop', 'Ask'].map((name) => ({ role: 'button' as const, name }));
  fake = fakeDesktop({ windows: [{ title: 'Form', app: 'crm', program: '/usr/bin/crm', children }] });
  ledger = new MemoryLedger();
  const policy = compilePolicy({ user: { version: 1, enabled, rules, limits: { actsPerMinute: 0 } } }, kind);
  desktop = new Desktop({ name: 'desk', driver: fake.driver, kind, policy, ledger });
}

const of = (tool: Tool, args: Record<string, unknown>): Promise<DecisionPreview> =>
  previewDecision(
    CallView.forUser(desktop),
    tool,
    { args, caller: 'cli' },
    new Reader(CallView.forUser(desktop), Deadline.in(5_000), 'cli'),
  );

const NO_DROP = { name: 'no-drop', decision: 'deny', when: { name: 'Drop' } } as const;
const ASK = { name: 'ask', decision: 'ask', when: { name: 'Ask' } } as const;

it.each([
  [{ from: 'button:Keep' }, 'allow'],
  [{ from: 'button:Drop' }, 'deny'],
  [{ from: 'button:Ask' }, 'ask'],
  [{ from: 'button:Keep', to: 'button:Drop' }, 'deny'],
  [{ from: 'button:Drop', to: 'button:Keep' }, 'deny'],
  [{ from: 'button:Ask', to: 'button:Keep' }, 'ask'],
])('%j would be: %s; the stricter end counts', async (args, answer) => {
  open([NO_DROP, ASK]);
  expect((await of(drag, args)).decision.answer).toBe(answer);
  expect([fake.diary, ledger.records, desktop.authorizer.questions.all]).toEqual([[], [], []]);
});

it('where there is one end, nothing is asked of another', async () => {
  const keep = { name: 'keep', decision: 'allow', when: { name: 'Keep' } } as const;
  open([keep, { name: 'else', decision: 'deny', when: { class: 'act' } }]);
  expect((await of(drag, { from: 'button:Keep' })).decision).toMatchObject({ answer: 'allow', rule: 'keep' });
});

it('a read has no target', async () => {
  open([{ name: 'no-reads', decision: 'deny', when: { tool: 'ui_peek' } }]);
  expect((await of(read, {})).decision).toMatchObject({ answer: 'deny', rule: 'no-reads' });
});

it('names what the user has already allowed, only if the user would be asked', async () => {
  open([ASK]);
  const program = '/usr/bin/crm';
  const grant = desktop.authorizer.grants.give('app', {
    ...{ session: 'cli', tool: 'ui_drag', class: 'act', program, risk: 'medium' },
  });
  expect(await of(drag, { from: 'button:Ask' })).toMatchObject({ grant: grant!.id });
  expect(await of(drag, { from: 'button:Keep' })).not.toHaveProperty('grant');
});

it('no grant stands for enabling the session', async () => {
  open([], 'seat', false);
  desktop.authorizer.grants.give('app', {
    ...{ session: 'cli', tool: 'ui_drag', class: 'act', program: '/usr/bin/crm', risk: 'medium' },
  });
  const { decision, grant } = await of(drag, { from: 'button:Keep' });
  expect([decision.enables, grant]).toEqual([true, undefined]);
});
