import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Finding } from '../drivers/contract/index.js';
import { afterAct } from '../../tests/scenes/after-act.js';
import { fakeDesktop, type FakeDesktop, type WindowSpec } from '../drivers/fake/index.js';
import { compilePolicy } from '../policy/index.js';
import { Desktop, type DesktopOptions, perform } from '../runtime/index.js';
import { Deadline, DesktopError } from '../shared/index.js';
import { TOOLS } from './index.js';

const SECRET = 'Balance 4,711.00';
const window = (key: string, title: string, x: number): WindowSpec => ({
  ...{ key, title, app: `${key}-app`, bounds: { x, y: 0, width: 200, height: 200 } },
  children: [
    { role: 'button', name: key === 'bank' ? SECRET : 'Save', key: `${key}-button` },
    { role: 'textbox', name: `${key} field`, key: `${key}-field` },
  ],
});

type Launch = NonNullable<DesktopOptions['launch']>;

let fake: FakeDesktop;
let desktop: Desktop;
beforeEach(() => {
  fake = fakeDesktop({ windows: [window('notes', 'Notes', 0), window('bank', 'My Banking', 300)] });
  desktop = new Desktop({ name: 'desk', kind: 'virtual', driver: fake.driver, policy: compilePolicy({}, 'virtual') });
});
afterEach(() => desktop.close());

async function call(tool: string, args: object = {}): Promise<{ text: string; json: Record<string, unknown> }> {
  return perform(desktop, TOOLS, { tool, args, caller: 'mcp:a' }).catch((error: unknown) => {
    if (!(error instanceof DesktopError)) throw error;
    return { text: `${error.code}: ${error.message} ${error.hint}`, json: { ...error.toJSON() } };
  });
}

const LEAKS = /bank|4,711/i;

describe('a window that policy hides', () => {
  it.each([
    ['ui_list_windows', {}],
    ['ui_list_windows', { hidden: true }],
    ['ui_snapshot', { window: '*' }],
    ['ui_query', { target: 'role=button' }],
    ['ui_events', {}],
  ])('is in no answer of %s %j', async (tool, args) => {
    const { text, json } = await call(tool, args);
    expect(text + JSON.stringify(json)).not.toMatch(LEAKS);
    expect(json.code).toBeUndefined();
  });

  it('is counted, and no more', async () => {
    expect((await call('ui_list_windows')).text).toMatch(/^1 window, 1 more hidden by policy\n/);
    expect((await call('ui_snapshot', { window: 'Nowhere' })).json).toMatchObject({
      code: 'element_not_found',
      hint: expect.stringMatching(
        /policy hides 1 window\. In a terminal, deskproof policy check lists the patterns\.$/,
      ) as string,
    });
  });

  it.each([
    ['ui_snapshot', { window: 'Banking' }],
    ['ui_click', { target: 'button:"Balance 4,711.00"', timeoutMs: 50 }],
    ['ui_click', { target: 'button:Save', window: 'My Banking', timeoutMs: 50 }],
    ['ui_window', { action: 'close', window: 'My Banking', timeoutMs: 50 }],
  ])('is not found by its words: %s %j', async (tool, args) => {
    const { json } = await call(tool, args);
    expect(json.code).toMatch(/^(element_not_found|not_ready)$/);
    expect(JSON.stringify(json.details ?? {})).not.toMatch(/4,711/);
    expect(fake.diary).toEqual([]);
  });

  it('that the caller has just started is reported as hidden at once, with the pattern and nothing else', async () => {
    const launch: Launch = () => {
      const pid = 4_711;
      fake.controls.openWindow({ ...window('safe', 'Secret notes', 600), app: 'vault', pid });
      return Promise.resolve({ pid, program: '/usr/bin/vault', exited: new Promise<never>(() => undefined) });
    };
    await desktop.close();
    fake = fakeDesktop({ windows: [window('notes', 'Notes', 0), window('bank', 'My Banking', 300)] });
    const policy = compilePolicy({ user: { version: 1, windows: { block: ['*secret*'] } } }, 'virtual');
    desktop = new Desktop({ name: 'desk', kind: 'virtual', driver: fake.driver, policy, launch });
    const { text, json } = await call('ui_launch', { command: 'vault' });
    expect(text).toBe(
      'policy_denied: vault runs (pid 4711), but its window is one that the policy hides (windows that match "*secret*"). ' +
        'Work in another app, or ask the user to do this or to change the policy.',
    );
    expect(json).toMatchObject({ delivered: 'yes', retry: 'no', details: { rule: 'windows/blocked' } });
    expect(JSON.stringify(json)).not.toMatch(/notes|bank/i);
  });

  it('that was seen under another title is refused by its refs, and by the focus in it', async () => {
    fake.controls.setTitle('bank', 'Start page');
    const { json } = await call('ui_query', { target: 'textbox:"bank field"' });
    const [{ ref, window: held }] = json.matches as [{ ref: string; window: string }];
    fake.controls.activate('bank');
    fake.controls.focus('bank-field');
    fake.controls.setTitle('bank', 'My Banking');
    for (const [tool, args] of [
      ['ui_describe', { target: ref }],
      ['ui_snapshot', { window: held }],
      ['ui_click', { target: ref, timeoutMs: 50 }],
      ['ui_type', { text: 'x', timeoutMs: 50 }],
      ['ui_key', { keys: 'Enter', timeoutMs: 50 }],
      ['ui_capture', { window: held }],
    ] as const) {
      const answer = await call(tool, args);
      expect([tool, answer.json.code]).toEqual([tool, 'policy_denied']);
      expect(answer.text).not.toMatch(LEAKS);
    }
    expect(fake.diary).toEqual([]);
  });

  it('is reported by no event', async () => {
    await call('ui_events');
    fake.controls.openWindow(window('vault', 'Vault - KeePass', 400));
    fake.controls.setName('bank-button', 'Balance 4,712.00');
    fake.controls.setTitle('bank', 'My Banking (2)');
    fake.controls.setTitle('notes', 'Notes, changed');
    await expect.poll(async () => (await call('ui_events')).text).toMatch(/Notes, changed/);
    const { text, json } = await call('ui_list_windows');
    expect(text + JSON.stringify(json)).not.toMatch(/bank|keepass|vault|4,71/i);
  });

  it('that an act turned into a hidden one is not reported by the act', async () => {
    fake.controls.setTitle('bank', 'Start page');
    const { json } = await call('ui_query', { target: 'window="Start page" >> role=button' });
    const [{ ref }] = json.matches as [{ ref: string }];
    const read = fake.driver.read.bind(fake.driver);
    let acted = false;
    afterAct(fake.driver, 'act', () => (acted = true));
    fake.driver.read = async (scope, options) => {
      if (acted) fake.controls.setName('bank-field', 'Balance 9,999.00');
      const answer = await read(scope, options);
      if (acted) fake.controls.setTitle('bank', 'My Banking');
      return answer;
    };
    const { text, json: answer } = await call('ui_click', { target: ref, settleMs: 50, timeoutMs: 400 });
    expect(acted).toBe(true);
    expect(text + JSON.stringify({ ...answer, resolvedTarget: 0, before: 0, after: 0 })).not.toMatch(
      /My Banking|9,999/,
    );
  });

  it('turns into one while it is read, 1,000 times: no name of it comes out', async () => {
    const read = fake.driver.read.bind(fake.driver);
    let queue = 0;
    for (let round = 0; round < 1_000; round++) {
      fake.controls.setTitle('bank', 'Start page');
      await desktop.listWindows(Deadline.in(5_000));
      fake.driver.read = async (scope, options) => {
        queue += 1;
        if (round % 2 === 0) fake.controls.setTitle('bank', 'My Banking');
        const answer = await read(scope, options);
        fake.controls.setTitle('bank', 'My Banking');
        return answer;
      };
      const { text, json } = await call('ui_snapshot', { window: '*' });
      expect(text + JSON.stringify(json)).not.toMatch(LEAKS);
    }
    fake.driver.read = read;
    expect(queue).toBeGreaterThan(1_000);
  });
});

