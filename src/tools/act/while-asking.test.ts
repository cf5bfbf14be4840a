// @module-tag safety
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../audit/index.js';
import { fakeDesktop, type FakeDesktop, type WindowSpec } from '../../drivers/fake/index.js';
import { compilePolicy } from '../../policy/index.js';
import { Desktop, perform, type UserAnswer } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { TOOLS } from '../index.js';

// While the user is asked about an act of one caller, another caller acts.

const windowOf = (title: string, app: string, more: Partial<WindowSpec> = {}): WindowSpec => ({
  ...{ key: title, title, app, bounds: { x: 0, y: 0, width: 300, height: 400 } },
  children: [
    { role: 'button', key: `${title}-go`, name: 'Go' },
    { role: 'textbox', name: 'Name' },
  ],
  ...more,
});

let fake: FakeDesktop;
let desktop: Desktop;
beforeEach(() => {
  fake = fakeDesktop({
    windows: [
      windowOf('Accounts', 'crm', { pid: 71 }),
      windowOf('Ledger', 'crm', { pid: 72 }),
      windowOf('Stock', 'depot', { pid: 73, bounds: { x: 700, y: 0, width: 300, height: 400 } }),
      windowOf('Shell', 'xterm', { pid: 74 }),
      windowOf('News', 'firefox', { pid: 75 }),
      windowOf('Script', 'terminator', {
        pid: 76,
        program: '/usr/bin/python3',
        children: [{ role: 'terminal', name: 'Shell' }],
      }),
      windowOf('Project', 'editor', {
        pid: 77,
        children: [
          { role: 'group', children: [{ role: 'terminal', name: 'Build' }] },
          { role: 'button', name: 'Paste' },
        ],
      }),
      windowOf('Tools', 'editor', { pid: 77, role: 'dialog', of: 'Project' }),
      windowOf('Open file', 'portal', {
        ...{ pid: 78, role: 'dialog', of: 'Accounts' },
        children: [{ role: 'button', name: 'Choose' }],
      }),
    ],
  });
  const rules = [
    { name: 'ask-accounts', when: { window: 'Accounts', name: 'Go' }, decision: 'ask' as const },
    {
      name: 'else',
      decision: 'allow' as const,
      when: { risk: ['low' as const, 'medium' as const, 'high' as const, 'prohibited' as const] },
    },
  ];
  desktop = new Desktop({
    ...{ name: 'desk', driver: fake.driver, kind: 'seat', ledger: new MemoryLedger() },
    policy: compilePolicy({ user: { version: 1, enabled: true, rules } }, 'seat'),
  });
});
afterEach(() => desktop.close());

type Answer = Record<string, unknown>;
function call(tool: string, args: object, caller: string, timeoutMs = 60_000, signal?: AbortSignal): Promise<Answer> {
  return perform(desktop, TOOLS, {
    ...{ tool, args: { settleMs: 0, timeoutMs, ...args }, caller },
    onQuestion: () => undefined,
    ...(signal && { signal }),
  }).then(
    ({ json }) => json,
    (error: unknown) => {
      if (error instanceof DesktopError) return { ...error.toJSON() };
      throw error;
    },
  );
}
const open = () => desktop.authorizer.questions.all;
const answerAll = (answer: Partial<UserAnswer> = { scope: 'once' }): void => {
  for (const { id } of open()) desktop.authorizer.questions.answer(id, { channel: 'terminal', ...answer });
};
async function until(what: string, holds: () => boolean): Promise<void> {
  const end = Date.now() + 20_000;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`${what} did not happen`);
    await new Promise((wake) => setTimeout(wake, 5));
  }
}
/** The act of caller a that the user is asked about. */
async function askAbout(): Promise<{ first: Promise<Answer> }> {
  const first = call('ui_click', { target: 'button:Go', window: 'Accounts' }, 'mcp:a');
  await until('the question', () => open().length === 1);
  return { first };
}
const acts = (): string[] => fake.diary.filter((line) => /invoke|click|press|type|focus|set/.test(line));
const SHORT = 300;

