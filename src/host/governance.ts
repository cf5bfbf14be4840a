import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { ledgerPlaces, openLedger, type FileLedger, type LedgerPlaces, type Note } from '../audit/index.js';
import { VERSION } from '../config.js';
import { changedFiles, govern, policyPlaces, readPolicyFiles, type GovernedPolicy } from '../policy/index.js';
import type { PolicyFiles, PolicyPlaces } from '../policy/index.js';
import type { Governor } from '../runtime/index.js';
import { canonicalJson } from '../shared/index.js';
import { TOOLS } from '../tools/index.js';
import type { HostOptions } from './host-options.js';

/** Policy and log of one desktop, as its host holds them. */
export interface Governance {
  policy: GovernedPolicy;
  ledger: FileLedger;
  places: LedgerPlaces;
  policyChanged: () => string[];
  /** Reads the files again and lets them count; what they say otherwise, for the person who asked. */
  reload(governor: Governor, by: string): Promise<Reloaded>;
  close(): Promise<void>;
}

export interface Reloaded {
  before: string;
  after: string;
  /** Files that are not what they were. */
  files: string[];
}

/** Before anything listens or starts: a policy that cannot be read, or a log that cannot be continued, ends it here. */
export async function openGovernance(options: HostOptions, directory: string): Promise<Governance> {
  const kind = options.desktop.kind === 'user' ? 'seat' : 'virtual';
  const where: PolicyPlaces = policyPlaces({
    ...(options.policyFile !== undefined && { policyFile: options.policyFile }),
    ...(options.startDirectory !== undefined && { startDirectory: options.startDirectory }),
  });
  const names = TOOLS.map(({ name }) => name);
  let read = readPolicyFiles(where, names);
  let policy = govern(read.files, kind);
  const places = placesOf(options, directory);
  const { anchor } = policy.settings.audit;
  const ledger = await openLedger({ places, software: `deskwright/${VERSION}`, ...(anchor && { anchor }) });
  await ledger.note(policyNote('loaded', policy, read));
  return {
    ...{ policy, ledger, places },
    policyChanged: () => changedFiles(read.identities),
    async reload(governor, by) {
      const files = changedFiles(read.identities);
      const now = readPolicyFiles(where, names);
      const [before, after] = [policy, govern(now.files, kind)];
      await ledger.note({ ...policyNote('reloaded', after, now), by });
      [read, policy] = [now, after];
      governor.replace(after, () => changedFiles(read.identities));
      return { before: before.hash, after: after.hash, files };
    },
    close: () => ledger.close(),
  };
}

/** What is made for one command goes with it; its record too. */
function placesOf({ key, leash }: HostOptions, directory: string): LedgerPlaces {
  const desktop = key.replace(/[^a-z0-9.-]+/gi, '-').replace(/^[^a-z0-9]+/i, '') || 'user';
  if (leash) return { desktop, logs: join(directory, 'audit'), state: join(directory, 'ledger') };
  return ledgerPlaces(desktop);
}

function policyNote(
  event: 'loaded' | 'reloaded',
  { hash }: GovernedPolicy,
  { parsed }: PolicyFiles,
): Extract<Note, { kind: 'policy' }> {
  const files = parsed.map(({ tier, file, policy }) => ({
    ...{ tier, file },
    hash: createHash('sha256').update(canonicalJson(policy)).digest('hex'),
  }));
  return { kind: 'policy', event, policy: hash, ...(files.length > 0 && { files }) };
}
