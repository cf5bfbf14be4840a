import { createHash, randomBytes } from 'node:crypto';
import { DesktopError } from '../shared/index.js';

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
