import { afterEach, expect, it } from 'vitest';
import { fakeDesktop } from '../../drivers/fake/index.js';
import { compilePolicy, type PolicyFile } from '../../policy/index.js';
import { Desktop, perform } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { TOOLS } from '../index.js';

let desktop: Desktop;
afterEach(() => desktop.close());

async function call(rules: PolicyFile['rules'], tool: string, args: object): Promise<string> {
  const { driver } = fakeDesktop({
    windows: [
      {
        ...{ key: 'w', title: 'Notes', app: 'notes', program: '/usr/bin/notes' },
        bounds: { x: 0, y: 0, width: 300, height: 300 },
        children: [{ role: 'textbox', name: 'Text', states: { focused: true, editable: true, focusable: true } }],
      },
    ],
  });
  const policy = compilePolicy({ user: { version: 1, enabled: true, rules } }, 'seat');
  desktop = new Desktop({ name: 'desk', kind: 'seat', driver, policy });
  const target = { target: 'textbox:Text', settleMs: 0, timeoutMs: 300 };
  return perform(desktop, TOOLS, { tool, args: { ...target, ...args }, caller: 'me' }).then(
    () => 'done',
    (error: unknown) => (error instanceof DesktopError ? error.code : String(error)),
  );
}

const rule = (decision: 'deny' | 'allow', keys: string): PolicyFile['rules'] => [
  {
    name: 'mine',
    when: { args: { keys }, ...(decision === 'allow' && { risk: ['low', 'medium', 'high'] }) },
    decision,
  },
];

it.each<[string, string, boolean]>([
  ['ctrl+n', 'ctrl+n', true],
  ['ctrl+n', 'Control_L+n', true],
  ['ctrl+n', 'control+N', true],
  ['ctrl+n', 'Down ControlLeft+n Up', true],
  ['ctrl+n', 'ctrl+shift+n', false],
  ['ctrl+n', 'n', false],
  ['Control_L+N', 'ctrl+n', true],
  ['shift+ctrl+del', 'Control+Shift+Delete', true],
  ['super+l', 'Win+l', true],
  ['Super_L+l', 'cmd+l', true],
  ['PgDn', 'Page_Down', true],
  ['return', 'Enter', true],
  ['KP_Enter', 'NumpadEnter', true],
  ['arrowdown', 'Down', true],
  ['ctrl+*', 'Control+q', true],
  ['Down Down', 'ArrowDown ArrowDown', true],
])('a rule that denies %s fits %s: %s', async (named, pressed, fits) => {
  const said = await call(rule('deny', named), 'ui_key', { keys: pressed });
  expect(said === 'policy_denied').toBe(fits);
});

it('also what a line break in a text presses', async () => {
  expect(await call(rule('deny', 'Return'), 'ui_type', { text: 'a\n' })).toBe('policy_denied');
});

it.each<[string, string, boolean]>([
  ['ctrl+s', 'ctrl+s', true],
  ['Control+S', 'control+s', true],
  ['Down Down', 'Down Down', true],
  ['ctrl+s', 'Control_L+s', false],
  ['ctrl+s', 'ctrl+s ctrl+q', false],
])('a rule that allows %s fits %s: %s, and never more than what is written', async (named, pressed, fits) => {
  expect(await call(rule('allow', named), 'ui_key', { keys: pressed })).toBe(fits ? 'done' : 'approval_required');
});
