import { Deadline } from '../../shared/index.js';
import type { Driver } from '../contract/index.js';
import { LinuxDriver, type Parts } from './driver.js';
import { IdEra } from './events/reconnect.js';
import { asDesktopError, type Environment, openApps } from './session-bus.js';
import { openDisplay } from './x11/index.js';

const OPEN_MS = 10_000;

/**
 * Opens the desktop that `env` describes. Half of it is enough to be of use: without an accessibility bus windows can
 * still be listed, and `describe()` says what is missing. Without both there is nothing to open.
 */
export async function openLinuxDriver({
  env,
  deadline = Deadline.in(OPEN_MS),
}: {
  env: Environment;
  deadline?: Deadline;
}): Promise<Driver> {
  const parts: Parts = { env, era: new IdEra() };
  await Promise.all([addDisplay(parts, deadline), addApps(parts, deadline)]);
  // On Wayland the apps themselves tell of their windows; elsewhere a missing display is a mistake to be told.
  const alone = Boolean(env.WAYLAND_DISPLAY) && !env.DISPLAY && parts.apps !== undefined;
  if (!parts.display && !alone) {
    parts.apps?.bus.close();
    throw env.WAYLAND_DISPLAY && !env.DISPLAY && parts.noApps ? parts.noApps : parts.noDisplay!;
  }
  const driver = new LinuxDriver(parts);
  // Before apps open windows, where that is possible: a window that is watched from the first can be trusted more.
  await driver.start();
  return driver;
}

async function addDisplay(parts: Parts, deadline: Deadline): Promise<void> {
  try {
    parts.display = await openDisplay(parts.env, deadline);
  } catch (error) {
    parts.noDisplay = asDesktopError(error, 'The display could not be opened.');
  }
}

async function addApps(parts: Parts, deadline: Deadline): Promise<void> {
  try {
    Object.assign(parts, await openApps(parts.env, deadline));
  } catch (error) {
    parts.noApps = asDesktopError(error, 'The accessibility bus does not answer.');
  }
}
