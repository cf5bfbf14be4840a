import { createHash } from 'node:crypto';
import { openLedger, type FileLedger, type LedgerPlaces, type Note } from '../../audit/index.js';
import { VERSION } from '../../config.js';
import {
  changedFiles,
  compilePolicy,
  type CompiledPolicy,
  policyDifference,
  type PolicyFile,
  type PolicyFiles,
  policyPlaces,
  type PolicyPlaces,
  readPolicyFiles,
} from '../../policy/index.js';
import type { Authorizer, ProjectRules, Rules, Secrecy } from '../../runtime/index.js';
import { LogRedactor, Masks, SecretStore, TaintTracker } from '../../secrets/index.js';
import { canonicalJson, DesktopError } from '../../shared/index.js';
import { TOOLS } from '../../tools/index.js';
import type { HostOptions } from '../server/main.js';
import { logPlaces } from './log-location.js';
import { ProjectPolicies } from './project-policies.js';

/** Policy and log of one desktop, as its host holds them. */
export interface LoadedGovernance {
  policy: CompiledPolicy;
  ledger: FileLedger;
  secrecy: Secrecy;
  places: LedgerPlaces;
  policyChanged: () => string[];
  /** What counts for callers from a directory besides. */
  inProject: (directory: string) => ProjectRules | undefined;
  /** Before a caller from this directory does anything: its project's policy is read, and written down. */
  begin(directory: string | undefined): Promise<void>;
  /** What would count after a reload. */
  preview(): Reloaded;
  /** Reads the files again and lets them count, if they are still what a person has looked at. */
  reload(authorizer: Authorizer, by: string, expected?: string): Promise<Reloaded>;
  close(): Promise<void>;
}

export interface Reloaded {
  before: string;
  after: string;
  /** Files that are not what they were. */
  files: string[];
  /** What they say otherwise, a line each. */
  differences: string[];
  /** Names all of what a person is shown here. */
  seen: string;
}

/** Before anything listens or starts: a policy that cannot be read, or a log that cannot be continued, ends it here. */
export async function openGovernance(options: HostOptions, directory: string): Promise<LoadedGovernance> {
  const kind = options.desktop.kind === 'user' ? 'seat' : 'virtual';
  const where: PolicyPlaces = policyPlaces({
    ...(options.policyFile !== undefined && { policyFile: options.policyFile }),
    ...(options.startDirectory !== undefined && { startDirectory: options.startDirectory }),
  });
  const names = TOOLS.map(({ name }) => name);
  let read = readPolicyFiles(where, names);
  let policy = governed(read, kind);
  const places = logPlaces({ key: options.key, directory, own: options.leash });
  const { anchor } = policy.settings.audit;
  // Before anything is started: what comes from the environment is taken out of it here.
  const store = new SecretStore(policy.settings.secrets);
  const taint = new TaintTracker();
  const redactor = new LogRedactor(taint, new Masks(policy.settings.masks));
  const secrecy: Secrecy = { store, taint, withhold: (text, where) => redactor.withhold(text, where) };
  const software = `deskproof/${VERSION}`;
  const ledger = await openLedger({ places, software, redactor, ...(anchor && { anchor }) });
  await ledger.note(policyNote('loaded', policy, read.parsed));
  const together = (callerProject: PolicyFile, file: string): Rules => ({
    ...compilePolicy({ ...read.files, callerProject }, kind),
    sources: [...(policy.sources ?? []), { tier: 'project', file }],
  });
  /** Policies of callers' projects that are in the log. */
  const noted = new Set<string | undefined>();
  const projects = new ProjectPolicies({ tools: names, own: where.project, together });
  return {
    ...{ policy, ledger, places, secrecy },
    policyChanged: () => changedFiles(read.identities),
    inProject: (directory) => projects.inForce(directory),
    async begin(directory) {
      const project = directory === undefined ? undefined : projects.inForce(directory);
      if (!project?.parsed || noted.has(project.rules.hash)) return;
      noted.add(project.rules.hash);
      await ledger.note(policyNote('loaded', project.rules, [...read.parsed, project.parsed]));
    },
    preview: () => compare(readPolicyFiles(where, names)).told,
    async reload(authorizer, by, expected) {
      const now = readPolicyFiles(where, names);
      const { after, told } = compare(now);
      if (expected !== undefined && expected !== told.seen) throw changedAgain();
      const masks = new Masks(after.settings.masks);
      await ledger.note({ ...policyNote('reloaded', after, now.parsed), by });
      store.replace(after.settings.secrets);
      redactor.useMasks(masks);
      ledger.useAnchor(after.settings.audit.anchor);
      [read, policy] = [now, after];
      projects.forget();
      authorizer.replace(after, () => changedFiles(read.identities));
      return told;
    },
    async close() {
      await ledger.close();
      store.close();
      secrecy.taint.end();
      redactor.end();
    },
  };

  function compare(now: PolicyFiles): { after: CompiledPolicy; told: Reloaded } {
    const after = governed(now, kind);
    const differences = [...policyDifference(read.files, now.files), ...projects.differences];
    const files = [...changedFiles(read.identities), ...projects.changed];
    const seen = createHash('sha256')
      .update(canonicalJson({ policy: after.hash, differences }))
      .digest('hex');
    return { after, told: { before: policy.hash, after: after.hash, files, differences, seen } };
  }
}

/** With the files that it was made of, for whoever asks what counts here. */
function governed({ files, parsed }: PolicyFiles, kind: 'seat' | 'virtual'): CompiledPolicy & Pick<Rules, 'sources'> {
  return { ...compilePolicy(files, kind), sources: parsed.map(({ tier, file }) => ({ tier, file })) };
}

function changedAgain(): DesktopError {
  return new DesktopError('policy_denied', 'The policy was changed again while you looked at it.', {
    hint: 'Look once more: deskproof policy reload',
  });
}

function policyNote(
  event: 'loaded' | 'reloaded',
  { hash = '' }: Pick<Rules, 'hash'>,
  parsed: PolicyFiles['parsed'],
): Extract<Note, { kind: 'policy' }> {
  const files = parsed.map(({ tier, file, policy }) => ({
    ...{ tier, file },
    hash: createHash('sha256').update(canonicalJson(policy)).digest('hex'),
  }));
  return { kind: 'policy', event, policy: hash, ...(files.length > 0 && { files }) };
}
