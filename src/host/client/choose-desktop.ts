import { createHash, randomBytes } from 'node:crypto';
import { DesktopError } from '../../shared/index.js';

type Env = Readonly<Record<string, string | undefined>>;

export type Choice = { kind: 'user' } | { kind: 'private'; name: string };

export function hasDisplay(env: Env): boolean {
  return Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

const NONE = {
  hint: 'Start one: deskproof desktop start',
};

function named(name: string): Choice {
  if (name === 'user') return { kind: 'user' };
  if (name === 'virtual') {
    throw new DesktopError(
      'bad_arguments',
      'A new private desktop would be empty: there is nothing to look at in it.',
      {
        hint: 'Start one, launch an app in it, then name it: deskproof desktop start --name work',
      },
    );
  }
  return { kind: 'private', name: checkDesktopName(name) };
}

/**
 * Which desktop a command means: what was said, else DESKPROOF_DESKTOP, else the person's own when there is a
 * display, else the one private desktop that runs. Never a guess among several.
 */
export async function chooseDesktop(
  given: string | undefined,
  env: Env,
  running: () => Promise<string[]>,
): Promise<Choice> {
  const said = given ?? (env.DESKPROOF_DESKTOP || undefined);
  if (said !== undefined) return named(said);
  if (hasDisplay(env)) return { kind: 'user' };
  const names = await running();
  if (names.length === 1) return { kind: 'private', name: names[0]! };
  if (names.length > 1) throw several(names);
  throw new DesktopError('driver_unavailable', 'There is no display here and no private desktop runs.', NONE);
}

/** For the commands about private desktops: the one that was named, or the only one. */
export async function choosePrivate(
  given: string | undefined,
  env: Env,
  running: () => Promise<string[]>,
): Promise<string> {
  const said = given ?? (env.DESKPROOF_DESKTOP === 'user' ? undefined : env.DESKPROOF_DESKTOP || undefined);
  if (said !== undefined) return checkDesktopName(said);
  const names = await running();
  if (names.length === 1) return names[0]!;
  if (names.length > 1) throw several(names);
  throw new DesktopError('driver_unavailable', 'No private desktop runs.', NONE);
}

function several(names: string[]): DesktopError {
  return new DesktopError('bad_arguments', `${names.length} private desktops run: ${names.join(', ')}.`, {
    hint: `Say which: --desktop ${names[0]}`,
  });
}

export function notRunning(name: string): DesktopError {
  return new DesktopError('driver_unavailable', `No private desktop named "${name}" runs.`, {
    hint: `Start it: deskproof desktop start --name ${name}   (deskproof desktop list shows what runs)`,
  });
}

const NAME = /^[a-z0-9][a-z0-9-]{0,30}$/;
/** Words that mean a kind of desktop on the command line, so no private one may be called so. */
const TAKEN = new Set(['user', 'virtual', 'fake']);

export function isDesktopName(name: string): boolean {
  return NAME.test(name) && !TAKEN.has(name);
}

export function checkDesktopName(name: string): string {
  if (TAKEN.has(name)) {
    throw new DesktopError('bad_arguments', `A private desktop cannot be called "${name}": that word has a meaning.`, {
      hint: 'Choose another name, for example work.',
    });
  }
  if (!NAME.test(name)) {
    throw new DesktopError('bad_arguments', 'A desktop name is 1 to 31 small letters, digits and dashes.', {
      hint: 'For example: --name work-2',
    });
  }
  return name;
}

/** `desk-7c2e`: short enough to type, random enough that two do not meet (and the lock decides if they do). */
export function newDesktopName(prefix = 'desk'): string {
  return `${prefix}-${randomBytes(2).toString('hex')}`;
}

/**
 * The person's own session has one host per session, not per person: two displays are two desktops. The dot keeps
 * the key apart from every name that a private desktop can have.
 */
export function userDesktopKey(env: Readonly<Record<string, string | undefined>>): string {
  const session = [env.DISPLAY, env.WAYLAND_DISPLAY, env.DBUS_SESSION_BUS_ADDRESS].map((part) => part ?? '');
  return `user.${createHash('sha256').update(session.join('\0')).digest('hex').slice(0, 8)}`;
}

export function isUserDesktopKey(key: string): boolean {
  return /^user\.[0-9a-f]{8}$/.test(key);
}
