import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Env, platform } from '../../platform/index.js';
import { cleanName, DesktopError } from '../../shared/index.js';
import { checkTogether, LARGEST_FILE, type ParsedPolicy, parsePolicy } from './parse.js';
import type { FileTier } from './schema.js';
import type { Files } from './settings.js';

/** Where the files are. */
export interface PolicyPlaces {
  user: string;
  /** It was named by a person: then it has to be there. */
  userNamed?: boolean;
  project?: string;
  managed: string;
}

/** What a file was when it was read. Not there is a state too: one that appears later is a change. */
export interface FileIdentity {
  path: string;
  state: string;
}

export interface PolicyFiles {
  files: Files;
  parsed: readonly ParsedPolicy[];
  identities: readonly FileIdentity[];
}

const ABSENT = 'absent';

const FILE_NAME = 'policy.yaml';

export function policyPlaces(
  given: { policyFile?: string; startDirectory?: string } = {},
  env: Env = process.env,
): PolicyPlaces {
  return {
    user: given.policyFile ?? join(platform().configDirectory(env), FILE_NAME),
    ...(given.policyFile !== undefined && { userNamed: true }),
    ...(given.startDirectory !== undefined && { project: join(given.startDirectory, '.deskproof', FILE_NAME) }),
    // No flag and no variable moves it.
    managed: join(platform().managedConfigDirectory, FILE_NAME),
  };
}

/** All files as they are now. Any that is there and cannot be read, trusted or understood stops everything. */
export function readPolicyFiles(places: PolicyPlaces, tools?: readonly string[]): PolicyFiles {
  const parsed: ParsedPolicy[] = [];
  const identities: FileIdentity[] = [];
  const files: Files = {};
  const listed: [FileTier, string | undefined][] = [
    ['managed', places.managed],
    ['user', places.user],
    ['project', places.project],
  ];
  for (const [tier, path] of listed) {
    if (path === undefined) continue;
    const read = readOne(path, tier);
    identities.push({ path, state: read?.state ?? ABSENT });
    if (!read) {
      if (tier === 'user' && places.userNamed) throw unreadable(path, 'It is not there.');
      refuseEarlierName(path);
      continue;
    }
    const policy = parsePolicy(read.text, { tier, file: shown(path), ...(tools && { tools }) });
    parsed.push(policy);
    files[tier] = policy.policy;
  }
  checkTogether(parsed);
  return { files, parsed, identities };
}

const EARLIER_NAMES: Readonly<Record<string, string>> = { deskproof: 'deskwright', '.deskproof': '.deskwright' };

/** A policy under the earlier name of the program is not read. Without an error its rules would silently not apply. */
function refuseEarlierName(path: string): void {
  const directory = dirname(path);
  const name = EARLIER_NAMES[basename(directory)];
  if (name === undefined) return;
  const earlier = join(dirname(directory), name, basename(path));
  if (!lstatSync(earlier, { throwIfNoEntry: false })) return;
  throw new DesktopError(
    'bad_arguments',
    `The policy file ${shown(earlier)} belongs to an earlier name of this program. Move it to ${shown(path)}.`,
    { details: { file: earlier } },
  );
}

/** The policy of one project, for the callers that were started in it. */
export interface ProjectFile {
  /** As people are shown it. */
  file: string;
  parsed?: ParsedPolicy;
  identity: FileIdentity;
}

export function readProjectFile(path: string, tools?: readonly string[]): ProjectFile {
  const [file, read] = [shown(path), readOne(path, 'project')];
  const identity = { path, state: read?.state ?? ABSENT };
  if (!read) {
    refuseEarlierName(path);
    return { file, identity };
  }
  return { file, identity, parsed: parsePolicy(read.text, { tier: 'project', file, ...(tools && { tools }) }) };
}

/** Those that are no longer what was read. */
export function changedFiles(identities: readonly FileIdentity[]): string[] {
  return identities.filter(({ path, state }) => stateNow(path) !== state).map(({ path }) => path);
}

