import type { FileLedger } from '../../src/audit/index.js';

const hash = (digit: string): string => digit.repeat(64);
const caller = { surface: 'mcp', session: 's7' };
const editor = { app: '/usr/bin/mousepad', appName: 'Mousepad', window: 'notes.txt - Mousepad' };

/** A clock that tests set: records carry its time. */
export class SessionClock {
  private at = Date.parse('2026-11-15T10:30:45.120Z');
  readonly now = (): number => this.at;
  pass(ms: number): void {
    this.at += ms;
  }
}

type Intent = Parameters<FileLedger['intent']>[0];
type Ending = Parameters<FileLedger['outcome']>[1];

/** A session as it could be: acts that went well and badly, a question, refusals, a stop, an act without an end. */
export async function recordSession(ledger: FileLedger, clock: SessionClock): Promise<void> {
  const decision = (rule: string, level: string, score: number) => ({
    answer: 'allow' as const,
    ...{ rule, tier: 'built-in', policy: hash('9'), risk: { level, score } },
  });
  const act = async (intent: Omit<Intent, 'caller' | 'rule'>, ending: Partial<Ending> = {}): Promise<number> => {
    const low = decision('guarded/act-low', 'low', 1);
    const of = await ledger.intent({
      ...{ caller, rule: 'guarded/act-low', decision: low, driver: 'linux-atspi/1', confidence: 0.97 },
      ...{ evidence: { snapshot: hash('c'), crop: null } },
      ...intent,
    });
    const durationMs = ending.durationMs ?? 48;
    clock.pass(durationMs);
    const done = { status: 'ok', delivered: 'yes', changed: 'yes', method: 'pattern', after: hash('d') } as const;
    await ledger.outcome(of, { ...done, driverCalls: 9, ...ending, durationMs });
    clock.pass(400);
    return of;
  };

  await ledger.note({ kind: 'policy', event: 'loaded', policy: hash('9') });
  await ledger.note({ kind: 'session', event: 'begin', caller });
  clock.pass(900);
  await ledger.call({
    tool: 'ui_list_windows',
    caller,
    rule: 'guarded/read',
    args: {},
    status: 'ok',
    cost: { ms: 12 },
  });
  clock.pass(700);
  await act(
    { tool: 'ui_launch', args: { command: 'mousepad', args: ['notes.txt', '--disable-server'] } },
    { durationMs: 1_240, driverCalls: 31 },
  );
  await ledger.call({
    ...{ tool: 'ui_snapshot', caller, rule: 'guarded/read', args: { window: 'notes.txt - Mousepad' }, status: 'ok' },
    cost: { ms: 63, driverCalls: 4, tokens: 812 },
  });
  clock.pass(2_400);
  await act(
    {
      tool: 'ui_type',
      args: { text: 'Milk, bread, 2 × butter', target: 'textbox:""', window: 'w3' },
      target: { ...editor, role: 'textbox' },
    },
    { durationMs: 310, postcondition: 'satisfied' },
  );
  await act({
    tool: 'ui_click',
    args: { target: 'e12', button: 'left' },
    target: { ...editor, role: 'menu', name: 'File' },
  });
  await act(
    {
      tool: 'ui_click',
      args: { target: 'menuitem:"Save As…"' },
      target: { ...editor, role: 'menuitem', name: 'Save As…' },
    },
    {
      durationMs: 5_020,
      status: 'failed',
      delivered: 'no',
      changed: undefined,
      error: 'not_ready',
      method: undefined,
      after: undefined,
    },
  );
  clock.pass(1_500);
  await act(
    { tool: 'ui_key', args: { keys: 'ctrl+s' }, target: { ...editor } },
    { method: 'input', status: 'no change', changed: 'no' },
  );
  clock.pass(4_000);

  const request = { answer: 'ask' as const, rule: 'guarded/act-medium', tier: 'built-in', policy: hash('9') };
  const risk = { level: 'medium', score: 4 };
  const remove = { role: 'button', name: 'Delete', window: 'Delete “notes.txt”?' };
  const question = { question: 'q1', subject: hash('7') };
  await ledger.note({
    ...{ kind: 'ask', ...question, tool: 'ui_click', caller, decision: { ...request, risk } },
    ...{ channels: ['terminal', 'mcp'], target: remove, app: { program: '/usr/bin/thunar', name: 'Thunar' } },
  });
  clock.pass(6_400);
  await ledger.note({
    ...{ kind: 'answer', ...question, result: 'allowed', channel: 'terminal', scope: 'once', ms: 6_400 },
    reason: 'the old copy, yes',
  });
  await act(
    {
      ...{ tool: 'ui_click', args: { target: 'button:Delete' }, confidence: 0.93 },
      ...{ target: { ...remove, app: '/usr/bin/thunar', appName: 'Thunar' } },
      decision: { ...request, risk, by: 'terminal', scope: 'once' },
      evidence: { snapshot: hash('a'), crop: null, subject: hash('7') },
    },
    { durationMs: 92 },
  );
  await act(
    {
      tool: 'ui_type',
      args: { secret: 'vpn', target: 'passwordbox:Password' },
      target: { ...editor, role: 'passwordbox', name: 'Password', window: 'VPN' },
    },
    { method: 'input', durationMs: 140, changed: 'unknown', status: 'unconfirmed' },
  );
  await ledger.call({
    ...{ tool: 'ui_click', caller, rule: 'guarded/terminal', args: { target: 'textbox:Terminal' }, status: 'refused' },
    decision: { answer: 'deny', rule: 'guarded/terminal', tier: 'managed', risk: { level: 'high', score: 7 } },
    ...{
      error: 'policy_denied',
      target: { role: 'textbox', name: 'Terminal', window: 'root@host: ~', app: '/usr/bin/xterm' },
    },
  });
  clock.pass(1_800);
  await ledger.note({ kind: 'stop', by: 'terminal', reason: 'wrong folder' });
  clock.pass(95_000);
  await ledger.note({ kind: 'resume', by: 'terminal' });
  clock.pass(300);
  await ledger.intent({
    ...{ tool: 'ui_set_value', caller, rule: 'guarded/act-low', decision: decision('guarded/act-low', 'low', 0) },
    ...{
      args: { target: 'spinbutton:Copies', value: 3 },
      target: { role: 'spinbutton', name: 'Copies', window: 'Print' },
    },
  });
}
