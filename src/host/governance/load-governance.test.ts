import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
