// @module-tag safety

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { FixtureApp, type DiaryLine } from '../conformance/fixture-app.js';
import { perform } from '../../src/runtime/index.js';
import { DesktopError } from '../../src/shared/index.js';
import { failureText, TOOLS } from '../../src/tools/index.js';
import { openRealDesktop, soon, type RealDesktop } from './support/real-desktop.js';
import { until } from './support/seat-room.js';

// An open menu has the keyboard, whichever window is active: what is asked about and written down must be what gets
// the keys.

let real: RealDesktop;
let menus: FixtureApp;
let editor: FixtureApp;
let field: string;
let own: string;
beforeAll(async () => {
  real = await openRealDesktop();
  menus = await FixtureApp.start('menu.py', real.seat.env);
  editor = await FixtureApp.start('menu.py', real.seat.env);
  const windows = await until('both windows', async () => {
    const { windows } = await real.desktop.listWindows(soon());
    const found = windows.filter(({ title, visible }) => title === 'Menus' && visible);
    return found.length === 2 ? found : undefined;
  });
  own = windows.find(({ pid }) => pid === editor.pid)!.ref;
  field = await until('its field', async () => {
    const { json } = await real.call('ui_query', { target: 'textbox:Field', window: own });
    return (json.matches as { ref: string }[])[0]?.ref;
  });
  await editor.command('close');
});
afterAll(async () => {
  await Promise.all([menus?.end(), editor?.end()]);
  await real?.stop();
});
afterEach(() => menus.command('close'));

const told = (app: FixtureApp): DiaryLine[] => app.diary.filter((line) => 'chosen' in line || 'text' in line);

/** The text of a call that must fail. The menu stays open while the call waits. */
async function refused(tool: string, args: Record<string, unknown>): Promise<string> {
  try {
    const { text } = await perform(real.desktop, TOOLS, { tool, args, caller: 'test', timeoutMs: 800 });
    return `done: ${text}`;
  } catch (error) {
    if (error instanceof DesktopError) return failureText(error);
    throw error;
  }
}

async function opened(title: string): Promise<void> {
  expect((await real.call('ui_window', { action: 'focus', window: own })).text).toMatch(/^ok/);
  await menus.command(`open ${title}`);
  await until('its menu', async () => {
    const { windows } = await real.driver.windows({ deadline: soon() });
    return windows.some(({ menu, visible, pid }) => menu && visible && pid === menus.pid);
  });
  // A title that is heard of only while keys are tried is refused in other words.
  await until('its title', async () => {
    const { windows } = await real.desktop.listWindows(soon());
    const shows = windows.some((one) => one.pid === menus.pid && one.title === 'Menus');
    return shows === (title === 'Menus');
  });
}

describe.each([
  ['of a window that may be seen', 'Menus', /^failed: not_ready\. w\d+ popup.* is open and takes the keys, not w\d+\./],
  [
    'of a hidden window',
    'My Banking',
    /^failed: policy_denied\. The keyboard focus is in a window that the policy hides\./,
  ],
])('a menu %s', (_, title, refusal) => {
  test.each([
    ['ui_key', { keys: 'Down Enter' }],
    ['ui_key', { keys: 'Enter', target: true }],
    ['ui_type', { text: 'T' }],
    ['ui_type', { text: 'T', target: true, method: 'input' }],
    ['ui_set_value', { value: 'T', target: true, method: 'input' }],
  ])('gets nothing that %s %j is for', async (tool, { target, ...args }: Record<string, unknown>) => {
    await opened(title);
    const said = await refused(tool, { ...args, ...(target === true && { target: field }) });
    expect(said).toMatch(/Delivered: no\./);
    if (tool === 'ui_key') expect(said).toMatch(refusal);
    await menus.command('close');
    expect([told(menus), told(editor)]).toEqual([[], []]);
  });
});

test('it is closed as the refusal says, and then the keys are for the window again', async () => {
  await opened('Menus');
  const said = await refused('ui_key', { keys: 'x' });
  const [, owner] = /next: close it with ui_key Escape in window (w\d+),/.exec(said)!;
  expect((await real.call('ui_key', { keys: 'Escape', window: owner })).text).toMatch(/^ok/);
  await real.call('ui_window', { action: 'focus', window: own });
  expect((await real.call('ui_key', { keys: 'x', target: field })).text).toMatch(/^ok/);
  await until('the letter', () => told(editor).length > 0);
  expect([told(menus), told(editor)]).toEqual([[], [{ text: 'x' }]]);
});
