import { DesktopError } from '../shared/index.js';
import type { DriverModule } from './contract/index.js';

type Load = () => Promise<{ driver: DriverModule }>;

/**
 * The drivers, by the platform that they run on; recorded desktops need no platform. Loaded on demand, because no
 * command should wait for a driver that it does not use. A new driver is one line here.
 */
const DRIVERS: Readonly<Partial<Record<NodeJS.Platform | 'recording', Load>>> = {
  linux: () => import('./linux/index.js'),
  recording: () => import('./fake/index.js'),
};

/** The driver of this platform; undefined if there is none. */
export async function platformDriver(platform: NodeJS.Platform = process.platform): Promise<DriverModule | undefined> {
  return (await DRIVERS[platform]?.())?.driver;
}

/** The driver of this platform, or an error about `what` that needs one. */
export async function requirePlatformDriver(what: string): Promise<DriverModule> {
  const found = await platformDriver();
  if (found) return found;
  throw new DesktopError('not_supported', `${what} can be used on Linux only, so far.`);
}

export async function recordingDriver(): Promise<DriverModule> {
  return (await DRIVERS.recording!()).driver;
}

/** @internal All drivers, by their key in the registry. */
export async function allDrivers(): Promise<{ key: string; driver: DriverModule }[]> {
  return Promise.all(Object.entries(DRIVERS).map(async ([key, load]) => ({ key, driver: (await load()).driver })));
}
