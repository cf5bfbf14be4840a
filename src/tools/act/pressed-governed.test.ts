import { afterEach, describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../audit/index.js';
import { fakeDesktop, type FakeDesktop, type WidgetSpec, type WindowSpec } from '../../drivers/fake/index.js';
import { compilePolicy, type PolicyFile } from '../../policy/index.js';
import { Desktop, perform } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { TOOLS } from '../index.js';

const field: WidgetSpec = { role: 'textbox', name: 'Note' };
const page: WindowSpec = {
  ...{ key: 'page', title: 'Account', app: 'web', program: '/usr/bin/web' },
  bounds: { x: 0, y: 0, width: 400, height: 600 },
  children: [
    { role: 'link', name: 'Delete account', children: [{ role: 'image', name: 'bin' }] },
    {
      ...{ role: 'button', key: 'around', name: 'Delete forever' },
      children: [{ role: 'group', children: [{ role: 'text', name: 'forever' }] }],
    },
    { role: 'group', name: 'Tools', children: [{ role: 'button', name: 'Delete it' }] },
    { role: 'label', key: 'words', name: 'Everything', children: [{ role: 'text', name: 'all of it' }] },
    { role: 'checkbox', name: 'Delete all', labelledBy: 'words', states: { checked: false } },
    { role: 'group', name: 'Delete what', children: [{ role: 'text', name: 'plain' }] },
    { role: 'group', children: [{ role: 'text', name: 'unrelated' }] },
    { role: 'combobox', key: 'Do', name: 'Do', states: { editable: true } },
    field,
  ],
};

let desktop: Desktop;
let fake: FakeDesktop;
let ledger: MemoryLedger;
afterEach(() => desktop.close());

type When = NonNullable<PolicyFile['rules']>[number]['when'];

const OTHER: WindowSpec['children'] = [
  { role: 'button', key: 'there', name: 'Keep', children: [{ role: 'text', name: 'elsewhere' }] },
];

function open(when: When, decision: 'deny' | 'ask' = 'deny', others: WindowSpec[] = []): void {
  fake = fakeDesktop({ windows: [page, ...others] });
  ledger = new MemoryLedger();
  const policy = compilePolicy({ user: { version: 1, rules: [{ name: 'no', when, decision }] } }, 'virtual');
  desktop = new Desktop({ name: 'desk', kind: 'virtual', driver: fake.driver, policy, ledger });
}

async function call(tool: string, args: object): Promise<string> {
  return perform(desktop, TOOLS, { tool, args: { settleMs: 20, timeoutMs: 300, ...args }, caller: 'me' }).then(
    ({ json }) => json.status as string,
    (error: unknown) => {
      if (error instanceof DesktopError) return error.code;
      throw error;
    },
  );
}

const DELETE: When = { name: '*delete*', class: ['act', 'raw'] };
const middleOf = async (target: string): Promise<{ x: number; y: number }> => {
  const { json } = await perform(desktop, TOOLS, { tool: 'ui_describe', args: { target }, caller: 'me' });
  const { x, y, width, height } = (json.element as { bounds: Record<'x' | 'y' | 'width' | 'height', number> }).bounds;
  return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
};

describe('a rule about a control is a rule about what is in it', () => {
  it.each<[string, string, object]>([
    ['a picture in a link', 'ui_click', { target: 'image:bin' }],
    ['by the mouse', 'ui_click', { target: 'image:bin', method: 'input' }],
    ['a word deep in a button', 'ui_click', { target: 'text:forever' }],
    ['a named action', 'ui_act', { action: 'invoke', target: 'text:forever' }],
    ['its selection', 'ui_act', { action: 'select', target: 'text:forever' }],
    ['a drag from there', 'ui_drag', { from: 'text:forever', to: 'textbox:Note' }],
    ['a drag to there', 'ui_drag', { from: 'textbox:Note', to: 'image:bin' }],
    ['keys, for which it would be clicked', 'ui_key', { target: 'text:forever', keys: 'x' }],
    ['what lies where a group is clicked', 'ui_click', { target: 'group:Tools' }],
    ['the label of one', 'ui_click', { target: 'label:Everything' }],
    ['what is in the label of one', 'ui_click', { target: 'text:"all of it"' }],
    ['a text in a group with such a name', 'ui_click', { target: 'text:plain' }],
  ])('%s', async (_, tool, args) => {
    open(DELETE);
    expect([await call(tool, args), fake.diary]).toEqual(['policy_denied', []]);
  });

  it.each<[string, string, object]>([
    ['no group without a name presses anything', 'ui_click', { target: 'text:unrelated' }],
    ['nor does the mouse above it', 'ui_act', { action: 'hover', target: 'text:forever' }],
    ['another control', 'ui_click', { target: 'textbox:Note' }],
  ])('but %s', async (_, tool, args) => {
    open(DELETE);
    expect(await call(tool, args)).toMatch(/^(ok|no change)$/);
  });

  it.each(['image:bin', 'text:forever'])('a point on %s', async (target) => {
    open(DELETE);
    expect([await call('ui_click_xy', await middleOf(target)), fake.diary]).toEqual(['policy_denied', []]);
  });

  it('by its current name, whatever it was in the snapshot of its caller', async () => {
    open({ name: '*erase*', class: 'act' });
    const { json } = await perform(desktop, TOOLS, {
      tool: 'ui_describe',
      args: { target: 'text:forever' },
      caller: 'me',
    });
    const { ref } = json.element as { ref: string };
    fake.controls.setName('around', 'Erase');
    expect([await call('ui_click', { target: ref }), fake.diary]).toEqual(['policy_denied', []]);
  });

  it('as it is called now in another window, too', async () => {
    open({ name: '*erase*', class: 'act' }, 'deny', [{ ...page, key: 'other', title: 'Other', children: OTHER }]);
    const refOf = async (target: string): Promise<string> => {
      const { json } = await perform(desktop, TOOLS, { tool: 'ui_describe', args: { target }, caller: 'me' });
      return (json.element as { ref: string }).ref;
    };
    const drag = { from: await refOf('textbox:Note'), to: await refOf('text:elsewhere') };
    fake.controls.setName('there', 'Erase');
    expect([await call('ui_drag', drag), fake.diary]).toEqual(['policy_denied', []]);
  });

  it('also where the user is asked, and the log records why it was refused', async () => {
    open(DELETE, 'ask');
    expect([await call('ui_click', { target: 'image:bin' }), fake.diary]).toEqual(['approval_required', []]);
    await desktop.close();
    open(DELETE);
    await call('ui_click', { target: 'image:bin' });
    expect(ledger.records).toMatchObject([{ status: 'refused', target: { role: 'link', name: 'Delete account' } }]);
  });

  it('and its risk is theirs', async () => {
    open({ name: 'nothing is called so' });
    await call('ui_click', { target: 'image:bin' });
    expect(ledger.records[0]).toMatchObject({
      kind: 'intent',
      target: { role: 'image', name: 'bin' },
      decision: { answer: 'allow', risk: { level: 'high' } },
    });
  });
});

describe('an act that results in a click is decided as a click', () => {
  it.each<[string, object, string]>([
    ['focus for a word', { action: 'focus', target: 'text:plain' }, 'approval_required'],
    ['focus for a group', { action: 'focus', target: 'group:Tools', method: 'input' }, 'approval_required'],
    ['not for a field, which takes it by itself', { action: 'focus', target: 'textbox:Note' }, 'ok'],
    ['expanding a button', { action: 'expand', target: 'button:More' }, 'approval_required'],
    ['not a combo box', { action: 'expand', target: 'combobox:Do' }, 'ok'],
  ])('%s', async (_, args, answer) => {
    const more: WidgetSpec = { role: 'button', name: 'More', states: { expanded: false } };
    const box: WidgetSpec = { role: 'combobox', name: 'Do', states: { expanded: false } };
    fake = fakeDesktop({ windows: [{ ...page, children: [...page.children!.slice(0, 6), more, box, field] }] });
    const policy = compilePolicy({ user: { version: 1, enabled: true } }, 'seat');
    desktop = new Desktop({ name: 'desk', kind: 'seat', driver: fake.driver, policy });
    expect(await call('ui_act', args)).toBe(answer);
  });

  it('and where something says that it takes the focus, but does not, it is not clicked for that', async () => {
    const item = (role: 'listitem' | 'treeitem' | 'textbox', states: WidgetSpec['states'] = {}): WidgetSpec => {
      return { role, name: role, noPattern: true, states };
    };
    const children = [item('listitem', { focusable: true }), item('treeitem'), item('textbox')];
    fake = fakeDesktop({ windows: [{ ...page, children }] });
    const policy = compilePolicy({ user: { version: 1, enabled: true } }, 'seat');
    desktop = new Desktop({ name: 'desk', kind: 'seat', driver: fake.driver, policy });
    const codes = [];
    for (const { role } of children) codes.push(await call('ui_act', { action: 'focus', target: `${role}:${role}` }));
    expect(codes).toEqual(['pattern_unsupported', 'pattern_unsupported', 'ok']);
    expect(fake.diary).toEqual([]);
  });

  it('by rules, too', async () => {
    open({ args: { action: 'invoke' } });
    expect(await call('ui_act', { action: 'focus', target: 'text:plain' })).toBe('policy_denied');
  });
});

describe('a value for a combo box is the option of that name', () => {
  it.each<[string, When, object, string]>([
    ['by its name', DELETE, { value: 'Delete all' }, 'policy_denied'],
    ['by spaces around it', { name: 'delete' }, { value: ' Delete ' }, 'policy_denied'],
    ['by its role', { role: 'option', name: 'Delete*' }, { value: 'Delete all' }, 'policy_denied'],
    ['as menus have them', { role: 'menuitem', name: 'Delete*' }, { value: 'Delete all' }, 'policy_denied'],
    ['by number', { role: 'option', name: '7' }, { value: 7 }, 'policy_denied'],
    ['another', DELETE, { value: 'Keep all' }, 'ok'],
    ['not what is written into a field', DELETE, { target: 'textbox:Note', value: 'Delete all' }, 'ok'],
  ])('%s', async (_, when, args, answer) => {
    open(when);
    expect(await call('ui_set_value', { target: 'combobox:Do', ...args })).toBe(answer);
    expect(fake.diary.length > 0).toBe(answer === 'ok');
  });
});
