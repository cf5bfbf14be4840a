import { afterEach, expect, it } from 'vitest';
import { MemoryLedger } from '../../audit/index.js';
import { fakeDesktop, type FakeDesktop, type WindowSpec } from '../../drivers/fake/index.js';
import { compilePolicy, type PolicyFile } from '../../policy/index.js';
import { Desktop, perform } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { TOOLS } from '../index.js';

// Buttons are 200x24, one below the other.
const WINDOWS: WindowSpec[] = [
  {
    ...{ key: 'form', title: 'Form', app: 'crm', program: '/usr/bin/crm' },
    bounds: { x: 0, y: 0, width: 300, height: 300 },
    children: ['Open', 'Delete', 'Close'].map((name) => ({ role: 'button', name, key: name })),
  },
  {
    ...{ key: 'notes', title: 'Notes', app: 'notes', program: '/usr/bin/notes' },
    bounds: { x: 400, y: 0, width: 300, height: 300 },
    children: [{ role: 'button', name: 'Keep', key: 'Keep' }],
  },
  {
    ...{ key: 'term', title: 'me@host', app: 'xterm', program: '/usr/bin/xterm' },
    bounds: { x: 0, y: 400, width: 300, height: 100 },
    children: [],
  },
];

let desktop: Desktop;
let fake: FakeDesktop;
let ledger: MemoryLedger;
afterEach(() => desktop.close());

type Rules = NonNullable<PolicyFile['rules']>;
const deny = (when: Rules[number]['when']): Rules => [{ name: 'no', when, decision: 'deny' }];
const ask = (when: Rules[number]['when']): Rules => [{ name: 'may', when, decision: 'ask' }];

async function call(rules: Rules, tool: string, args: object): Promise<string> {
  fake = fakeDesktop({ windows: WINDOWS });
  ledger = new MemoryLedger();
  const policy = compilePolicy({ user: { version: 1, rules } }, 'virtual');
  desktop = new Desktop({ name: 'desk', kind: 'virtual', driver: fake.driver, policy, ledger });
  return perform(desktop, TOOLS, { tool, args: { settleMs: 20, timeoutMs: 300, ...args }, caller: 'me' }).then(
    ({ json }) => String(json.status ?? json.code),
    (error: unknown) => {
      if (error instanceof DesktopError) return error.code;
      throw error;
    },
  );
}

const DELETE = { name: '*Delete*' };
const NOTES = { app: '*/notes', class: 'act' } as const;
const onDelete = { x: 100, y: 36 };
const away = { from: 'button:Open', dx: 400, dy: 0 };

it.each<[string, Rules, string, object, string | RegExp]>([
  ['a point on what is denied', deny(DELETE), 'ui_click_xy', onDelete, 'policy_denied'],
  ['a point beside it', deny(DELETE), 'ui_click_xy', { x: 100, y: 12 }, /^(ok|no change)$/],
  ['a point where nothing is', deny(DELETE), 'ui_click_xy', { x: 900, y: 600 }, /^(ok|no change)$/],
  ['a point on what is asked about', ask(DELETE), 'ui_click_xy', onDelete, 'approval_required'],
  ["a point in a terminal's window", [], 'ui_click_xy', { x: 100, y: 450 }, 'approval_required'],
  ['a paste by the middle button there', [], 'ui_click_xy', { x: 9, y: 450, button: 'middle' }, 'approval_required'],
  ['a point beside the terminal', [], 'ui_click_xy', { x: 350, y: 450 }, /^(ok|no change)$/],
  ['a drag by pixels into a denied program', deny(NOTES), 'ui_drag', away, 'policy_denied'],
  ['a drag by pixels onto a denied element', deny(DELETE), 'ui_drag', { from: 'button:Open', dy: 24 }, 'policy_denied'],
  ['a drag by pixels elsewhere', deny(DELETE), 'ui_drag', { from: 'button:Open', dy: 48 }, /^(ok|no change)$/],
  ['a drag by pixels into what is asked about', ask(NOTES), 'ui_drag', away, 'approval_required'],
])('%s', async (_, rules, tool, args, answer) => {
  const given = await call(rules, tool, args);
  if (answer instanceof RegExp) expect(given).toMatch(answer);
  else expect([given, fake.diary]).toEqual([answer, []]);
});

it('the log records what was at the point', async () => {
  await call([], 'ui_click_xy', onDelete);
  expect(ledger.records[0]).toMatchObject({
    kind: 'intent',
    target: { role: 'button', name: 'Delete', window: 'Form' },
  });
});

it('an element that came to the point after the decision is not clicked', async () => {
  const clicked = call(deny(DELETE), 'ui_click_xy', { x: 100, y: 12 });
  const { input: input } = fake.driver;
  const move = input!.move.bind(input);
  input!.move = async (to, options) => {
    await move(to, options);
    fake.controls.setName('Open', 'Delete all');
  };
  // It is decided again, by the element that is there now.
  expect(await clicked).toBe('policy_denied');
  expect(fake.diary).toEqual([]);
});