describe('while a question of another caller is open', () => {
  it('an act by pattern goes on elsewhere', async () => {
    const { first } = await askAbout();
    expect(await call('ui_click', { target: 'button:Go', window: 'Stock' }, 'mcp:b')).toMatchObject({
      ...{ delivered: 'yes', method: 'pattern' },
    });
    expect(open()).toHaveLength(1);
    answerAll();
    expect(await first).toMatchObject({ delivered: 'yes' });
    expect(acts()).toEqual(['invoke button "Go"', 'invoke button "Go"']);
  });

  it.each<[string, string, object]>([
    ['in a terminal', 'ui_click', { target: 'button:Go', window: 'Shell' }],
    ['in a terminal inside another app', 'ui_act', { action: 'focus', target: 'role=terminal', window: 'Script' }],
    ['in an app that has a terminal inside', 'ui_click', { target: 'button:Paste', window: 'Project' }],
    ['in a dialog of an app that has a terminal inside', 'ui_click', { target: 'button:Go', window: 'Tools' }],
    [
      'in a dialog that another program shows for the app in question',
      'ui_click',
      { target: 'button:Choose', window: 'Open file' },
    ],
    ['in a browser', 'ui_click', { target: 'button:Go', window: 'News' }],
    ['in the window in question', 'ui_act', { action: 'focus', target: 'textbox:Name', window: 'Accounts' }],
    ['in another window of the app in question', 'ui_click', { target: 'button:Go', window: 'Ledger' }],
    ['by mouse', 'ui_click', { target: 'button:Go', window: 'Stock', method: 'input' }],
    ['with a key', 'ui_key', { keys: 'a', window: 'Stock' }],
    ['with text', 'ui_type', { target: 'textbox:Name', window: 'Stock', text: 'y', method: 'input' }],
    ['at a point', 'ui_click_xy', { x: 705, y: 300 }],
    ['on a window', 'ui_window', { window: 'Stock', action: 'focus' }],
    ['on the clipboard', 'ui_clipboard', { action: 'write', text: 'y' }],
  ])('an act %s waits', async (_, tool, args) => {
    const { first } = await askAbout();
    const answer = await call(tool, args, 'mcp:b', SHORT);
    expect(answer).toMatchObject({ code: 'timeout', delivered: 'no', retryAfter: 'the user has answered' });
    expect(acts()).toEqual([]);
    answerAll({});
    await first;
    expect(acts()).toEqual([]);
  });

  it('an act that waits is done after the answer, and after the act that was approved', async () => {
    const { first } = await askAbout();
    const second = call('ui_key', { keys: 'x', window: 'Stock' }, 'mcp:b');
    const third = call('ui_click', { target: 'button:Go', window: 'Stock' }, 'mcp:c');
    expect(await third).toMatchObject({ delivered: 'yes' });
    answerAll();
    expect(await first).toMatchObject({ delivered: 'yes' });
    expect(await second).toMatchObject({ delivered: 'yes' });
    const order = fake.diary.filter((line) => /invoke|press|key/.test(line));
    expect(order.slice(0, 2)).toEqual(['invoke button "Go"', 'invoke button "Go"']);
    expect(order.length).toBeGreaterThan(2);
  });
});

describe('one caller', () => {
  it('has one open question: a second act of it waits for the answer', async () => {
    const { first } = await askAbout();
    const late = await call('ui_click', { target: 'button:Go', window: 'Accounts' }, 'mcp:a', SHORT);
    expect(late).toMatchObject({ code: 'timeout', delivered: 'no', retryAfter: 'the user has answered' });
    const second = call('ui_click', { target: 'button:Go', window: 'Accounts' }, 'mcp:a');
    const other = call('ui_click', { target: 'button:Go', window: 'Accounts' }, 'mcp:b');
    await until('the question of the other caller', () => open().length === 2);
    expect(open().map(({ session }) => session)).toEqual(['mcp:a', 'mcp:b']);
    answerAll({});
    await first;
    await until('its second question', () => open().length === 1);
    answerAll({});
    expect([await second, await other]).toMatchObject([{ code: 'approval_denied' }, { code: 'approval_denied' }]);
  });
});

describe('a caller that waits', () => {
  const GO = { target: 'button:Go', window: 'Stock' };

  it('for a post-condition does not hold up others, and says that they acted meanwhile', async () => {
    const first = call('ui_click', { ...GO, verify: 'window:Never' }, 'mcp:a');
    await until('its act', () => acts().length === 1);
    const later = call('ui_click', GO, 'mcp:a');
    expect(await call('ui_click', GO, 'mcp:b', 5_000)).toMatchObject({ delivered: 'yes' });
    // The next act of the same caller waits for the end of its first one.
    expect(acts()).toHaveLength(2);
    fake.controls.openWindow(windowOf('Never', 'depot', { pid: 73 }));
    const { status, postcondition, reason } = await first;
    expect([status, postcondition]).toEqual(['unconfirmed', 'satisfied']);
    expect(reason).toContain('another caller acted');
    expect(await later).toMatchObject({ delivered: 'yes' });
  });

  it('for its target does not hold up others', async () => {
    const first = call('ui_click', { target: 'button:Later', window: 'Stock' }, 'mcp:a');
    expect(await call('ui_click', GO, 'mcp:b', 5_000)).toMatchObject({ delivered: 'yes' });
    fake.controls.addChild('Stock', { role: 'button', name: 'Later' });
    expect(await first).toMatchObject({ delivered: 'yes' });
  });
});

describe('after two requests without an answer', () => {
  const CREATE = { target: 'button:Go', window: 'Accounts' };
  /** A caller that asks, gives up, and comes back as another session. */
  async function askAndLeave(caller: string): Promise<void> {
    const leaving = new AbortController();
    const asked = call('ui_click', CREATE, caller, 60_000, leaving.signal);
    await until('the question', () => open().length === 1);
    leaving.abort();
    await asked;
  }

  it('a new session may not ask at once, and input of others goes on', async () => {
    await askAndLeave('mcp:h1');
    await askAndLeave('mcp:h2');
    expect(await call('ui_click', CREATE, 'mcp:h3')).toMatchObject({ code: 'rate_limited', delivered: 'no' });
    expect(open()).toEqual([]);
    expect(await call('ui_key', { keys: 'x', window: 'Stock' }, 'mcp:b', 5_000)).toMatchObject({ delivered: 'yes' });
  });

  it('a session that the user has answered may still ask', async () => {
    const { first } = await askAbout();
    answerAll();
    await first;
    await askAndLeave('mcp:h1');
    await askAndLeave('mcp:h2');
    const again = await askAbout();
    answerAll({});
    expect(await again.first).toMatchObject({ code: 'approval_denied' });
  });
});
