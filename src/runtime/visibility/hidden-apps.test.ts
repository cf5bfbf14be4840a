import { afterEach, beforeEach, expect, it } from 'vitest';
import { fakeDesktop, type FakeDesktop, type WindowSpec } from '../../drivers/fake/index.js';
import { compilePolicy, type PolicyFile } from '../../policy/index.js';
import { Deadline, DesktopError } from '../../shared/index.js';
import { TOOLS } from '../../tools/index.js';
import { Desktop } from '../desktop/desktop.js';
import { perform } from '../call/perform.js';
import { refuseHiddenClipboard } from './hidden-apps.js';
import type { CallView } from './call-view.js';

const COPIED = 'IBAN 0815';
const window = (key: string, title: string, more: Partial<WindowSpec> = {}): WindowSpec => ({
  ...{ key, title, app: key, program: `/usr/bin/${key}`, bounds: { x: 0, y: 0, width: 200, height: 200 }, ...more },
});

let fake: FakeDesktop;
let desktop: Desktop;
function open(user: Partial<PolicyFile> = {}, kind: 'virtual' | 'seat' = 'virtual'): void {
  fake = fakeDesktop({
    windows: [
      window('notes', 'Notes'),
      window('bank', 'My Banking'),
      window('books', 'Ledger'),
      window('mail', 'Mail'),
    ],
  });
  const file: PolicyFile = { version: 1, enabled: true, profile: { seat: 'private' }, ...user };
  const project: PolicyFile = { version: 1, windows: { block: ['*Ledger*'] } };
  desktop = new Desktop({
    ...{ name: 'desk', kind, driver: fake.driver, policy: compilePolicy({ user: file }, kind) },
    inProject: (directory) =>
      directory === '/project'
        ? { rules: compilePolicy({ user: file, callerProject: project }, kind), changed: () => [] }
        : undefined,
  });
}
beforeEach(() => open());
afterEach(() => desktop.close());

async function clipboard(directory?: string, args: object = {}): Promise<string> {
  const call = { tool: 'ui_clipboard', args: { settleMs: 0, ...args }, caller: 'mcp:a' };
  try {
    const { text, json } = await perform(desktop, TOOLS, { ...call, directory });
    return `${text} ${JSON.stringify(json)}`;
  } catch (error) {
    if (error instanceof DesktopError) return `${error.code}: ${error.message} ${JSON.stringify(error)}`;
    throw error;
  }
}
const REFUSED = /^policy_denied: The clipboard text was copied in a window that the policy hides\./;

it('refuses text that a hidden window copied, without naming the app', async () => {
  fake.controls.copy('bank', COPIED);
  const said = await clipboard();
  expect(said).toMatch(REFUSED);
  expect(said).not.toMatch(/0815|bank/i);
  fake.controls.copy('notes', 'for everybody');
  expect(await clipboard()).toContain('for everybody');
});

it('refuses copies of an app with a hidden window, also from its other windows and shortly after that window closes', async () => {
  const pid = (await desktop.driver.windows({ deadline: Deadline.in(1_000) })).windows.find(
    ({ title }) => title === 'My Banking',
  )!.pid!;
  await desktop.close();
  fake = fakeDesktop({ windows: [window('bank', 'My Banking', { pid }), window('start', 'Start page', { pid })] });
  desktop = new Desktop({ name: 'desk', kind: 'virtual', driver: fake.driver, policy: compilePolicy({}, 'virtual') });
  fake.controls.copy('start', COPIED);
  expect(await clipboard()).toMatch(REFUSED);
  fake.controls.closeWindow('bank');
  expect(await clipboard()).toMatch(REFUSED);
});

it('lists the windows before it decides', async () => {
  let listed = false;
  const listWindows = async (): Promise<void> => void (listed = true);
  const hiddenWindows = { hidesProcess: () => listed, hidesApp: () => false };
  const stub = { listWindows, hiddenWindows, kind: 'virtual', shows: () => true } as unknown as CallView;
  const board = { ...desktop.driver.clipboard!, owner: async () => ({ pid: 7, name: 'x' }) };
  await expect(refuseHiddenClipboard(stub, board, Deadline.in(1_000))).rejects.toMatchObject({ code: 'policy_denied' });
});

it('lets callers read back what they wrote themselves', async () => {
  fake.controls.copy('bank', COPIED);
  expect(await clipboard(undefined, { text: 'mine' })).toMatch(/^ok/);
  expect(await clipboard()).toContain('mine');
});

it("refuses text copied in a window that the caller's project hides", async () => {
  fake.controls.copy('books', COPIED);
  expect(await clipboard('/project')).toMatch(REFUSED);
  expect(await clipboard()).toContain(COPIED);
});

it('refuses text copied in a window that a rule forbids reading', async () => {
  await desktop.close();
  open({ rules: [{ name: 'no-mail', when: { app: '/usr/bin/mail', class: 'read' }, decision: 'deny' }] });
  fake.controls.copy('mail', COPIED);
  expect(await clipboard()).toMatch(REFUSED);
  fake.controls.copy('notes', 'for everybody');
  expect(await clipboard()).toContain('for everybody');
});

it('decides by the title at the time of reading', async () => {
  fake.controls.copy('notes', COPIED);
  fake.controls.setTitle('notes', 'Password list');
  // The title may be noticed before the call or during it. Both are refused.
  expect(await clipboard()).toMatch(/^policy_denied: /);
});

it('refuses a copy that a hidden window makes during the read', async () => {
  fake.controls.copy('notes', 'for everybody');
  const board = fake.driver.clipboard!;
  const read = board.read.bind(board);
  board.read = async (options) => {
    fake.controls.copy('bank', COPIED);
    return read(options);
  };
  expect(await clipboard()).toMatch(REFUSED);
});

it('decides about an app without windows by its name and program', async () => {
  const owned = (owner: object): void => void (fake.driver.clipboard!.owner = async () => owner);
  await desktop.driver.clipboard!.write('text', { deadline: Deadline.in(1_000) });
  owned({ pid: 77, name: 'xclip', program: '/usr/bin/xclip' });
  expect(await clipboard()).toContain('text');
  owned({ pid: 77, name: 'keepassxc', program: '/usr/bin/keepassxc' });
  expect(await clipboard()).toMatch(REFUSED);
});

it('allows copies only from windows with an allowed title, under an allow list', async () => {
  await desktop.close();
  open({ windows: { allow: ['*Notes*'] } });
  fake.controls.copy('notes', 'for everybody');
  expect(await clipboard()).toContain('for everybody');
  fake.controls.copy('mail', COPIED);
  expect(await clipboard()).toMatch(REFUSED);
});

it.each(['virtual', 'seat'] as const)('handles an unknown clipboard owner by the kind of desktop: %s', async (kind) => {
  await desktop.close();
  open({}, kind);
  fake.controls.copy('notes', 'copied text');
  delete fake.driver.clipboard!.owner;
  const said = await clipboard();
  if (kind === 'virtual') expect(said).toContain('copied text');
  else expect(said).toMatch(REFUSED);
  // The user's own desktop allows it, too, while no window is hidden.
  fake.controls.closeWindow('bank');
  expect(await clipboard()).toContain('copied text');
});
