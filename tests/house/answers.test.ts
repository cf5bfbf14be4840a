import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { fakeDesktop, type FakeDesktop } from '../../src/drivers/fake/index.js';
import { compilePolicy } from '../../src/policy/index.js';
import { Desktop, type PendingApproval, perform } from '../../src/runtime/index.js';
import { DesktopError } from '../../src/shared/index.js';
import { failureText, TOOLS } from '../../src/tools/index.js';
import { form, list } from '../scenes/accounts.js';
import { editor, orders } from '../scenes/office.js';

// What models read, one file each, with what it costs. A change in one of them is a change for users: it goes into the
// CHANGELOG. The text of windows and snapshots is in src/tree/goldens.

type Args = Record<string, unknown>;

interface Example {
  /** Calls before it. */
  first?: [tool: string, args: Args][];
  /** What happens before it, and how many events of it are waited for. */
  meanwhile?: (fake: FakeDesktop) => void;
  heard?: number;
  /** Whose desktop it is; a user desktop asks. */
  kind?: 'seat' | 'virtual';
  /** The answer of the user. */
  no?: string;
  call: [tool: string, args: Args];
  tokens: number;
}

const IN = { window: 'w1', settleMs: 40 };
const QUICK = { ...IN, timeoutMs: 300 };

const ACTS: Record<string, Example> = {
  'act-opened': { call: ['ui_click', { target: 'button:Ask', ...IN }], tokens: 68 },
  'act-checked': { call: ['ui_act', { target: 'checkbox:Terms', action: 'check', ...IN }], tokens: 30 },
  'act-read-back': { call: ['ui_set_value', { target: 'spinbutton:Age', value: 36, ...IN }], tokens: 40 },
  'act-verified': {
    call: ['ui_click', { target: 'button:Create', verify: '"Created"', ...IN }],
    tokens: 39,
  },
  'act-typed': { call: ['ui_type', { target: 'textbox:E-mail', text: 'x', enter: true, ...IN }], tokens: 48 },
  'act-already': {
    call: ['ui_act', { target: 'checkbox:Terms', action: 'uncheck', ...IN }],
    tokens: 23,
  },
  'act-no-change': { call: ['ui_click', { target: 'button:Nothing', ...IN }], tokens: 51 },
  'act-unconfirmed': {
    first: [['ui_window', { action: 'front', window: 'w3' }]],
    call: ['ui_scroll', { target: 'textbox:Document', window: 'w3', settleMs: 40 }],
    tokens: 33,
  },
  'act-batch': {
    call: [
      'ui_batch',
      {
        steps: [
          { tool: 'ui_set_value', target: 'textbox:E-mail', value: 'ada@example.org', ...IN },
          { tool: 'ui_act', target: 'checkbox:Terms', action: 'check', ...IN },
          { tool: 'ui_click', target: 'button:Create', ...IN },
        ],
      },
    ],
    tokens: 88,
  },
  'act-meanwhile': {
    first: [['ui_snapshot', { window: 'w1' }]],
    meanwhile: ({ controls }) => {
      controls.openWindow({ title: 'Update available', app: 'gnome-software', role: 'dialog' });
      controls.activate('form');
    },
    call: ['ui_click', { target: 'button:Create', ...IN }],
    tokens: 52,
  },
  'act-window': { call: ['ui_window', { action: 'move', x: 60, y: 40, ...IN }], tokens: 29 },
  'act-clipboard': {
    first: [['ui_clipboard', { action: 'write', text: 'Dear Ada' }]],
    call: ['ui_clipboard', { action: 'read' }],
    tokens: 34,
  },
};

const READS: Record<string, Example> = {
  query: { call: ['ui_query', { target: 'role=button', window: 'w2', limit: 3 }], tokens: 158 },
  'query-none': { call: ['ui_query', { target: 'button:Sumbit', window: 'w1' }], tokens: 76 },
  describe: { call: ['ui_describe', { target: 'textbox:E-mail', window: 'w1' }], tokens: 90 },
  'read-rows': { call: ['ui_read', { target: 'name=Orders', range: '25-26', window: 'w4' }], tokens: 64 },
  'read-text': {
    call: ['ui_read', { target: 'textbox:Document', window: 'w3', range: 'characters 0-60' }],
    tokens: 50,
  },
  capture: { call: ['ui_capture', { window: 'w1', maxSize: 100 }], tokens: 26 },
  wait: { call: ['ui_wait', { until: 'button:Create', window: 'w1' }], tokens: 19 },
  assert: { call: ['ui_assert', { condition: 'button:Create', window: 'w1' }], tokens: 13 },
  events: {
    first: [['ui_events', {}]],
    meanwhile: ({ controls }) => {
      controls.openWindow({ title: 'Save As', app: 'mousepad', role: 'dialog' });
      controls.closeWindow('Save As');
      controls.setTitle('editor', 'notes.txt - Mousepad');
    },
    heard: 5,
    call: ['ui_events', {}],
    tokens: 102,
  },
  capabilities: { call: ['ui_capabilities', {}], tokens: 75 },
};

