import { createHash } from 'node:crypto';
import {
  EvidenceLedger,
  openLedger,
  type FileLedger,
  type Ledger,
  type LedgerPlaces,
  type Note,
} from '../../audit/index.js';
import { VERSION } from '../../config.js';
import {
  changedFiles,
  compilePolicy,
  type CompiledPolicy,
  policyDifference,
  type Files,
  type PolicyFile,
  type PolicyFiles,
  policyPlaces,
  type PolicyPlaces,
  readPolicyFiles,
  type Settings,
} from '../../policy/index.js';
import type { Authorizer, ProjectRules, Rules, Secrecy } from '../../runtime/index.js';
import { LogRedactor, Masks, SecretStore, TaintTracker } from '../../secrets/index.js';
import { canonicalJson, DesktopError } from '../../shared/index.js';
import { TOOLS } from '../../tools/index.js';
import type { HostOptions } from '../server/main.js';
import { logPlaces } from './log-location.js';
import { PolicyConfirmation, readsOnly } from './policy-confirmation.js';
import { ProjectPolicies } from './project-policies.js';

/** Policy and log of one desktop, as its host uses them. */
export interface LoadedGovernance {
  policy: Rules & Pick<CompiledPolicy, 'settings'>;
  /** Why the policy waits for the user, and only reads are served. */
  unconfirmed: () => string | undefined;
  ledger: FileLedger;
  /** The same log for acts: it also stores their snapshots, if the policy asks for them. */
  actLedger: Ledger;
  secrecy: Secrecy;
  places: LedgerPlaces;
  policyChanged: () => string[];
  /** The additional rules for callers from a directory. */
  inProject: (directory: string) => ProjectRules | undefined;
  /**
   * Called before a caller from this directory does anything: reads the policy of its project and writes it to the log.
   */
  begin(directory: string | undefined): Promise<void>;
  /** What would apply after a reload. */
  preview(): PolicyReload;
  /** Reads the files again and applies them, if they are still the ones that the user reviewed. */
  reload(authorizer: Authorizer, by: string, expected?: string): Promise<PolicyReload>;
  close(): Promise<void>;
}

export interface PolicyReload {
  before: string;
  after: string;
  /** Files that have changed. */
  files: string[];
  /** The differences, one per line. */
  differences: string[];
  /** Hash of everything that the user is shown here. */
  seen: string;
}

/**
 * Called before the host listens or starts anything: a policy that cannot be read, or a log that cannot be continued,
 * fails here.
 */
