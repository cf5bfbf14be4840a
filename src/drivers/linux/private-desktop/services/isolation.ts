import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { dirname, relative } from 'node:path';
import type { Readable } from 'node:stream';
import { platform } from '../../../../platform/index.js';
import { type Deadline, debug } from '../../../../shared/index.js';
import { findProgram } from '../launch/find-program.js';

/** A command with its arguments. */
interface Words {
  command: string;
  args: string[];
  env: Record<string, string>;
}

/**
 * Where the programs of a private desktop run: they do not see Deskproof's configuration, logs, keys and sockets. It is
 * a mount namespace with a user namespace around it, and no pid namespace: process ids must be the same inside and
 * outside, because the identity of apps is based on them.
 *
 * The user namespace has two effects. A program inside may not look into processes outside (/proc/PID/root, cwd and fd,
 * ptrace), although they belong to the same user: the kernel requires the same namespace for that. And the namespace is
 * the second of two, one inside the other: mounts that come from an outer namespace cannot be taken away, not even by
 * root inside.
 */
export interface Isolation {
  /** The words that start this program inside. */
  inside(command: string, args: readonly string[], start: { cwd: string; env: Record<string, string> }): Words;
  close(): void;
}

interface IsolationRequest {
  /** Contains the directories of all desktops, with the sockets of their hosts. */
  base: string;
  /** Files and directories below `base` that the programs of this desktop need. */
  needed: readonly string[];
}

/** The namespaces, or why they cannot be made here. */
export async function isolate(request: IsolationRequest, deadline: Deadline): Promise<Isolation | { reason: string }> {
  const processes: ChildProcess[] = [];
  const start = (command: string, args: readonly string[]): Promise<string> => {
    const child = spawn(command, args, { cwd: '/', env: { PATH: SYSTEM_PATH }, stdio: ['pipe', 'pipe', 'pipe'] });
    processes.push(child);
    return deadline.race(firstLine(child), 'Hiding files from apps');
  };
  try {
    const [nsenter, sh] = ['nsenter', 'sh'].map((name) => findProgram(name, SYSTEM_PATH)?.path);
    if (!nsenter || !sh) return { reason: 'nsenter is not installed' };
    const outer = Number(await start('unshare', ['--user', 'sh', '-c', 'echo $$; read end']));
    const { uid, gid, innerMap } = mapIds(outer);
    const enter = [`--user=/proc/${outer}/ns/user`, '--preserve-credentials'];
    const script = ['unshare', '--mount', '--propagation', 'slave', 'sh', '-c', SCRIPT, 'sh'];
    const inner = Number(await start(nsenter, [...enter, ...script, innerMap(uid), innerMap(gid), ...mounts(request)]));
    return namespacesOf(inner, nsenter, sh);
  } catch (error) {
    debug('private-desktop', () => `no isolation: ${String(error)}`);
    return { reason: error instanceof Error ? error.message : String(error) };
  } finally {
    // The open files keep the namespaces; the processes that made them are not needed any more. Their children end
    // with their input.
    for (const child of processes) {
      child.stdin?.end();
      child.kill('SIGKILL');
    }
    await Promise.all(processes.map(hasEnded));
  }
}

/** Why it would not be possible here, for `doctor`. */
export function isolationProblem(): string | undefined {
  const env = { PATH: SYSTEM_PATH };
  const { error, status, stderr } = spawnSync('unshare', ['--user', '--mount', 'nsenter', '--version'], { env });
  if (error || status === 0) return error?.message;
  return String(stderr).trim().split('\n')[0]?.slice(0, 200);
}

const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Every id of the system. */
const ALL_IDS = 4_294_967_295;

/**
 * Root keeps all ids, so that it can use the files of every user as before. Everybody else has their own id and no
 * other: more is not permitted.
 */
function mapIds(outer: number): { uid: number; gid: number; innerMap: (id: number) => string } {
  const [uid, gid] = [process.getuid!(), process.getgid!()];
  const isRoot = uid === 0;
  // Required before a group may be mapped without privileges.
  if (!isRoot) writeFileSync(`/proc/${outer}/setgroups`, 'deny');
  const outerMap = (id: number): string => (isRoot ? `0 0 ${ALL_IDS}` : `0 ${id} 1`);
  writeFileSync(`/proc/${outer}/uid_map`, outerMap(uid));
  writeFileSync(`/proc/${outer}/gid_map`, outerMap(gid));
  return { uid, gid, innerMap: (id) => (isRoot ? `0 0 ${ALL_IDS}` : `${id} 0 1`) };
}

/**
 * Runs as root of the outer namespace: $1 and $2 are the maps of the inner one, then groups of `what path…`, each ended
 * by `end`. `keep PATH` makes a directory a mount of its own, so that it cannot be renamed to make room for another one.
 * `hide PATH` puts an empty directory over it. `show BASE NAME…` does so too, and then brings back the named entries: the
 * current directory still leads to the covered one.
 */
