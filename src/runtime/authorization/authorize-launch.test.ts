import { CallView } from '../visibility/call-view.js';
import { afterEach, expect, it } from 'vitest';
import { startOf } from '../../../tests/scenes/aims.js';
import { MemoryLedger } from '../../audit/index.js';
import { fakeDesktop } from '../../drivers/fake/index.js';
import { compilePolicy, type PolicyFile, type PolicyRequest } from '../../policy/index.js';
import { Deadline, DesktopError } from '../../shared/index.js';
import { Desktop } from '../desktop/desktop.js';
import { authorizeLaunch } from './authorize-launch.js';
import { uiLaunch } from '../../tools/index.js';
import { withTraits } from '../../../tests/scenes/calls.js';

let desktop: Desktop;
let ledger: MemoryLedger;
let started: number;
afterEach(() => desktop.close());

function open(
  user: Partial<PolicyFile> = {},
  kind: PolicyRequest['desktop'] = 'virtual',
  changed: string[] = [],
): void {
  ledger = new MemoryLedger();
  started = 0;
  desktop = new Desktop({
    ...{ name: 'desk', driver: fakeDesktop({ windows: [] }).driver, kind, ledger },
    policy: compilePolicy({ user: { version: 1, ...user } }, kind),
    policyChanged: () => changed,
    resolveCommand: (command) => (command === 'crm' ? startOf('/usr/bin/crm') : undefined),
  });
}

async function start(command = 'crm'): Promise<unknown> {
  const deadline = Deadline.in(300);
  return authorizeLaunch(
    CallView.forUser(desktop),
    { tool: uiLaunch, command, args: ['--new'], caller: 'cli', deadline },
    async () => (started += 1),
  );
}

it('is begun after its intent is written, with the program that it is', async () => {
  open();
  expect(await start()).toBe(1);
  expect(ledger.records).toMatchObject([
    { kind: 'intent', tool: 'ui_launch', args: { command: 'crm', args: ['--new'] }, app: { program: '/usr/bin/crm' } },
    { kind: 'outcome', status: 'ok', delivered: 'yes' },
  ]);
  expect(ledger.records[0]).not.toHaveProperty('decision.by');
});

it('is authorized with its environment, and the program that was authorized is started', async () => {
  open();
  const request: unknown[] = [];
  const resolved = startOf('/opt/crm');
  const startIn = Object.assign(CallView.forUser(desktop), {
    resolveCommand: (...all: unknown[]) => (request.push(all), resolved),
  });
  const around = { cwd: '/work', env: { PATH: '/opt' } };
  const wanted = {
    tool: uiLaunch,
    command: 'crm',
    args: ['--new'],
    ...around,
    caller: 'library:a',
    deadline: Deadline.in(300),
  };
  expect(await authorizeLaunch(startIn, wanted, async (given) => given)).toBe(resolved);
  expect(request).toEqual([['crm', ['--new'], around]]);
  expect(ledger.records[0]).toMatchObject({ kind: 'intent', app: { program: '/opt/crm' } });
});

it('that a rule denies is not begun, and the refusal is written', async () => {
  open({ rules: [{ name: 'no-crm', decision: 'deny', when: { app: '/usr/bin/crm' } }] });
  await expect(start()).rejects.toMatchObject({ code: 'policy_denied', details: { rule: 'no-crm' } });
  expect(started).toBe(0);
  expect(ledger.records).toMatchObject([{ kind: 'call', status: 'refused', decision: { rule: 'no-crm' } }]);
  await start('another');
  expect(started).toBe(1);
});

it('counts against the limit of starts, as ui_launch does, and so does what ui_launch has started', async () => {
  open({ limits: { launchesPerMinute: 2 } });
  desktop.authorizer.count(withTraits({ tool: 'ui_launch', class: 'act', caller: 'mcp:a', args: {} }));
  await start();
  await expect(start()).rejects.toMatchObject({ code: 'rate_limited', details: { limit: 'launchesPerMinute' } });
  expect(started).toBe(1);
  expect(ledger.records.at(-1)).toMatchObject({ kind: 'call', tool: 'ui_launch', status: 'refused' });
});

it('that a rule denies does not count', async () => {
  const rules = [{ name: 'no-crm', decision: 'deny' as const, when: { app: '/usr/bin/crm' } }];
  open({ limits: { launchesPerMinute: 1 }, rules });
  await expect(start()).rejects.toMatchObject({ code: 'policy_denied' });
  desktop.authorizer.count(withTraits({ tool: 'ui_launch', class: 'act', caller: 'mcp:a', args: {} }));
});

it('needs no approval: the user who typed the command has given it', async () => {
  open({ enabled: true }, 'seat');
  await start();
  expect(ledger.records[0]).toMatchObject({
    kind: 'intent',
    decision: { answer: 'ask', by: 'desktop launch', scope: 'once' },
  });
});

it('waits for its turn, also while the user is asked about something else', async () => {
  open();
  let over!: () => void;
  const asking = desktop.queue.run(Deadline.in(5_000), () => new Promise<void>((resolve) => (over = resolve)));
  await expect(start()).rejects.toMatchObject({ code: 'timeout' });
  expect(started).toBe(0);
  over();
  await asking;
  await start();
  expect(started).toBe(1);
});

it('is refused after a stop', async () => {
  open();
  await desktop.stop('the user stopped it');
  await expect(start()).rejects.toMatchObject({ code: 'policy_denied', delivered: 'no' });
  desktop.resume();
  expect(await start()).toBe(1);
});

it('is refused while the policy is otherwise on disk', async () => {
  open({}, 'virtual', ['policy.yaml']);
  await expect(start()).rejects.toMatchObject({ code: 'policy_denied' });
  expect([started, ledger.records.length]).toEqual([0, 1]);
});

it('writes no refusal for a fault of ours', async () => {
  open();
  desktop.authorizer.decideOrRefuse = () => {
    throw new DesktopError('command_failed', 'Ours.');
  };
  await expect(start()).rejects.toMatchObject({ code: 'command_failed' });
  expect(ledger.records).toEqual([]);
});