it('a window that is gone by now is not quoted as what was in the way', async () => {
  fake.controls.setTitle('bank', 'Start page');
  const atPoint = fake.driver.atPoint!.bind(fake.driver);
  fake.driver.atPoint = async (point, options) => {
    const found = await atPoint(point, options);
    return found && { window: 'closed', path: [{ ...found.path[0]!, id: 'x', name: SECRET }] };
  };
  const { text, json } = await call('ui_click', { target: 'button:Save', method: 'input', timeoutMs: 50 });
  expect(json.code).toBe('not_ready');
  expect(text + JSON.stringify(json)).not.toMatch(/4,711/);
});

it('a problem of an app is reported only to callers that may know that it runs', async () => {
  const app = (name: string, pid: number, program = `/opt/${name}`): Finding => ({
    ...{ level: 'warn', what: `${name} does not answer`, app: { pid, name, program } },
  });
  const pid = (await fake.driver.windows({ deadline: Deadline.in(5_000) })).windows.find(({ title }) =>
    title.includes('Banking'),
  )!.pid!;
  const other: Finding = { level: 'warn', what: 'the display is slow' };
  fake.driver.doctor = async () => [app('Bitwarden', 1), app('shell', 2, '/opt/KeePassXC'), app('web', pid), other];
  const findings = async (): Promise<unknown> => (await call('ui_capabilities')).json.findings;
  expect(await findings()).toEqual([other]);
  fake.driver.doctor = async () => [app('web', 3), other];
  expect(await findings()).toMatchObject([{ what: 'web does not answer' }, other]);
  fake.driver.windows = () => Promise.reject(new DesktopError('timeout', 'The display does not answer.'));
  expect(await findings()).toEqual([other]);
});

it('a window that is hidden by its program is reported by no event, whatever its title', async () => {
  await desktop.close();
  const policy = compilePolicy({ user: { version: 1, windows: { block: ['/opt/vault.bin'] } } }, 'virtual');
  fake = fakeDesktop({ windows: [window('notes', 'Notes', 0)] });
  desktop = new Desktop({ name: 'desk', kind: 'virtual', driver: fake.driver, policy });
  await call('ui_events');
  fake.controls.openWindow({ ...window('bank', SECRET, 300), app: 'accounts', program: '/opt/vault.bin' });
  fake.controls.focus('bank-field');
  fake.controls.closeWindow('bank');
  fake.controls.setTitle('notes', 'Notes, changed');
  await expect.poll(async () => (await call('ui_list_windows')).text).toMatch(/Notes, changed/);
  const { text, json } = await call('ui_events');
  expect(text).toMatch(/Notes, changed/);
  expect(text + JSON.stringify(json)).not.toMatch(LEAKS);
});
