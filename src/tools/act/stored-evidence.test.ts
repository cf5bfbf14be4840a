// @module-tag safety

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EvidenceLedger, type FileLedger, ledgerPlaces, openEvidence, openLedger, readLog } from '../../audit/index.js';
import { fakeDesktop, type WindowSpec } from '../../drivers/fake/index.js';
import { compilePolicy } from '../../policy/index.js';
import { Desktop, perform, type Secrecy } from '../../runtime/index.js';
import { LogRedactor, Masks, SecretStore, TaintTracker } from '../../secrets/index.js';
import { TOOLS } from '../index.js';

// The whole way from a tool to the encrypted file and back: what a stored snapshot contains, and what it never does.

const SECRET = 'qwvz kjxm';
const WITHHELD = 'plover xyzzy';
const MAIL = 'ada@example.org';

const bounds = (x: number) => ({ x, y: 0, width: 300, height: 300 });
const WINDOWS: WindowSpec[] = [
  {
    ...{ key: 'Desk', title: 'Desk', app: 'desk', program: '/usr/bin/desk', bounds: bounds(0) },
    children: [
      { role: 'button', name: 'Count', does: (controls) => controls.setName('Status', 'Counted') },
      // An app that shows a secret in plain text.
      { role: 'button', name: 'Echo', does: (controls) => controls.setName('Status', `It is ${SECRET}, ${WITHHELD}`) },
      { role: 'textbox', name: 'Name', key: 'name' },
      { role: 'textbox', name: 'Note', key: 'note' },
      { role: 'textbox', name: 'Code', key: 'code', states: { secret: true } },
      { role: 'label', name: `Write to ${MAIL}` },
      { role: 'label', key: 'Status', name: 'Empty' },
    ],
  },
  {
    ...{ key: 'Vault', title: 'KeePass', app: 'vault', program: '/usr/bin/vault', bounds: bounds(300) },
    children: [{ role: 'label', name: 'entry of the vault' }],
  },
];

let root: string;
let log: FileLedger;
let ledger: EvidenceLedger;
let desktop: Desktop;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'dp-stored-'));
  const policy = compilePolicy(
    {
      user: {
        version: 1,
        secrets: { pin: { env: 'DW_TEST_PIN', into: { app: '/usr/bin/desk' } } },
        masks: ['email'],
        audit: { evidence: 'blobs' },
      },
    },
    'virtual',
  );
  const taint = new TaintTracker();
  const redactor = new LogRedactor(taint, new Masks(policy.settings.masks));
  const store = new SecretStore(policy.settings.secrets, { environment: { DW_TEST_PIN: SECRET } });
  const secrecy: Secrecy = { store, taint, withhold: (text, where) => redactor.withhold(text, where) };
  const places = ledgerPlaces('desk', { HOME: root });
  log = await openLedger({ places, software: 'deskproof/test', redactor });
  ledger = new EvidenceLedger(log, { places, redactor, ...policy.settings.audit });
  const { driver } = fakeDesktop({ windows: WINDOWS });
  desktop = new Desktop({ name: 'desk', kind: 'virtual', driver, policy, ledger, secrecy });
});
afterEach(async () => {
  await desktop.close();
  ledger.end();
  await log.close();
  rmSync(root, { recursive: true, force: true });
});

const act = (tool: string, args: object): Promise<unknown> =>
  perform(desktop, TOOLS, { tool, args: { settleMs: 40, timeoutMs: 2_000, ...args }, caller: 'mcp:a' });

/** All stored snapshots, opened, as one text each. */
function stored(): { seq: number; side: string; redacted: boolean; text: string }[] {
  const places = ledgerPlaces('desk', { HOME: root });
  return readdirSync(join(places.logs, 'evidence'))
    .sort()
    .map((name) => {
      const [, seq, side] = /-(\d+)-(before|after)\.blob$/.exec(name)!;
      const lines = readLog(places.logs);
      const { content, redacted } = openEvidence({ ...places, lines, seq: Number(seq), after: side === 'after' });
      return { seq: Number(seq), side: side!, redacted, text: JSON.stringify(content) };
    });
}

it('contains what the app showed before and after the act', async () => {
  await act('ui_click', { target: 'button:Count' });
  const [after, before] = stored();
  expect(before!.text).toContain('"name":"Empty"');
  expect(after!.text).toContain('"name":"Counted"');
});

it('contains no masked text', async () => {
  await act('ui_click', { target: 'button:Count' });
  for (const { text, redacted } of stored()) {
    expect(text).toContain('Write to ‹masked:email›');
    expect(text).not.toContain(MAIL);
    expect(redacted).toBe(true);
  }
});

it('contains no hidden window', async () => {
  await act('ui_click', { target: 'button:Count' });
  for (const { text } of stored()) expect(text).not.toMatch(/KeePass|entry of the vault/);
});

it.each<[string, object]>([
  ['a secret', { target: 'textbox:Name', secret: 'pin' }],
  ['text with redactInLogs', { target: 'textbox:Name', text: WITHHELD, redactInLogs: true }],
  ['text in a password field', { target: 'textbox:Code', text: SECRET }],
])('nothing is stored after %s was typed', async (_, args) => {
  await act('ui_type', args);
  expect(stored().map(({ side }) => side)).toEqual(['before']);
});

it('contains no text that must not be logged, also if the app shows it later', async () => {
  await act('ui_type', { target: 'textbox:Name', secret: 'pin' });
  await act('ui_type', { target: 'textbox:Note', text: WITHHELD, redactInLogs: true });
  await act('ui_click', { target: 'button:Echo' });
  await act('ui_click', { target: 'button:Count' });
  expect(stored()).toHaveLength(6);
  for (const { text } of stored()) expect(text).not.toMatch(/qwvz|kjxm|plover|xyzzy/);
  expect(stored().some(({ text }) => text.includes('It is ‹secret:pin›, ‹secret:redactInLogs›'))).toBe(true);
});