function stateNow(path: string): string {
  try {
    return stateOf(statSync(path, { bigint: true }));
  } catch (error) {
    // Whatever else keeps it from being looked at is a change: it could be when it was read.
    return codeOf(error) === 'ENOENT' ? ABSENT : 'unreadable';
  }
}

const stateOf = ({ dev, ino, size, mtimeNs }: BigIntStats): string => [dev, ino, size, mtimeNs].join(':');

function readOne(path: string, tier: FileTier): { text: string; state: string } | undefined {
  let file: number;
  try {
    // A pipe in its place would never answer.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw unreadable(path, 'It cannot be opened.', error);
  }
  try {
    const before = fstatSync(file, { bigint: true });
    if (!before.isFile()) throw unreadable(path, 'It is not a file.');
    if (before.size > LARGEST_FILE) throw unreadable(path, 'It is larger than 256 KB.');
    checkOwner(path, tier, before);
    const text = decoded(path, readFileSync(file));
    if (stateOf(fstatSync(file, { bigint: true })) !== stateOf(before)) {
      throw unreadable(path, 'It was changed while it was read.');
    }
    return { text, state: stateOf(before) };
  } finally {
    closeSync(file);
  }
}

function decoded(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw unreadable(path, 'It is not UTF-8 text.', error);
  }
}

function checkOwner(path: string, tier: FileTier, file: BigIntStats): void {
  if (tier === 'managed') {
    const fault = process.platform === 'win32' ? 'its owner cannot be checked here' : ownerFault(chainTo(path, file));
    if (fault !== undefined) {
      throw refused(path, fault, `Set it right as root: chown root and chmod go-w, for the file and each directory.`);
    }
  }
  // A project's can only tighten, whoever wrote it.
  if (tier === 'user' && process.getuid) {
    const { uid, mode } = file;
    if (Number(uid) !== process.getuid() && uid !== 0n)
      throw refused(path, 'it belongs to another user', 'Write your own.');
    if ((mode & 0o002n) !== 0n) throw refused(path, 'everybody may write it', `Set it right: chmod o-w ${shown(path)}`);
  }
}

/** The file, and each directory above it, by the path that was taken and by the one that it leads to. */
function chainTo(path: string, file: BigIntStats): Owned[] {
  const above = (from: string): string[] => (dirname(from) === from ? [] : [dirname(from), ...above(dirname(from))]);
  const real = realpathSync(path);
  const parts = [...new Set([path, ...above(path), real, ...above(real)])].map((part): Owned => {
    const stats = lstatSync(part);
    return { path: part, uid: stats.uid, mode: stats.mode, ...(stats.isSymbolicLink() && { link: true }) };
  });
  return [{ path, uid: Number(file.uid), mode: Number(file.mode) }, ...parts];
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | undefined)?.code;
const shown = (path: string): string => cleanName(path, 200).text;

function unreadable(path: string, why: string, cause?: unknown): DesktopError {
  return new DesktopError('permission_missing', `The policy ${shown(path)} cannot be read. ${why}`, {
    ...{ retry: 'no', hint: 'Make it readable or take it away; nothing works with a policy that cannot be read.' },
    ...{ details: { file: path, code: codeOf(cause) }, cause },
  });
}

function refused(path: string, why: string, hint: string): DesktopError {
  return new DesktopError('permission_missing', `The policy ${shown(path)} is not trusted: ${why}.`, {
    ...{ retry: 'no', hint, details: { file: path } },
  });
}

/** Who owns a file or directory, and who may write it. */
export interface Owned {
  path: string;
  uid: number;
  /** As `stat` has it. */
  mode: number;
  /** Who may write through a link is said by what it leads to and by the directory that holds it. */
  link?: boolean;
}

const ROOT = 0;
const GROUP_OR_OTHERS = 0o022;

/** Why the managed file is not to be trusted: it binds people only as long as they cannot change it. */
export function ownerFault(parts: readonly Owned[]): string | undefined {
  for (const { path, uid, mode, link } of parts) {
    if (uid !== ROOT) return `${path} does not belong to root`;
    if (!link && (mode & GROUP_OR_OTHERS) !== 0) return `${path} can be written by others than root`;
  }
  return undefined;
}
