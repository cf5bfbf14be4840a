import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Driver, Finding, PrivateDesktop } from './drivers/contract/index.js';
import { fakeDesktop, parseRecording, specOf } from './drivers/fake/index.js';
import * as linux from './drivers/linux/index.js';
import { isDescendantProcess } from './platform/index.js';
import { Desktop, type DesktopOptions, withoutInternalFields } from './runtime/index.js';
import { DesktopError, type Deadline } from './shared/index.js';
import type { Size } from './tree/index.js';

export type { Finding, ResolvedCommand } from './drivers/contract/index.js';

type Env = Readonly<Record<string, string | undefined>>;

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
  | { kind: 'user'; env?: Env; runtimeDir?: string }
  /** A recorded desktop that lives in memory. */
  | { kind: 'fake'; file?: string };

/** A desktop with its driver, owned by whoever opened it. */
export interface OpenDesktop {
  readonly desktop: Desktop;
  readonly seat?: PrivateDesktop;
  /** Resolves, with the reason, when it ended by itself. */
  readonly died: Promise<string>;
  close(): Promise<void>;
}

/** What a desktop's calls may do and where it is written; without it the built-in rules, and a record in memory. */
type Governed = Pick<
  DesktopOptions,
  'policy' | 'ledger' | 'policyChanged' | 'inProject' | 'secrecy' | 'stops' | 'after'
>;

/** The only place that knows concrete drivers. */
export async function openDesktop(
  options: DesktopKind,
  signal?: AbortSignal,
  governed: Governed = {},
): Promise<OpenDesktop> {
  switch (options.kind) {
    case 'virtual':
      return openSeat(options, governed, signal);
    case 'user': {
      const env = options.env ?? process.env;
      return opened(await userDriver(env), {
        name: 'user',
        kind: 'seat',
        ...governed,
        ...linux.userSessionLauncher(env),
        ...(options.runtimeDir !== undefined && { files: filesIn(options.runtimeDir) }),
      });
    }
    case 'fake': {
      const spec =
        options.file === undefined ? { windows: [] } : specOf(parseRecording(readFileSync(options.file, 'utf8')));
      return opened(fakeDesktop(spec).driver, { name: 'fake', kind: 'virtual', ...governed });
    }
  }
}

async function openSeat(
  options: Extract<DesktopKind, { kind: 'virtual' }>,
  governed: Governed,
  signal?: AbortSignal,
): Promise<OpenDesktop> {
  onlyLinux('Private desktops');
  const seat = await linux.bootPrivateDesktop({ ...options, signal });
  try {
    const driver = await linux.openLinuxDriver({ env: seat.env });
    return opened(
      driver,
      { name: options.name, kind: 'virtual', files: filesIn(options.runtimeDir), ...governed },
      seat,
    );
  } catch (error) {
    await seat.stop();
    throw error;
  }
}

async function userDriver(env: Env): Promise<Driver> {
  onlyLinux('Your own desktop');
  return linux.openLinuxDriver({ env });
}

/** Pictures go where only we can look, and go with the desktop. */
function filesIn(runtimeDir: string): string {
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

function onlyLinux(what: string): void {
  if (process.platform === 'linux') return;
  throw new DesktopError('not_supported', `${what} can be used on Linux only, so far.`);
}

/** Ends what seats left whose owner was killed. */
export async function sweepDeadSeats(base: string): Promise<string[]> {
  return process.platform === 'linux' ? linux.sweepDeadDesktops(base) : [];
}

/** What works in the session that `env` describes. */
export async function examineSession(env: Env, deadline: Deadline): Promise<Finding[]> {
  if (process.platform === 'linux') return withoutInternalFields(await linux.examineSession(env, deadline));
  return [{ level: 'fail', what: `there is no driver for ${process.platform} yet` }];
}

/** Packages that a private desktop and these programs need and that are not installed. */
export function missingPrograms(programs: readonly string[], env: Env): { packages: string[]; install: string } {
  const path = (env.PATH ?? '').split(delimiter).filter(Boolean);
  const absent = programs.filter((program) => !path.some((dir) => isProgram(join(dir, program))));
  const packages = [
    ...linux.missingPrograms({ env }).map((one) => one.package),
    ...absent.map((program) => linux.packageOf(program) ?? program),
  ];
  const each = [...new Set(packages)];
  return { packages: each, install: linux.installCommand(each) };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not here: the next directory of PATH may have it.
    return false;
  }
}
