import { afterEach, beforeEach, expect, it } from 'vitest';
import { fakeDesktop, type WindowSpec } from '../../drivers/fake/index.js';
import { compilePolicy, type PolicyFile } from '../../policy/index.js';
import { DesktopError } from '../../shared/index.js';
import { TOOLS } from '../../tools/index.js';
import { Desktop } from '../desktop/desktop.js';
import { perform } from '../call/perform.js';
import { CallView } from './call-view.js';

const window = (key: string, title: string, more: Partial<WindowSpec> = {}): WindowSpec => ({
  ...{ key, title, app: key, program: `/usr/bin/${key}`, bounds: { x: 0, y: 0, width: 200, height: 200 }, ...more },
  children: [{ role: 'button', name: `${key} button`, key: `${key}-button` }],
});

const page = (name: string) => ({
  ...{ role: 'tab', name, states: { selected: false } },
  children: [{ role: 'group', name: `part of ${name}`, children: [{ role: 'text', name: `text of ${name}` }] }],
});

const PROJECT: PolicyFile = {
  version: 1,
  windows: { block: ['*Ledger*', '*Salary*'] },
  rules: [{ name: 'no-mail', when: { app: '/usr/bin/mail', class: 'act' }, decision: 'deny' }],
};

let desktop: Desktop;
let changed: string[];
let project: PolicyFile | undefined;
beforeEach(() => {
  [changed, project] = [[], PROJECT];
  const specs = [
    window('notes', 'Notes'),
    window('mail', 'Letters'),
    window('books', 'Ledger of 2026'),
    { ...window('tabs', 'Pages'), children: [{ role: 'tablist', children: [page('Salary page'), page('Open page')] }] },
  ] as WindowSpec[];
  desktop = new Desktop({
    ...{
      name: 'desk',
      kind: 'virtual',
      driver: fakeDesktop({ windows: specs }).driver,
      policy: compilePolicy({}, 'virtual'),
    },
    inProject: (directory) =>
      directory === '/project' && project
        ? { rules: compilePolicy({ callerProject: project }, 'virtual'), changed: () => changed }
        : undefined,
  });
});
afterEach(() => desktop.close());

async function said(directory: string | undefined, tool: string, args: object): Promise<string> {
  try {
    return (await perform(desktop, TOOLS, { tool, args, directory, caller: 'mcp:a' })).text;
  } catch (error) {
    if (error instanceof DesktopError) return `${error.code}: ${error.message} ${error.hint ?? ''}`;
    throw error;
  }
}
const elsewhere = ['/elsewhere', undefined] as const;

it("uses the desktop's own policy for callers outside the project", () => {
  for (const one of elsewhere) expect(new CallView(desktop, one).authorizer).toBe(desktop.authorizer);
  expect(new CallView(desktop, '/project').authorizer).not.toBe(desktop.authorizer);
});

it("applies the project's rules only to callers in the project", async () => {
  const click = { target: 'button:"mail button"' };
  expect(await said('/project', 'ui_click', click)).toMatch(/^policy_denied: .*rule no-mail/);
  expect(await said('/project', 'ui_click', { target: 'button:"notes button"' })).toMatch(/^(ok|no change)/);
  for (const one of elsewhere) expect(await said(one, 'ui_click', click)).toMatch(/^(ok|no change)/);
});

it("hides the project's windows from its callers in lists, snapshots, titles, refs and events", async () => {
  const ref = /(w\d+)\W.*Ledger/.exec(await said(undefined, 'ui_list_windows', {}))![1]!;
  expect(await said('/project', 'ui_list_windows', {})).not.toContain('Ledger');
  expect(await said('/project', 'ui_list_windows', {})).toMatch(/^3 windows, 1 more hidden by policy/);
  expect(await said('/project', 'ui_snapshot', { window: '*' })).not.toMatch(/Ledger|books/);
  expect(await said('/project', 'ui_snapshot', { window: 'Ledger' })).toMatch(/^element_not_found: .*policy hides 1/);
  expect(await said('/project', 'ui_snapshot', { window: ref })).toMatch(/^policy_denied/);
  expect(await said('/project', 'ui_click', { target: 'button:"books button"' })).toMatch(/^element_not_found/);
  expect(await said('/project', 'ui_events', {})).not.toMatch(/Ledger|books/);
  expect(await said('/elsewhere', 'ui_snapshot', { window: 'Ledger' })).toContain('books button');
});

it("empties background tabs with such titles for the project's callers, also in snapshots of others", async () => {
  const seen = (directory: string, more: object): Promise<string> =>
    said(directory, 'ui_snapshot', { window: 'Pages', ...more });
  const whole = await seen('/elsewhere', {});
  expect(whole).toContain('text of Salary page');
  const [[id], part] = [/\bs\d+\b/.exec(whole)!, /(e\d+) group "part of Salary page"/.exec(whole)![1]!];
  const [partId] = /\bs\d+\b/.exec(await said('/elsewhere', 'ui_snapshot', { window: part }))!;
  for (const more of [{}, { since: id }]) expect(await seen('/project', more)).not.toContain('text of Salary');
  expect(await seen('/project', {})).toContain('text of Open page');
  const [ours, others] = ['/project', '/elsewhere'].map((directory) => CallView.forUser(desktop, directory)) as [
    CallView,
    CallView,
  ];
  const text = (view: CallView, which: string): string => JSON.stringify(view.snapshot(which).roots);
  expect(text(ours, id)).not.toContain('text of Salary');
  expect(text(ours, id)).toContain('text of Open page');
  expect(text(others, ` ${partId} `)).toContain('text of Salary');
  expect(others.snapshot(id)).toBe(desktop.snapshots.get(id));
  expect(() => ours.snapshot(partId)).toThrow('no longer exists');
  expect(() => others.snapshot('s999')).toThrow('no longer exists');
  expect(() => others.snapshot('latest')).toThrow('is not a snapshot');
});

it("applies the project's limits to its callers and counts the acts of all callers", async () => {
  project = { ...PROJECT, limits: { actsPerMinute: 1 } };
  const click = { target: 'button:"notes button"' };
  expect(await said('/elsewhere', 'ui_click', click)).toMatch(/^(ok|no change)/);
  expect(await said('/project', 'ui_click', click)).toMatch(
    /^rate_limited: The limit of 1 acts per minute is reached\./,
  );
  expect(await said('/elsewhere', 'ui_click', click)).toMatch(/^(ok|no change)/);
});

it("refuses acts of the project's callers after its policy file changed, and still allows reads", async () => {
  changed = ['/project/.deskproof/policy.yaml'];
  const click = { target: 'button:"notes button"' };
  expect(await said('/project', 'ui_click', click)).toMatch(/^policy_denied: The policy changed on disk: \/project\//);
  expect(await said('/project', 'ui_list_windows', {})).toContain('Notes');
  expect(await said('/elsewhere', 'ui_click', click)).toMatch(/^(ok|no change)/);
});

it("applies the project's rules to each step of a batch", async () => {
  const steps = [
    { tool: 'ui_click', target: 'button:"notes button"' },
    { tool: 'ui_click', target: 'button:"mail button"' },
  ];
  expect(await said('/project', 'ui_batch', { steps })).toMatch(/rule no-mail/);
});

it("reports the project's limits in ui_capabilities", async () => {
  project = { ...PROJECT, limits: { actsPerMinute: 1 } };
  expect(await said('/project', 'ui_capabilities', {})).toMatch(/\b1 act/);
  expect(await said('/elsewhere', 'ui_capabilities', {})).toMatch(/120 act/);
});