const SCRIPT = `set -e
users=$1; groups=$2; shift 2
while [ $# -gt 0 ]; do
  what=$1; path=$2; shift 2
  case $what in
    keep) mount --rbind "$path" "$path" ;;
    hide) mount -t tmpfs -o mode=0700,size=64k tmpfs "$path" ;;
    show)
      cd "$path"
      mount -t tmpfs -o mode=0700,size=64k tmpfs "$path"
      while [ "$1" != end ]; do
        if [ -d "./$1" ]; then mkdir -p "$path/$1"; else mkdir -p "$(dirname "$path/$1")"; : > "$path/$1"; fi
        mount --no-canonicalize --bind "./$1" "$path/$1"
        shift
      done
      cd / ;;
  esac
  shift
done
unshare --user --mount sh -c 'echo $$; read end' | {
  read inner
  if [ "$groups" != '0 0 ${ALL_IDS}' ]; then echo deny > "/proc/$inner/setgroups"; fi
  echo "$users" > "/proc/$inner/uid_map"
  echo "$groups" > "/proc/$inner/gid_map"
  echo "$inner"
  cat > /dev/null
}
`;

function mounts({ base, needed }: IsolationRequest): string[] {
  const own = ownDirectories();
  const session = `/run/user/${process.getuid!()}`;
  const realBase = realpathSync(base);
  const isInSession = existsSync(session) && !relative(session, realBase).startsWith('..');
  const shownFrom = isInSession ? session : realBase;
  const shown = needed
    .map((path) => relative(shownFrom, realpathSync(path)))
    .filter((path) => path !== '' && !path.startsWith('..'));
  const hidden = [...own, ...(existsSync(session) && !isInSession ? [session] : [])];
  const kept = new Set([...hidden, shownFrom].flatMap(renamableAbove));
  return [
    // From the top, since a mount covers those that were made below it.
    ...[...kept].sort((one, other) => one.length - other.length).flatMap((path) => ['keep', path, 'end']),
    ...hidden.flatMap((path) => ['hide', path, 'end']),
    ...['show', shownFrom, ...shown, 'end'],
  ];
}

/** Configuration, logs, and state with the keys. A directory that is missing is made: else an app could make it. */
function ownDirectories(): string[] {
  const { env } = process;
  const os = platform();
  return [os.configDirectory(env), os.dataDirectory(env), os.stateDirectory(env)].flatMap((path) => {
    try {
      mkdirSync(path, { recursive: true, mode: 0o700 });
    } catch {
      // This user cannot make it, so no app of this user can.
    }
    return existsSync(path) ? [realpathSync(path)] : [];
  });
}

/** The directories above that this user could rename, and so put others in their place. */
function renamableAbove(path: string): string[] {
  const above = dirname(path);
  if (above === path || dirname(above) === above) return [];
  const more = renamableAbove(above);
  try {
    accessSync(dirname(above), constants.W_OK);
    return [...more, above];
  } catch {
    return more; // Not writable: it stays where it is.
  }
}

/** With these variables a program loads other code. They must not reach `nsenter`, which starts outside. */
const LOADER_VARIABLE = /^(LD_|GLIBC_TUNABLES$|GCONV_PATH$|LOCPATH$|NLSPATH$|MALLOC_)/;

/** $1: the directory, which is entered inside: an open one from outside would lead to what is hidden. */
const ENTER = 'cd -- "$1" || exit 126; shift; while [ "$1" != -- ]; do export "$1"; shift; done; shift; exec "$@"';

function namespacesOf(inner: number, nsenter: string, sh: string): Isolation {
  const user = openSync(`/proc/${inner}/ns/user`, 'r');
  const mount = openSync(`/proc/${inner}/ns/mnt`, 'r');
  const enter = [`--user=/proc/${process.pid}/fd/${user}`, `--mount=/proc/${process.pid}/fd/${mount}`];
  const words = [...enter, '--preserve-credentials'];
  return {
    inside: (command, args, { cwd, env }) => {
      const [loader, others] = [true, false].map((wanted) =>
        Object.entries(env).filter(([name]) => LOADER_VARIABLE.test(name) === wanted),
      ) as [[string, string][], [string, string][]];
      const exports = loader.map(([name, value]) => `${name}=${value}`);
      return {
        command: nsenter,
        args: [...words, '--', sh, '-c', ENTER, 'sh', cwd, ...exports, '--', command, ...args],
        env: Object.fromEntries(others),
      };
    },
    close: () => [user, mount].forEach((fd) => closeSync(fd)),
  };
}

async function hasEnded(child: ChildProcess): Promise<void> {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** Rejects with what the process printed if it ends before. */
async function firstLine(child: ChildProcess): Promise<string> {
  let [out, errors] = ['', ''];
  child.stdin!.on('error', () => undefined); // It ended already; `close` reports that.
  child.stderr!.on('data', (chunk: Buffer) => (errors += chunk.toString('utf8')));
  return new Promise((resolve, reject) => {
    (child.stdout as Readable).on('data', (chunk: Buffer) => {
      out += chunk.toString('utf8');
      const end = out.indexOf('\n');
      if (end >= 0) resolve(out.slice(0, end));
    });
    child.once('error', reject);
    child.once('close', () => reject(new Error(errors.trim().split('\n')[0]?.slice(0, 200) || 'it ended at once')));
  });
}
