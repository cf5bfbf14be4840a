import { DesktopError } from '../shared/index.js';
import { linux } from './linux.js';
import type { Platform } from './platform.js';

const PLATFORMS: Partial<Record<NodeJS.Platform, Platform>> = { linux };
const OS_NAMES: Partial<Record<NodeJS.Platform, string>> = { darwin: 'macOS', win32: 'Windows' };

/** The only place that selects an implementation. A function: importing this room must not fail on another OS. */
export function platform(os: NodeJS.Platform = process.platform): Platform {
  const found = PLATFORMS[os];
  if (found) return found;
  throw new DesktopError('not_supported', `Deskproof does not support ${OS_NAMES[os] ?? os} yet.`, {
    hint: `Run it on ${Object.values(PLATFORMS)
      .map(({ osName }) => osName)
      .join(' or ')}.`,
  });
}