const FAILURES: Record<string, Example> = {
  'failed-not-found': { call: ['ui_click', { target: 'button:Creat3', ...QUICK }], tokens: 54 },
  'failed-ambiguous': { call: ['ui_click', { target: 'button:Delete', window: 'w2', timeoutMs: 300 }], tokens: 136 },
  'failed-stale': {
    first: [['ui_query', { target: 'button:Create', window: 'w1' }]],
    meanwhile: ({ controls }) => controls.closeWindow('form'),
    call: ['ui_click', { target: 'e1', timeoutMs: 300 }],
    tokens: 39,
  },
  'failed-disabled': { call: ['ui_click', { target: 'button:Later', ...QUICK }], tokens: 40 },
  'failed-covered': {
    meanwhile: ({ controls }) => void controls.openWindow({ ...form, key: 'over', title: 'Cookies', app: 'crm' }),
    call: ['ui_click', { target: 'button:"Mouse only"', window: 'New account', settleMs: 40, timeoutMs: 300 }],
    tokens: 54,
  },
  'failed-verify': {
    call: ['ui_click', { target: 'button:Ask', verify: { windowClosed: 'New account' }, ...QUICK }],
    tokens: 101,
  },
  'failed-hung': { call: ['ui_click', { target: 'button:Trap', ...QUICK }], tokens: 49 },
  'failed-batch': {
    call: [
      'ui_batch',
      {
        steps: [
          { tool: 'ui_act', target: 'checkbox:Terms', action: 'check', ...IN },
          { tool: 'ui_click', target: 'button:Later', ...QUICK },
          { tool: 'ui_click', target: 'button:Create', ...IN },
        ],
      },
    ],
    tokens: 101,
  },
  'failed-pattern': {
    call: ['ui_click', { target: 'button:"Mouse only"', method: 'pattern', ...QUICK }],
    tokens: 34,
  },
  'failed-wait': { call: ['ui_wait', { until: 'button:Never', window: 'w1', timeoutMs: 60 }], tokens: 34 },
  'failed-assert': {
    call: ['ui_assert', { condition: 'textbox:E-mail && value=ada', window: 'w1' }],
    tokens: 63,
  },
  'failed-arguments': { call: ['ui_click', { taget: 'button:Create' }], tokens: 28 },
  'failed-selector': { call: ['ui_click', { target: 'button:Create >>', ...QUICK }], tokens: 42 },
  'failed-denied': { kind: 'seat', call: ['ui_click_xy', { x: 5, y: 5 }], tokens: 50 },
  'failed-no-user': { kind: 'seat', call: ['ui_click', { target: 'button:Create', ...IN }], tokens: 56 },
  'failed-person': {
    kind: 'seat',
    no: 'not this account',
    call: ['ui_click', { target: 'button:Create', ...IN }],
    tokens: 56,
  },
};

let desktop: Desktop;
afterEach(() => desktop.close());

async function answerOf({ first = [], meanwhile, heard = 0, kind = 'virtual', no, call }: Example): Promise<string> {
  const fake = fakeDesktop({ windows: [form, list, editor, orders], hungAfterMs: 50 });
  const policy = compilePolicy({ user: { version: 1, enabled: true } }, kind);
  desktop = new Desktop({ name: 'desk', driver: fake.driver, kind, policy });
  // Every window has its number before the call.
  for (const [tool, args] of [['ui_list_windows', {}] as const, ...first]) {
    await perform(desktop, TOOLS, { tool, args, caller: 'me' });
  }
  let news = 0;
  const deaf = desktop.events.listen(() => (news += 1));
  meanwhile?.(fake);
  await vi.waitFor(() => expect(news).toBeGreaterThanOrEqual(heard));
  deaf();
  const [tool, args] = call;
  const refuse = ({ id }: PendingApproval): void =>
    void desktop.authorizer.questions.answer(id, { channel: 'terminal', ...(no !== undefined && { reason: no }) });
  return perform(desktop, TOOLS, {
    ...{ tool, args, caller: 'me' },
    ...(no !== undefined && { onQuestion: refuse }),
  }).then(
    ({ text }) => text,
    (error: unknown) => {
      if (error instanceof DesktopError) return failureText(error);
      throw error;
    },
  );
}

/** Without what is new each time. */
function settled(text: string): string {
  return text
    .replace(/^(<\/?ui )[0-9a-f]{8}/gm, '$173419000')
    .replace(/\b\d+ ms\b/g, '46 ms')
    .replace(/\b\d+\.\d s\b/g, '1.2 s')
    .replace(/\b\d\d:\d\d:\d\d\b/g, '14:03:12');
}

describe.each([
  ['acts', ACTS],
  ['reads', READS],
  ['failures', FAILURES],
])('%s', (_, all) => {
  test.each(Object.entries(all))('%s', async (name, one) => {
    const text = settled(await answerOf(one));
    await expect(`${text}\n`).toMatchFileSnapshot(`../golden/answers/${name}.txt`);
    expect(encode(text).length).toBe(one.tokens);
  });
});
