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
import { checkAcrossFiles, MAX_FILE_BYTES, type ParsedPolicy, parsePolicy } from './parse.js';
import type { FileTier } from './schema.js';
import type { Files } from './settings.js';

/** Where the policy files are. */
export interface PolicyPlaces {
  user: string;
  /** The user named this file explicitly, so it must exist. */
  userNamed?: boolean;
  project?: string;
  managed: string;
}

/** Identifies the version of a file that was read. "Absent" is a state too: a file that appears later is a change. */
interface FileIdentity {
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

/**
 * Reads all files as they are now. A file that exists but cannot be read, trusted or parsed is an error: nothing runs
 * without it.
 */
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
    const read = readPolicyText(path, tier);
    identities.push({ path, state: read?.state ?? ABSENT });
    if (!read) {
      if (tier === 'user' && places.userNamed) throw unreadable(path, 'The file does not exist.');
      refuseEarlierName(path);
      continue;
    }
    const policy = parsePolicy(read.text, { tier, file: displayPath(path), ...(tools && { tools }) });
    parsed.push(policy);
    files[tier] = policy.policy;
  }
  checkAcrossFiles(parsed);
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
    `The policy file ${displayPath(earlier)} belongs to an earlier name of this program. Move it to ${displayPath(path)}.`,
    { details: { file: earlier } },
  );
}

/** The policy of one project. It applies to callers that were started in that project. */
export interface ProjectFile {
  /** For display. */
  file: string;
  parsed?: ParsedPolicy;
  identity: FileIdentity;
}

export function readProjectFile(path: string, tools?: readonly string[]): ProjectFile {
  const [file, read] = [displayPath(path), readPolicyText(path, 'project')];
  const identity = { path, state: read?.state ?? ABSENT };
  if (!read) {
    refuseEarlierName(path);
    return { file, identity };
  }
  return { file, identity, parsed: parsePolicy(read.text, { tier: 'project', file, ...(tools && { tools }) }) };
}

/** The files that changed since they were read. */
export function changedFiles(identities: readonly FileIdentity[]): string[] {
  return identities.filter(({ path, state }) => stateNow(path) !== state).map(({ path }) => path);
}

function stateNow(path: string): string {
  try {
    return stateOf(statSync(path, { bigint: true }));
  } catch (error) {
    // Any other error is a change: the file was readable before.
    return codeOf(error) === 'ENOENT' ? ABSENT : 'unreadable';
  }
}

const stateOf = ({ dev, ino, size, mtimeNs }: BigIntStats): string => [dev, ino, size, mtimeNs].join(':');

function readPolicyText(path: string, tier: FileTier): { text: string; state: string } | undefined {
  let file: number;
  try {
    // Without O_NONBLOCK, opening a named pipe would block until a writer appears.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw unreadable(path, 'The file cannot be opened.', error);
  }
  try {
    const before = fstatSync(file, { bigint: true });
    if (!before.isFile()) throw unreadable(path, 'It is not a regular file.');
    if (before.size > MAX_FILE_BYTES) throw unreadable(path, 'The file is larger than 256 KB.');
    checkOwner(path, tier, before);
    const text = decodeUtf8(path, readFileSync(file));
    if (stateOf(fstatSync(file, { bigint: true })) !== stateOf(before)) {
      throw unreadable(path, 'The file changed while it was being read.');
    }
    return { text, state: stateOf(before) };
  } finally {
    closeSync(file);
  }
}

function decodeUtf8(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw unreadable(path, 'The file is not UTF-8 text.', error);
  }
}

function checkOwner(path: string, tier: FileTier, file: BigIntStats): void {
  if (tier === 'managed') {
    const fault =
      process.platform === 'win32'
        ? 'its owner cannot be verified on this platform'
        : ownerFault(ownershipChain(path, file));
    if (fault !== undefined) {
      throw untrusted(
        path,
        fault,
        `As root, run chown root and chmod go-w on the file and on each directory above it.`,
      );
    }
  }
  // A project's file needs no check: it can only tighten, so its author does not matter.
  if (tier === 'user' && process.getuid) {
    const { uid, mode } = file;
    if (Number(uid) !== process.getuid() && uid !== 0n)
      throw untrusted(path, 'it belongs to another user', 'Write your own policy file.');
    if ((mode & 0o002n) !== 0n)
      throw untrusted(path, 'every user can write to it', `Run chmod o-w ${displayPath(path)}`);
  }
}

/** The file and each directory above it, both along the given path and along the resolved one. */
function ownershipChain(path: string, file: BigIntStats): Owned[] {
  const above = (from: string): string[] => (dirname(from) === from ? [] : [dirname(from), ...above(dirname(from))]);
  const real = realpathSync(path);
  const parts = [...new Set([path, ...above(path), real, ...above(real)])].map((part): Owned => {
    const stats = lstatSync(part);
    return { path: part, uid: stats.uid, mode: stats.mode, ...(stats.isSymbolicLink() && { link: true }) };
  });
  return [{ path, uid: Number(file.uid), mode: Number(file.mode) }, ...parts];
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | undefined)?.code;
const displayPath = (path: string): string => cleanName(path, 200).text;

function unreadable(path: string, why: string, cause?: unknown): DesktopError {
  return new DesktopError('permission_missing', `The policy ${displayPath(path)} cannot be read. ${why}`, {
    ...{
      retry: 'no',
      hint: 'Make the file readable or remove it. Deskproof does not run with a policy that it cannot read.',
    },
    ...{ details: { file: path, code: codeOf(cause) }, cause },
  });
}

function untrusted(path: string, why: string, hint: string): DesktopError {
  return new DesktopError('permission_missing', `The policy ${displayPath(path)} is not trusted: ${why}.`, {
    ...{ retry: 'no', hint, details: { file: path } },
  });
}

/** Owner and permissions of a file or directory. */
export interface Owned {
  path: string;
  uid: number;
  /** As in `stat`. */
  mode: number;
  /**
   * The mode of a symbolic link means nothing: its destination and the directory that contains it control write access.
   */
  link?: boolean;
}

const ROOT = 0;
const GROUP_OR_OTHERS = 0o022;

/** Why the managed file is not trusted. It binds users only if they cannot change it. */
export function ownerFault(parts: readonly Owned[]): string | undefined {
  for (const { path, uid, mode, link } of parts) {
    if (uid !== ROOT) return `${path} does not belong to root`;
    if (!link && (mode & GROUP_OR_OTHERS) !== 0) return `${path} is writable by users other than root`;
  }
  return undefined;
}
