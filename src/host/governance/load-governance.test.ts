import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Authorizer } from '../../runtime/index.js';
import { openGovernance, type LoadedGovernance } from './load-governance.js';

const CLICK = { tool: 'ui_click', caller: 'cli', rule: 'private/all' };

let root: string;
let governance: LoadedGovernance;
const policyFile = (): string => join(root, 'policy.yaml');
const kept = (): string => join(root, 'kept');
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'dp-governance-'));
  writeFileSync(policyFile(), 'version: 1\n');
  const options = { base: root, key: 'desk', desktop: { kind: 'fake' as const }, endWithParent: true };
  governance = await openGovernance({ ...options, policyFile: policyFile() }, root);
});
afterEach(async () => {
  await governance.close();
  rmSync(root, { recursive: true, force: true });
});

async function reloadWith(anchor: object): Promise<void> {
  writeFileSync(policyFile(), `version: 1\naudit: ${JSON.stringify({ anchor })}\n`);
  await governance.reload({ replace: () => undefined } as unknown as Authorizer, 'terminal');
}

it('the user policy comes from XDG_CONFIG_HOME', async () => {
  const config = join(root, 'config');
  mkdirSync(join(config, 'deskproof'), { recursive: true });
  writeFileSync(join(config, 'deskproof', 'policy.yaml'), 'version: 1\naudit: { keepDays: 7, evidence: blobs }\n');
  vi.stubEnv('XDG_CONFIG_HOME', config);
  const directory = join(root, 'moved');
  mkdirSync(directory, { mode: 0o700 });
  const options = { base: root, key: 'moved', desktop: { kind: 'fake' as const }, endWithParent: true };
  const moved = await openGovernance(options, directory);
  try {
    expect(moved.policy.settings.audit).toEqual({ keepDays: 7, evidence: 'blobs' });
  } finally {
    vi.unstubAllEnvs();
    await moved.close();
  }
});

it('stored snapshots follow a reloaded policy', async () => {
  const blobs = (): string[] => {
    const folder = join(governance.places.logs, 'evidence');
    return existsSync(folder) ? readdirSync(folder) : [];
  };
  const seen = { windows: [], roots: [] };
  const act = async (): Promise<unknown> =>
    governance.actLedger.intent({ ...CLICK, evidence: { snapshot: 'a'.repeat(64) }, seen });
  await act();
  expect(blobs()).toEqual([]);
  writeFileSync(policyFile(), 'version: 1\naudit: { evidence: blobs }\n');
  await governance.reload({ replace: () => undefined } as unknown as Authorizer, 'terminal');
  await act();
  expect(blobs()).toHaveLength(1);
});

it('an anchor in a reloaded policy applies from then on', async () => {
  await governance.ledger.intent(CLICK);
  await reloadWith({ command: ['false'], required: true });
  await expect(governance.ledger.intent(CLICK)).rejects.toThrow('The outside anchor of the log did not accept');
  await reloadWith({ command: ['sh', '-c', 'cat >> "$0"', kept()], required: true });
  await governance.ledger.intent(CLICK);
  expect(readFileSync(kept(), 'utf8')).toContain(`deskproof-ledger/1 ${governance.ledger.id} `);
  await reloadWith({ command: ['false'] });
  await governance.ledger.intent(CLICK);
  await vi.waitFor(() => expect(governance.ledger.anchorTrouble).toBeInstanceOf(Error), { timeout: 10_000 });
  expect(existsSync(kept())).toBe(true);
});
