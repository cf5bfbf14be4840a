import type { Deadline } from '../../shared/index.js';
import type { Finding } from './capabilities.js';
import type { Driver } from './driver.js';
import type { PrivateDesktop, PrivateDesktopOptions } from './private-desktop.js';

export type Environment = Readonly<Record<string, string | undefined>>;

interface OpenDriverOptions {
  /** The session to open. */
  env: Environment;
  deadline?: Deadline;
  /** A recorded desktop, for drivers of kind `recording`. */
  file?: string;
}

/** Packages that are needed and not installed, and the command that installs them. */
export interface MissingPackages {
  packages: string[];
  install: string;
  /** Why programs of a private desktop would see the files of Deskproof; absent if they would not. */
  exposed?: string;
}

/** Virtual desktops that a driver can start. */
interface PrivateDesktops {
  boot(options: PrivateDesktopOptions): Promise<PrivateDesktop>;
  /** Ends what private desktops left behind whose owner was killed. Returns their names. */
  sweep(base: string): Promise<string[]>;
  /** For a private desktop and for these programs in it. */
  missing(programs: readonly string[], env: Environment): MissingPackages;
}

/**
 * What the `index.ts` of each driver folder exports as `driver`. Add the folder to `drivers/registry.ts` and to the
 * table in docs/drivers.md; nothing else names a concrete driver.
 */
export interface DriverModule {
  name: string;
  /** The platforms that this driver runs on; empty if it needs none. */
  platforms: readonly NodeJS.Platform[];
  /** `desktop`: the desktop of a user or a private desktop. `recording`: a recorded desktop in memory. */
  kind: 'desktop' | 'recording';
  open(options: OpenDriverOptions): Promise<Driver>;
  /** What works in this session. Needs no open driver. */
  examine(env: Environment, deadline: Deadline): Promise<Finding[]>;
  /** Absent if this driver cannot start desktops. */
  privateDesktops?: PrivateDesktops;
  /** Starts programs in the user's session. Absent if this driver cannot. */
  sessionLauncher?(env: Environment): Pick<PrivateDesktop, 'launch' | 'resolveCommand'>;
}
