import { lstatSync, mkdirSync, statSync, type Stats } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { DesktopError } from '../shared/index.js';

type Env = Readonly<Record<string, string | undefined>>;

/** A socket's path ends at 107 bytes (103 on macOS), and the seat's own need up to 23 below this directory. */
const LONGEST_DIRECTORY = 80;

function ownUid(): number {
  return process.getuid?.() ?? -1;
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw new DesktopError('permission_missing', `The runtime directory ${path} cannot be looked at.`, {
      hint: 'Set DESKPROOF_RUNTIME to a directory of your own.',
      cause: error,
    });
  }
}

/**
 * Where all desktops of this person have their sockets. XDG_RUNTIME_DIR counts only when it is really theirs: after
 * `su` it names another person's, and in containers one that does not exist.
 */
export function runtimeBase(env: Env = process.env): string {
  if (env.DESKPROOF_RUNTIME) return resolve(env.DESKPROOF_RUNTIME);
  const xdg = env.XDG_RUNTIME_DIR;
  if (xdg && isAbsolute(xdg)) {
    try {
      const stat = lstatSync(resolve(xdg));
      if (stat.isDirectory() && stat.uid === ownUid()) return join(resolve(xdg), 'deskproof');
    } catch {
      // Not there or not ours to see: the temporary directory does as well.
    }
  }
  return join(resolve(env.TMPDIR || tmpdir()), `deskproof-${ownUid()}`);
}

/**
 * The directory is the only proof of who is at the other end of a socket in it, so client and host both insist:
 * a real directory, ours, closed to everybody else.
 */
export function checkPrivateDirectory(path: string): void {
  const stat = statOf(path);
  const refuse = (what: string, hint: string): never => {
    throw new DesktopError('permission_missing', `The runtime directory ${path} ${what}.`, { hint });
  };
  const elsewhere = 'Remove it, or set DESKPROOF_RUNTIME to a directory of your own.';
  if (!stat) return refuse('is not there', 'Start a desktop first: deskproof desktop start');
  if (stat.isSymbolicLink()) return refuse('is a symbolic link', elsewhere);
  if (!stat.isDirectory()) return refuse('is not a directory', elsewhere);
  if (stat.uid !== ownUid()) return refuse('belongs to another user', elsewhere);
  if ((stat.mode & 0o777) !== 0o700) return refuse('is open to other users', `Close it: chmod 700 ${path}`);
  if (isExchangeable(dirname(path))) return refuse('lies where other users can exchange it', elsewhere);
}

/**
 * Everybody may rename what lies there, ours too: open to all, and without the bit that /tmp has against it. A link to
 * a directory, as /var/run is one, is as good as that directory, if nobody else can let it lead elsewhere.
 */
function isExchangeable(directory: string): boolean {
  const stat = statOf(directory);
  if (!stat?.isSymbolicLink()) return isOpenToAll(stat);
  return ![0, ownUid()].includes(stat.uid) || isOpenToAll(statSync(directory));
}

function isOpenToAll(stat: Stats | undefined): boolean {
  const mode = stat?.mode ?? 0;
  return (mode & 0o002) !== 0 && (mode & 0o1000) === 0;
}

export function isThere(path: string): boolean {
  return statOf(path) !== undefined;
}

/** Makes the directory when it is not there; never repairs one that is wrong, since somebody else made it so. */
export function makePrivateDirectory(path: string): void {
  if (!statOf(path)) {
    try {
      mkdirSync(path, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw new DesktopError('permission_missing', `The runtime directory ${path} cannot be made.`, {
        hint: 'Set DESKPROOF_RUNTIME to a directory of your own.',
        cause: error,
      });
    }
  }
  checkPrivateDirectory(path);
}

export interface DesktopPaths {
  /** Also the seat's runtime directory, so that its keeper removes our lock and socket when we are killed. */
  directory: string;
  lock: string;
  socket: string;
  /** The seat's own list of what it made; while it is there, cleaning up is the seat's affair. */
  seatRecord: string;
  home: string;
}

/** Where one desktop keeps its things. */
export function desktopPaths(base: string, key: string): DesktopPaths {
  const directory = join(base, key);
  if (Buffer.byteLength(directory) > LONGEST_DIRECTORY) {
    throw new DesktopError('bad_arguments', `The runtime directory's path is too long for sockets: ${directory}`, {
      hint: 'Set DESKPROOF_RUNTIME to a shorter path, for example /tmp/dp.',
    });
  }
  return {
    directory,
    lock: join(directory, 'lock'),
    socket: join(directory, 'host.sock'),
    seatRecord: join(directory, 'seat.json'),
    home: join(directory, 'home'),
  };
}