export async function openGovernance(options: HostOptions, directory: string): Promise<LoadedGovernance> {
  const kind = options.desktop.kind === 'user' ? 'seat' : 'virtual';
  const where: PolicyPlaces = policyPlaces({
    ...(options.policyFile !== undefined && { policyFile: options.policyFile }),
    ...(options.startDirectory !== undefined && { startDirectory: options.startDirectory }),
  });
  const names = TOOLS.map(({ name }) => name);
  let read = readPolicyFiles(where, names);
  const places = logPlaces({ key: options.key, directory, own: options.endWithParent });
  // A policy that was named for a private desktop is the word of the one who starts it.
  const isGiven = where.userNamed === true && kind === 'virtual';
  const confirmation = isGiven ? undefined : PolicyConfirmation.start(where.user, read.files, places);
  /** With a policy that waits for the user, only reads are served. */
  const inForce = <Policy extends Rules>(compiled: Policy, callerProject?: PolicyFile): Policy | Rules => {
    const waiting = confirmation?.unconfirmed;
    if (!waiting) return compiled;
    const { project } = read.files;
    const before = { ...waiting.confirmed, ...(project && { project }), ...(callerProject && { callerProject }) };
    return readsOnly(compiled, waiting.confirmed && compilePolicy(before, kind));
  };
  let policy = compileWithSources(read, kind);
  // Commands of a policy that the user did not confirm are never run.
  const anchor = confirmation?.unconfirmed ? undefined : policy.settings.audit.anchor;
  // Before any process is started: secrets from the environment are removed from it here.
  const store = new SecretStore(
    confirmation?.unconfirmed ? withoutCommands(policy.settings.secrets) : policy.settings.secrets,
  );
  const taint = new TaintTracker();
  const redactor = new LogRedactor(taint, new Masks(policy.settings.masks));
  const secrecy: Secrecy = { store, taint, withhold: (text, where) => redactor.withhold(text, where) };
  const software = `deskproof/${VERSION}`;
  const ledger = await openLedger({ places, software, redactor, ...(anchor && { anchor }) });
  await ledger.note({
    ...policyNote('loaded', policy, read.parsed),
    ...(confirmation && { by: confirmation.by }),
  });
  const evidence = new EvidenceLedger(ledger, { places, redactor, ...policy.settings.audit });
  await evidence.startRetention();
  const compileWith = (callerProject: PolicyFile, file: string): Rules => ({
    ...inForce(compilePolicy({ ...read.files, callerProject }, kind), callerProject),
    sources: [...(policy.sources ?? []), { tier: 'project', file }],
  });
  /** Hashes of the project policies that are already in the log. */
  const noted = new Set<string | undefined>();
  const projects = new ProjectPolicies({ tools: names, own: where.project, compileWith });
  return {
    ...{ ledger, actLedger: evidence, places, secrecy },
    policy: { ...inForce(policy), settings: policy.settings },
    unconfirmed: () => confirmation?.unconfirmed?.why,
    policyChanged: () => changedFiles(read.identities),
    inProject: (directory) => projects.inForce(directory),
    async begin(directory) {
      const project = directory === undefined ? undefined : projects.inForce(directory);
      if (!project?.parsed || noted.has(project.rules.hash)) return;
      noted.add(project.rules.hash);
      await ledger.note(policyNote('loaded', project.rules, [...read.parsed, project.parsed]));
    },
    preview: () => compare(readPolicyFiles(where, names)).reloaded,
    async reload(authorizer, by, expected) {
      const now = readPolicyFiles(where, names);
      const { after, reloaded } = compare(now);
      if (expected !== undefined && expected !== reloaded.seen) throw changedAgainError();
      const masks = new Masks(after.settings.masks);
      await ledger.note({ ...policyNote('reloaded', after, now.parsed), by });
      confirmation?.confirm(now.files);
      store.replace(after.settings.secrets);
      redactor.useMasks(masks);
      ledger.useAnchor(after.settings.audit.anchor);
      evidence.use(after.settings.audit);
      [read, policy] = [now, after];
      projects.invalidate();
      authorizer.replace(after, () => changedFiles(read.identities));
      return reloaded;
    },
    async close() {
      evidence.end();
      await ledger.close();
      store.close();
      secrecy.taint.end();
      redactor.end();
    },
  };

  function compare(now: PolicyFiles): { after: CompiledPolicy; reloaded: PolicyReload } {
    const after = compileWithSources(now, kind);
    const waiting = confirmation?.unconfirmed !== undefined;
    const own = waiting
      ? [...confirmation.differences(now.files), ...projectDifference(read.files, now.files)]
      : policyDifference(read.files, now.files);
    const differences = [...own, ...projects.differences];
    const changed = changedFiles(read.identities);
    const files = [...(waiting && !changed.includes(where.user) ? [where.user] : []), ...changed, ...projects.changed];
    const seen = createHash('sha256')
      .update(canonicalJson({ policy: after.hash, differences }))
      .digest('hex');
    return { after, reloaded: { before: policy.hash, after: after.hash, files, differences, seen } };
  }
}

const projectDifference = ({ project: before }: Files, { project: after }: Files): string[] =>
  policyDifference({ ...(before && { project: before }) }, { ...(after && { project: after }) });

function withoutCommands(secrets: Settings['secrets']): Settings['secrets'] {
  return Object.fromEntries(Object.entries(secrets).filter(([, source]) => !('command' in source)));
}

/** With the files that the policy was compiled from, for `policy` requests. */
function compileWithSources(
  { files, parsed }: PolicyFiles,
  kind: 'seat' | 'virtual',
): CompiledPolicy & Pick<Rules, 'sources'> {
  return { ...compilePolicy(files, kind), sources: parsed.map(({ tier, file }) => ({ tier, file })) };
}

function changedAgainError(): DesktopError {
  return new DesktopError('policy_denied', 'The policy changed again while you reviewed it.', {
    hint: 'Review it again: deskproof policy reload',
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
