import { readdirSync, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { DesktopError } from '../../../shared/index.js';
import type { DisplayName } from './display.js';
import type { AuthFile } from './authority.js';

const START_PRIVATE_DESKTOP = 'start a private desktop: deskproof desktop start';

export function noDisplayError(wayland: boolean): DesktopError {
  return wayland
    ? new DesktopError('driver_unavailable', 'This is a Wayland session without an X display: DISPLAY is not set.', {
        hint: `Deskproof can read apps here, but windows, captures and input need XWayland. Set it up, or ${START_PRIVATE_DESKTOP}`,
        retry: 'no',
      })
    : new DesktopError('driver_unavailable', 'There is no display: DISPLAY is not set.', {
        hint: `Set it to the display of your session (export DISPLAY=:0), or ${START_PRIVATE_DESKTOP}`,
        retry: 'no',
      });
}

export function noServerError(name: DisplayName, cause: Error): DesktopError {
  const others = localDisplays().filter((display) => display !== `:${name.number}`);
  const first = others.length
    ? `Running displays: ${others.join(', ')} (export DISPLAY=${others[0]})`
    : 'No display is running on this machine';
  return new DesktopError('driver_unavailable', `No X server answers at display ${name.text}.`, {
    hint: `${first}; or ${START_PRIVATE_DESKTOP}`,
    retry: 'no',
    cause,
  });
}

/** The server refused the connection, or closed the socket, during setup. */
export function refusedError(name: DisplayName, auth: AuthFile, hadCookie: boolean, cause: Error): DesktopError {
  const details = { reason: cause.message.slice(0, 200) };
  if (/maximum number of clients/i.test(cause.message)) {
    return new DesktopError('driver_unavailable', `Display ${name.text} has reached its maximum number of clients.`, {
      hint: 'Close some programs on it, then try again.',
      details,
      cause,
    });
  }
  if (!/connection failed|closed before setup/.test(cause.message)) return serverGoneError(name, cause);
  const me = userInfo().username;
  const owner = ownerOf(name);
  const why = hadCookie
    ? `the cookie in ${auth.path} is not the one that the server expects`
    : auth.problem === 'unreadable'
      ? `the cookie file ${auth.path} cannot be read by ${me}`
      : `there is no cookie for it in ${auth.path ?? 'any file (HOME and XAUTHORITY are not set)'}`;
  return new DesktopError('permission_missing', `Display ${name.text} refused the connection: ${why}.`, {
    hint:
      owner && owner !== me && owner !== 'root'
        ? `It belongs to ${owner}. Run Deskproof as ${owner}, or ask ${owner} to run: xhost +si:localuser:${me}`
        : `Set XAUTHORITY to the session's own file (in a terminal of that session: echo $XAUTHORITY), or ${START_PRIVATE_DESKTOP}`,
    retry: 'no',
    details,
    cause,
  });
}

export function serverGoneError(name: DisplayName, cause?: Error): DesktopError {
  return new DesktopError('driver_unavailable', `The X server of display ${name.text} is gone.`, {
    hint: 'Start the desktop again. Windows and refs of the old one are no longer valid.',
    retry: 'no',
    cause,
  });
}

/**
 * The displays of this machine, lowest number first: those that listen, or (inside a container) those that have a
 * socket.
 */
function localDisplays(): string[] {
  const numbers = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((match) => match[1]!);
  const listening = numbers(
    readOrEmpty(() => readFileSync('/proc/net/unix', 'utf8')),
    LISTENING,
  );
  const found = listening.length
    ? listening
    : numbers(
        readOrEmpty(() => readdirSync('/tmp/.X11-unix').join('\n')),
        /^X(\d+)$/gm,
      );
  return [...new Set(found)]
    .sort((a, b) => +a - +b)
    .slice(0, 8)
    .map((number) => `:${number}`);
}

/** Flag 10000 marks a listening socket. */
const LISTENING = /00010000 [^\n]* \/tmp\/\.X11-unix\/X(\d+)$/gm;

function readOrEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return ''; // The path is missing or unreadable. The hint then names no display.
  }
}

function ownerOf(display: DisplayName): string | undefined {
  if (!display.socket) return undefined;
  try {
    const { uid } = statSync(display.socket);
    const name = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .find((fields) => fields[2] === String(uid))?.[0];
    return name ?? `uid ${uid}`;
  } catch {
    return undefined; // The socket was removed in the meantime. The message then does not name its owner.
  }
}
