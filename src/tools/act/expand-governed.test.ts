import { afterEach, describe, expect, it } from 'vitest';
import { fakeDesktop, type FakeDesktop, type WidgetSpec } from '../../drivers/fake/index.js';
import { compilePolicy, type PolicyFile } from '../../policy/index.js';
import { Desktop, perform } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { TOOLS } from '../index.js';

let desktop: Desktop;
let fake: FakeDesktop;
afterEach(() => desktop.close());

function open(children: WidgetSpec[], rules: PolicyFile['rules'] = []): void {
  const bounds = { x: 0, y: 0, width: 400, height: 600 };
  fake = fakeDesktop({
    windows: [{ key: 'w', title: 'Account', app: 'web', program: '/usr/bin/web', bounds, children }],
  });
  const policy = compilePolicy({ user: { version: 1, enabled: true, rules } }, 'seat');
  desktop = new Desktop({ name: 'desk', kind: 'seat', driver: fake.driver, policy });
}

async function act(action: string, target: string, more: object = {}): Promise<string> {
  const args = { action, target, settleMs: 20, timeoutMs: 300, ...more };
  return perform(desktop, TOOLS, { tool: 'ui_act', args, caller: 'me' }).then(
    ({ json }) => json.status as string,
    (error: unknown) => {
      if (error instanceof DesktopError) return error.code;
      throw error;
    },
  );
}

const ROLES = [
  ...(['button', 'link', 'menuitem', 'menubutton', 'tab', 'checkbox', 'switch', 'togglebutton', 'combobox'] as const),
  ...(['row', 'cell', 'listitem', 'treeitem', 'group'] as const),
];
const control = (role: WidgetSpec['role'], expanded: boolean): WidgetSpec => ({
  ...{ role, name: 'Close account', states: { expanded, focusable: true } },
});

describe('on a page, whose author declares what can be expanded, each is clicked, and authorized as a click', () => {
  it.each(ROLES)('%s', async (role) => {
    for (const [action, expanded] of [['expand', false] as const, ['collapse', true] as const]) {
      for (const method of ['auto', 'input', 'pattern']) {
        open([{ role: 'document', name: 'Page', children: [control(role, expanded)] }]);
        expect(await act(action, `${role}:"Close account"`, { method })).toBe('approval_required');
        expect(fake.diary).toEqual([]);
        await desktop.close();
      }
    }
  });

  it('also by rules about clicks', async () => {
    const rules: PolicyFile['rules'] = [{ name: 'no', when: { args: { action: 'invoke' } }, decision: 'deny' }];
    open([{ role: 'document', name: 'Page', children: [control('tab', false)] }], rules);
    expect(await act('expand', 'tab:"Close account"')).toBe('policy_denied');
  });
});

describe('in an app, what opens and does nothing else is free', () => {
  it.each(['treeitem', 'togglebutton', 'combobox', 'row'] as const)('%s', async (role) => {
    open([control(role, false)]);
    expect(await act('expand', `${role}:"Close account"`)).toBe('ok');
  });

  it.each(['menubutton', 'tab', 'checkbox', 'group'] as const)('not %s', async (role) => {
    open([control(role, false)]);
    expect(await act('expand', `${role}:"Close account"`)).toBe('approval_required');
    expect(fake.diary).toEqual([]);
  });
});
