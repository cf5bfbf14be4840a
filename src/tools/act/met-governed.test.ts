import { afterEach, describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../audit/index.js';
import { fakeDesktop, type FakeDesktop, type WidgetSpec } from '../../drivers/fake/index.js';
import { compilePolicy, type PolicyFile } from '../../policy/index.js';
import { Desktop, type PendingApproval, perform } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { TOOLS } from '../index.js';

const row = (key: string, ...children: WidgetSpec[]): WidgetSpec => ({
  ...{ role: 'row', key, name: key, height: 30, layout: 'row', noPattern: true },
  ...{ states: { selected: false }, children },
});
const fillers = Array.from({ length: 10 }, (_, n) => row(`Filler ${n}`));
/** All of them below what shows; where a click on them goes, something else lies. */
const LOW: WidgetSpec[] = [
  row('Full', { role: 'button', name: 'Havoc', height: 30 }),
  row('Cells', { role: 'cell', name: 'Army Day', states: { selected: false } }, { role: 'checkbox', name: 'Tick' }),
  { role: 'group', name: 'Box', height: 30, children: [{ role: 'link', name: 'Havoc link', height: 30 }] },
  row('Worded', { role: 'label', key: 'words', name: 'All of it', height: 30 }),
  row('Plain', { role: 'text', name: 'plain' }),
  { role: 'checkbox', name: 'Havoc box', labelledBy: 'words', states: { checked: false }, height: 30 },
];

let desktop: Desktop;
let fake: FakeDesktop;
let ledger: MemoryLedger;
afterEach(() => desktop.close());

type Rules = NonNullable<PolicyFile['rules']>;
const about = (decision: 'deny' | 'ask', name: string): Rules => [
  { name: 'no', when: { name, class: ['act', 'raw'] }, decision },
];

function open(rules: Rules, low = LOW): void {
  const pane: WidgetSpec = {
    role: 'scrollpane',
    name: 'Pane',
    scroll: { height: 180 },
    children: [...fillers, ...low],
  };
  const top: WidgetSpec = { role: 'button', name: 'Top', height: 30 };
  fake = fakeDesktop({
    windows: [
      {
        ...{ title: 'Rows', app: 'rows', program: '/usr/bin/rows', bounds: { x: 0, y: 0, width: 400, height: 300 } },
        children: [top, pane],
      },
    ],
  });
  ledger = new MemoryLedger();
  const policy = compilePolicy({ user: { version: 1, rules } }, 'virtual');
  desktop = new Desktop({ name: 'd', kind: 'virtual', driver: fake.driver, policy, ledger });
  const { driver } = fake;
  const act = driver.act!.bind(driver);
  driver.act = async (element, pattern, options) => {
    if (pattern.kind !== 'scrollIntoView') return act(element, pattern, options);
    fake.controls.scroll('Pane', 300);
    return { done: { by: 'fake scrollTo', said: true } };
  };
}

async function call(tool: string, args: object): Promise<string> {
  const given = { settleMs: 20, timeoutMs: 2_000, ...args };
  return perform(desktop, TOOLS, { tool, args: given, caller: 'me' }).then(
    ({ json }) => String(json.status),
    (error: unknown) => {
      if (error instanceof DesktopError) return error.code;
      throw error;
    },
  );
}

const input = { method: 'input' };
const PRESSES: [string, string, string, object][] = [
  ['a button that is all of a row', 'Havoc', 'ui_click', { target: 'row:Full', ...input }],
  ['by the right button', 'Havoc', 'ui_click', { target: 'row:Full', button: 'right' }],
  ['twice', 'Havoc', 'ui_click', { target: 'row:Full', count: 2 }],
  ['for its menu', 'Havoc', 'ui_act', { action: 'context_menu', target: 'row:Full', ...input }],
  ['to select it', 'Havoc', 'ui_act', { action: 'select', target: 'row:Full', ...input }],
  ['for keys', 'Havoc', 'ui_key', { target: 'row:Full', keys: 'x' }],
  ['the cell whose words are clicked', 'Army*', 'ui_click', { target: 'row:Cells', ...input }],
  ['a link in a group', 'Havoc link', 'ui_click', { target: 'group:Box', ...input }],
  ['what the words in a row are the label of', 'Havoc box', 'ui_click', { target: 'row:Worded', ...input }],
  ['where a drag begins', 'Havoc', 'ui_drag', { from: 'row:Full', to: 'button:Top' }],
  ['where a drag ends', 'Havoc', 'ui_drag', { from: 'button:Top', to: 'row:Full' }],
];

describe('a target that had to be scrolled into view is decided by what is pressed there', () => {
  it.each(PRESSES)('%s', async (_, name, tool, args) => {
    open(about('deny', name));
    expect([await call(tool, args), fake.diary]).toEqual(['policy_denied', []]);
    await desktop.close();
    open(about('ask', name));
    expect([await call(tool, args), fake.diary]).toEqual(['approval_required', []]);
  });

  it.each(PRESSES)('and a rule about something else does not refuse: %s', async (_, __, tool, args) => {
    open(about('deny', 'Elsewhere'));
    expect(await call(tool, args)).toMatch(/^(ok|no change)$/);
  });

  it('the log records why it was refused, and what it was allowed as', async () => {
    open(about('deny', 'Havoc'));
    await call('ui_click', { target: 'row:Full', ...input });
    expect(ledger.records.at(-1)).toMatchObject({ status: 'refused', target: { role: 'button', name: 'Havoc' } });
    await desktop.close();
    open([], [row('Full', { role: 'button', name: 'Delete all', height: 30 })]);
    expect(await call('ui_click', { target: 'row:Full', ...input })).toMatch(/^(ok|no change)$/);
    const intents = ledger.records.filter(({ kind }) => kind === 'intent');
    expect(intents.at(-1)).toMatchObject({ decision: { risk: { level: 'high' } } });
  });
});

describe('a user who is asked about it', () => {
  it('says yes once, and it is pressed once', async () => {
    open(about('ask', 'Havoc'));
    const request: PendingApproval[] = [];
    const onQuestion = (question: PendingApproval): void => {
      request.push(question);
      expect(fake.diary).toEqual([]);
      desktop.authorizer.questions.answer(question.id, { channel: 'terminal', scope: 'once' });
    };
    const args = { target: 'row:Full', settleMs: 20, timeoutMs: 2_000, ...input };
    const { json } = await perform(desktop, TOOLS, { tool: 'ui_click', args, caller: 'cli', onQuestion });
    expect([json.delivered, request.length, fake.diary]).toEqual(['yes', 1, ['invoke button "Havoc"']]);
  });
});

describe('an element that came under the mouse after the decision is decided before it is pressed', () => {
  it.each(['deny', 'ask'] as const)('%s', async (decision) => {
    const more: WidgetSpec = { role: 'button', name: 'Havoc', key: 'more', hidden: true, height: 30 };
    fake = fakeDesktop({
      windows: [{ title: 'Rows', app: 'rows', program: '/usr/bin/rows', children: [row('Hovered', more)] }],
    });
    const policy = compilePolicy({ user: { version: 1, rules: about(decision, 'Havoc') } }, 'virtual');
    desktop = new Desktop({ name: 'd', kind: 'virtual', driver: fake.driver, policy, ledger });
    const { input: hands } = fake.driver;
    const move = hands!.move.bind(hands);
    hands!.move = async (to, options) => {
      await move(to, options);
      fake.controls.hide('more', false);
    };
    const answer = decision === 'deny' ? 'policy_denied' : 'approval_required';
    expect([await call('ui_click', { target: 'row:Hovered', ...input }), fake.diary]).toEqual([answer, []]);
  });
});

describe('what presses nothing is about the target alone', () => {
  it('the mouse above a row', async () => {
    open(about('deny', 'Havoc'));
    expect(await call('ui_act', { action: 'hover', target: 'row:Full' })).toMatch(/^(ok|no change|unconfirmed)$/);
    expect(fake.diary).toEqual([]);
  });

  /** What comes where the mouse goes, as soon as it is there. */
  function comesUnderTheMouse(children: WidgetSpec[]): void {
    const { input: input } = fake.driver;
    const move = input!.move.bind(input);
    input!.move = async (to, options) => {
      await move(to, options);
      input!.move = move;
      const bounds = { x: 0, y: 0, width: 400, height: 300 };
      fake.controls.openWindow({ title: 'Above', app: 'above', program: '/usr/bin/above', bounds, children });
    };
  }

  it('the wheel over a pane whose controls are denied: none of them is pressed or set by it', async () => {
    open(about('deny', '*Filler*'));
    expect(await call('ui_scroll', { target: 'scrollpane:Pane' })).toMatch(/^(ok|no change|unconfirmed)$/);
    expect(fake.diary).toHaveLength(1);
    expect(fake.diary[0]).toMatch(/^wheel 0,\d+ over row "Filler \d+"$/);
  });

  it('but the wheel is not turned over an element that came there after the decision', async () => {
    open([{ name: 'no', when: { app: '*/above', class: 'act' }, decision: 'deny' }]);
    comesUnderTheMouse([{ role: 'spinbutton', name: 'Havoc', value: 5, height: 300 }]);
    expect([await call('ui_scroll', { target: 'scrollpane:Pane', timeoutMs: 300 }), fake.diary]).toEqual([
      'not_ready',
      [],
    ]);
  });
});
