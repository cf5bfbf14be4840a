import { createHash, randomBytes } from 'node:crypto';
import { DesktopError } from '../../shared/index.js';

type Env = Readonly<Record<string, string | undefined>>;

export type Choice = { kind: 'user' } | { kind: 'private'; name: string };

export function hasDisplay(env: Env): boolean {
  return Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

const START_HINT = {
  hint: 'Start one: deskproof desktop start',
};

function choiceOf(name: string): Choice {
  if (name === 'user') return { kind: 'user' };
  if (name === 'virtual') {
    throw new DesktopError('bad_arguments', 'A new private desktop is empty: it shows nothing yet.', {
      hint: 'Start one, launch an app in it, then name it: deskproof desktop start --name work',
    });
  }
  return { kind: 'private', name: checkDesktopName(name) };
}

/**
 * Selects the desktop of a command: the one that was named, else DESKPROOF_DESKTOP, else the user desktop if there is a
 * display, else the only private desktop that runs. It never guesses among several.
 */
export async function chooseDesktop(
  given: string | undefined,
  env: Env,
  running: () => Promise<string[]>,
): Promise<Choice> {
  const name = given ?? (env.DESKPROOF_DESKTOP || undefined);
  if (name !== undefined) return choiceOf(name);
  if (hasDisplay(env)) return { kind: 'user' };
  const names = await running();
  if (names.length === 1) return { kind: 'private', name: names[0]! };
  if (names.length > 1) throw severalRunning(names);
  throw new DesktopError(
    'driver_unavailable',
    'There is no display here, and no private desktop is running.',
    START_HINT,
  );
}

/** For commands about private desktops: the one that was named, or the only one. */
export async function choosePrivate(
  given: string | undefined,
  env: Env,
  running: () => Promise<string[]>,
): Promise<string> {
  const name = given ?? (env.DESKPROOF_DESKTOP === 'user' ? undefined : env.DESKPROOF_DESKTOP || undefined);
  if (name !== undefined) return checkDesktopName(name);
  const names = await running();
  if (names.length === 1) return names[0]!;
  if (names.length > 1) throw severalRunning(names);
  throw new DesktopError('driver_unavailable', 'No private desktop is running.', START_HINT);
}

function severalRunning(names: string[]): DesktopError {
  return new DesktopError('bad_arguments', `${names.length} private desktops are running: ${names.join(', ')}.`, {
    hint: `Name one: --desktop ${names[0]}`,
  });
}

export function notRunning(name: string): DesktopError {
  return new DesktopError('driver_unavailable', `No private desktop named "${name}" is running.`, {
    hint: `Start it: deskproof desktop start --name ${name}   (deskproof desktop list shows what runs)`,
  });
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9-]{0,30}$/;
/** These words name a kind of desktop on the command line, so a private desktop cannot have them as its name. */
const RESERVED = new Set(['user', 'virtual', 'fake']);

export function isDesktopName(name: string): boolean {
  return NAME.test(name) && !RESERVED.has(name.toLowerCase());
}

export function checkDesktopName(name: string): string {
  if (RESERVED.has(name.toLowerCase())) {
    throw new DesktopError('bad_arguments', `A private desktop cannot be named "${name}": that word is reserved.`, {
      hint: 'Choose another name, for example work.',
    });
  }
  if (!NAME.test(name)) {
    throw new DesktopError('bad_arguments', 'A desktop name has 1 to 31 letters without accents, digits and dashes.', {
      hint: 'For example: --name work-2',
    });
  }
  return name;
}

/** `desk-7c2e`: short enough to type, and random enough that two names rarely collide. If they do, the lock decides. */
export function newDesktopName(prefix = 'desk'): string {
  return `${prefix}-${randomBytes(2).toString('hex')}`;
}

/**
 * The user desktop has one host per session, not per user: two displays are two desktops. The dot keeps the key apart
 * from every name that a private desktop can have.
 */
export function userDesktopKey(env: Readonly<Record<string, string | undefined>>): string {
  const session = [env.DISPLAY, env.WAYLAND_DISPLAY, env.DBUS_SESSION_BUS_ADDRESS].map((part) => part ?? '');
  return `user.${createHash('sha256').update(session.join('\0')).digest('hex').slice(0, 8)}`;
}

export function isUserDesktopKey(key: string): boolean {
  return /^user\.[0-9a-f]{8}$/.test(key);
}
