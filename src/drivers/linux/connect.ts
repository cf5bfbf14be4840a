import { Deadline } from '../../shared/index.js';
import type { TreeDriver } from '../contract/index.js';
import type { DriverParts } from './capabilities.js';
import { LinuxDriver } from './driver.js';
import { IdGeneration } from './events/reconnect.js';
import { asDesktopError, type Environment, openApps } from './session-bus.js';
import { openDisplay } from './x11/display.js';

const OPEN_MS = 10_000;

/**
 * Opens the desktop that `env` describes. One half is enough: without an accessibility bus windows can still be listed,
 * and `describe()` reports what is missing. Without both there is nothing to open.
 */
export async function openLinuxDriver({
  env,
  deadline = Deadline.in(OPEN_MS),
}: {
  env: Environment;
  deadline?: Deadline;
}): Promise<TreeDriver> {
  const parts: DriverParts = { env, idGeneration: new IdGeneration() };
  await Promise.all([addDisplay(parts, deadline), addApps(parts, deadline)]);
  // On Wayland the apps report their windows themselves; elsewhere a missing display is an error.
  const alone = Boolean(env.WAYLAND_DISPLAY) && !env.DISPLAY && parts.apps !== undefined;
  if (!parts.display && !alone) {
    parts.apps?.bus.close();
    throw env.WAYLAND_DISPLAY && !env.DISPLAY && parts.noApps ? parts.noApps : parts.noDisplay!;
  }
  const driver = new LinuxDriver(parts);
  // If possible before apps open windows: pixels of a window are more reliable if it was watched from the start.
  await driver.start();
  return driver;
}

async function addDisplay(parts: DriverParts, deadline: Deadline): Promise<void> {
  try {
    parts.display = await openDisplay(parts.env, deadline);
  } catch (error) {
    parts.noDisplay = asDesktopError(error, 'The display could not be opened.');
  }
}

async function addApps(parts: DriverParts, deadline: Deadline): Promise<void> {
  try {
    Object.assign(parts, await openApps(parts.env, deadline));
  } catch (error) {
    parts.noApps = asDesktopError(error, 'The accessibility bus does not answer.');
  }
}
