import { afterEach, beforeEach, expect, it } from 'vitest';
import { MemoryLedger } from '../../audit/index.js';
import { fakeDesktop, type WindowSpec } from '../../drivers/fake/index.js';
import { compilePolicy } from '../../policy/index.js';
import { Desktop, perform, type Secrecy } from '../../runtime/index.js';
import { SecretStore, TaintTracker } from '../../secrets/index.js';
import { TOOLS } from '../index.js';

// What the log keeps of snapshots: hashes, and nothing that must not be stored.

const WINDOW: WindowSpec = {
  ...{ key: 'Desk', title: 'Desk', app: 'desk', program: '/usr/bin/desk' },
  bounds: { x: 0, y: 0, width: 300, height: 300 },
  children: [
    { role: 'button', name: 'Count', does: (controls) => controls.setName('Status', `Counted ${(count += 1)}`) },
    { role: 'textbox', name: 'Name', key: 'name' },
    { role: 'textbox', name: 'Code', key: 'code', states: { secret: true } },
    { role: 'label', key: 'Status', name: 'Empty' },
  ],
};

let count: number;
let desktop: Desktop;
let ledger: MemoryLedger;
beforeEach(() => {
  count = 0;
  ledger = new MemoryLedger();
  const user = { version: 1 as const, secrets: { pin: { env: 'DW_TEST_PIN', into: { app: '/usr/bin/desk' } } } };
  const policy = compilePolicy({ user }, 'virtual');
  const store = new SecretStore(policy.settings.secrets, { environment: { DW_TEST_PIN: 'correct horse' } });
  const secrecy: Secrecy = { store, taint: new TaintTracker(), withhold: (text) => text };
  const driver = fakeDesktop({ windows: [WINDOW] }).driver;
  desktop = new Desktop({ name: 'desk', kind: 'virtual', driver, policy, ledger, secrecy });
});
afterEach(() => desktop.close());

/** The hashes of an act: of what was seen before it, and after it. */
async function seenBy(tool: string, args: object): Promise<(string | undefined)[]> {
  const call = { tool, args: { settleMs: 40, timeoutMs: 2_000, ...args }, caller: 'mcp:a' };
  await perform(desktop, TOOLS, call);
  const [intent, outcome] = ledger.records.slice(-2);
  if (intent?.kind !== 'intent' || outcome?.kind !== 'outcome') throw new Error('no act was written down');
  return [intent.evidence?.snapshot, outcome.after];
}

it('the snapshots before and after an act are in the log by hash, the same hash if nothing changed', async () => {
  const [before, after] = await seenBy('ui_click', { target: 'button:Count' });
  expect(before).toMatch(/^[0-9a-f]{64}$/);
  expect(after).toMatch(/^[0-9a-f]{64}$/);
  expect(after).not.toBe(before);
  const [next, later] = await seenBy('ui_click', { target: 'button:Count' });
  expect(next).toBe(after);
  expect(later).not.toBe(after);
});

it.each<[string, object]>([
  ['a secret', { target: 'textbox:Name', secret: 'pin' }],
  ['what is kept out of the log', { target: 'textbox:Name', text: 'some words', redactInLogs: true }],
  ['what is typed into a password field', { target: 'textbox:Code', text: 'some words' }],
])('there is none of what was seen after %s', async (_, args) => {
  const [before, after] = await seenBy('ui_type', args);
  expect(before).toMatch(/^[0-9a-f]{64}$/);
  expect(after).toBeUndefined();
});

it('there is one of what was seen after other words', async () => {
  const [, after] = await seenBy('ui_type', { target: 'textbox:Name', text: 'some words' });
  expect(after).toMatch(/^[0-9a-f]{64}$/);
});
