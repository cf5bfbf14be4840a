import { join } from 'node:path';
import type { Driver, Environment, Finding, MissingPackages, PrivateDesktop } from './drivers/contract/index.js';
import { platformDriver, recordingDriver, requirePlatformDriver } from './drivers/registry.js';
import { activityOf, isDescendantProcess } from './platform/index.js';
import { Desktop, type DesktopOptions, withoutInternalFields } from './runtime/index.js';
import { DesktopError, type Deadline } from './shared/index.js';
import type { Size } from './tree/index.js';

export type { Finding, ResolvedCommand } from './drivers/contract/index.js';

type DesktopKind =
  | {
      kind: 'virtual';
      name: string;
      size: Size;
      monitors: 1 | 2;
      visible: boolean;
      runtimeDir: string;
      homeDir: string;
      baseDir?: string;
    }
  /** The session that an environment describes. */
  | { kind: 'user'; env?: Environment; runtimeDir?: string }
  /** A recorded desktop that lives in memory. */
  | { kind: 'fake'; file?: string };

/** A desktop with its driver. Close it when it is no longer needed. */
export interface OpenDesktop {
  readonly desktop: Desktop;
  readonly seat?: PrivateDesktop;
  /** Resolves with the reason when it ended by itself. */
  readonly died: Promise<string>;
  close(): Promise<void>;
}

/** What the calls on a desktop may do, and where they are logged. Default: the built-in rules and a log in memory. */
type Governed = Pick<
  DesktopOptions,
  'policy' | 'ledger' | 'policyChanged' | 'inProject' | 'secrecy' | 'stops' | 'after'
>;

/** Puts a driver from the registry and the runtime together. */
export async function openDesktop(
  options: DesktopKind,
  signal?: AbortSignal,
  governed: Governed = {},
): Promise<OpenDesktop> {
  switch (options.kind) {
    case 'virtual':
      return openPrivateDesktop(options, governed, signal);
    case 'user': {
      const env = options.env ?? process.env;
      const driver = await requirePlatformDriver('Your own desktop');
      return opened(await driver.open({ env }), {
        name: 'user',
        kind: 'seat',
        activityOf,
        ...governed,
        ...driver.sessionLauncher?.(env),
        ...(options.runtimeDir !== undefined && { files: captureDirectory(options.runtimeDir) }),
      });
    }
    case 'fake': {
      const { file } = options;
      const driver = await (await recordingDriver()).open({ env: {}, ...(file !== undefined && { file }) });
      return opened(driver, { name: 'fake', kind: 'virtual', ...governed });
    }
  }
}

async function openPrivateDesktop(
  options: Extract<DesktopKind, { kind: 'virtual' }>,
  governed: Governed,
  signal?: AbortSignal,
): Promise<OpenDesktop> {
  const driver = await requirePlatformDriver('Private desktops');
  if (!driver.privateDesktops) {
    throw new DesktopError('not_supported', `The driver ${driver.name} cannot start private desktops.`);
  }
  const seat = await driver.privateDesktops.boot({ ...options, signal });
  try {
    const files = captureDirectory(options.runtimeDir);
    return opened(
      await driver.open({ env: seat.env }),
      { name: options.name, kind: 'virtual', files, ...governed },
      seat,
    );
  } catch (error) {
    await seat.stop();
    throw error;
  }
}

/** Screenshots are written where only this user can read them, and are removed with the desktop. */
function captureDirectory(runtimeDir: string): string {
  return join(runtimeDir, 'captures');
}

function opened(driver: Driver, about: Omit<DesktopOptions, 'driver'>, seat?: PrivateDesktop): OpenDesktop {
  const desktop = new Desktop({
    ...about,
    driver,
    ...(seat && {
      launch: seat.launch.bind(seat),
      resolveCommand: seat.resolveCommand.bind(seat),
      isDescendantProcess,
      activityOf,
    }),
  });
  return {
    desktop,
    seat,
    died: seat?.died ?? driver.lost ?? new Promise(() => undefined),
    close: async () => {
      try {
        await desktop.close();
      } finally {
        await seat?.stop();
      }
    },
  };
}

/** Ends what private desktops left behind whose owner was killed. */
export async function sweepDeadSeats(base: string): Promise<string[]> {
  return (await platformDriver())?.privateDesktops?.sweep(base) ?? [];
}

/** What works in the session that `env` describes. */
export async function examineSession(env: Environment, deadline: Deadline): Promise<Finding[]> {
  const driver = await platformDriver();
  if (driver) return withoutInternalFields(await driver.examine(env, deadline));
  return [{ level: 'fail', what: `there is no driver for ${process.platform} yet` }];
}

/** Packages that a private desktop and these programs need; undefined if this platform has no private desktops. */
export async function missingPrograms(
  programs: readonly string[],
  env: Environment,
): Promise<MissingPackages | undefined> {
  return (await platformDriver())?.privateDesktops?.missing(programs, env);
}
