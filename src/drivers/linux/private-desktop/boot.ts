import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Deadline, debug, DesktopError, osError } from '../../../shared/index.js';
import type { PrivateDesktopOptions } from '../../contract/index.js';
import { startBus, enableAccessibility, sessionRuntimeDir } from './services/bus.js';
import { claimDisplay, startDisplay, writeCookie } from './services/display.js';
import { isolate } from './services/isolation.js';
import type { ServiceProcess } from './services/process.js';
import { clearLeftovers } from './tear-down.js';
import { bridgeVariables } from '../toolkit-bridges.js';
import { populateHome, MARKER, desktopEnvironment } from './home.js';
import { splitIntoMonitors, startWindowManager, waitForWindowManager } from './services/window-manager.js';
import { requirePrograms } from './requirements.js';
import { PrivateDesktopSession } from './private-desktop.js';
import { TAG_FILE } from './cleanup-record.js';
import { uint32s, BootXClient } from './x-requests.js';

/** Booting takes a third of a second from a warm disk cache, and seconds from a cold disk. */
const BOOT_MS = 20_000;
/** The longest socket path below the runtime directory ends in /run/at-spi/bus_1234; the kernel accepts 107 bytes. */
const MAX_RUNTIME_DIR = 80;
/** Chromium adds 46 bytes for its socket in TMPDIR. */
const MAX_TEMP_DIR = 60;
/** An X screen is at most 32,767 pixels wide, and two monitors lie side by side. */
const MIN_SIDE = 200;
const MAX_SIDE = 16_000;
const DESKTOP_COLOUR = 0x3a4454;

export async function bootPrivateDesktop(options: PrivateDesktopOptions): Promise<PrivateDesktopSession> {
  checkOptions(options);
  requirePrograms({ visible: options.visible });
  const deadline = Deadline.in(BOOT_MS, options.signal);
  deadline.throwIfOver('Starting the desktop');
  const desktop = new PrivateDesktopSession(options, randomBytes(16).toString('hex'));
  desktop.createdRuntimeDir = ensurePrivateDirectory(options.runtimeDir);
  await clearLeftovers(options.runtimeDir);
  try {
    await desktop.startWatchdog();
    const tempDir = makeDirectories(desktop, options);
    const authFile = join(options.runtimeDir, 'Xauthority');
    const cookie = writeCookie(authFile);
    const [{ display, server }] = await waitForBoth(
      startOnFreeDisplay(desktop, options, authFile, deadline),
      isolateDesktop(desktop, [options.homeDir, sessionRuntimeDir(options.runtimeDir), tempDir, authFile], deadline),
    );
    const bridges = bridgeVariables({});
    const place = { id: desktop.id, display, tempDir, authFile };
    const env = desktopEnvironment({ ...options, ...place, caller: process.env, bridges });
    desktop.setDisplay(display, env);
    const client = await BootXClient.connect(display, cookie, deadline);
    try {
      client.send(2, 0, uint32s(client.root, 0x2, DESKTOP_COLOUR)); // ChangeWindowAttributes: background pixel
      client.send(61, 0, uint32s(client.root, 0, 0)); // ClearArea: the whole root window
      if (options.monitors > 1) await splitIntoMonitors(client, options.size, options.monitors);
      await waitForBoth(startBuses(desktop, env, deadline), startAndWatchManager(desktop, env, client, deadline));
    } finally {
      client.close();
    }
    desktop.watchService(server);
    return desktop;
  } catch (error) {
    await desktop
      .stop()
      .catch((stopError: unknown) => debug('private-desktop', () => `after a failed start: ${String(stopError)}`));
    if (error instanceof DesktopError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw (
      osError(error) ??
      new DesktopError('driver_unavailable', 'The private desktop did not start.', {
        hint: `The system reported: ${message}`,
        cause: error,
      })
    );
  }
}

async function startOnFreeDisplay(
  desktop: PrivateDesktopSession,
  options: PrivateDesktopOptions,
  authFile: string,
  deadline: Deadline,
): Promise<{ display: number; server: ServiceProcess }> {
  const { size, monitors, name } = options;
  const taken = new Set<number>();
  for (;;) {
    const display = claimDisplay((number) => desktop.claim(number), taken);
    const server = await startDisplay(
      {
        display,
        screen: { width: size.width * monitors, height: size.height },
        authFile,
        title: options.visible ? `Deskproof: ${name}` : undefined,
        env: serverEnvironment(desktop.id, options.visible),
        onStarted: (service) => desktop.addService(service),
      },
      deadline,
    );
    if (server) return { display, server };
    desktop.releaseClaim(display);
    taken.add(display);
  }
}

/** The X server itself needs almost nothing. A visible one (Xephyr) needs the user's display. */
function serverEnvironment(id: string, visible: boolean): Record<string, string> {
  const { PATH, DISPLAY, XAUTHORITY, HOME } = process.env;
  const visibleVariables = visible ? { DISPLAY, XAUTHORITY, HOME } : {};
  const variables = Object.entries({ PATH, ...visibleVariables }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return { ...Object.fromEntries(variables), [MARKER]: id };
}

/** Waits for both even when one fails, so that nothing starts after the cleanup. */
async function waitForBoth<One, Other>(one: Promise<One>, other: Promise<Other>): Promise<[One, Other]> {
  const failed = (await Promise.allSettled([one, other])).find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return Promise.all([one, other]);
}

/** Where the system does not permit it, the desktop runs without; `doctor` says so. */
async function isolateDesktop(
  desktop: PrivateDesktopSession,
  needed: readonly string[],
  deadline: Deadline,
): Promise<void> {
  const { baseDir, runtimeDir } = desktop.options;
  const made = await isolate({ base: baseDir ?? runtimeDir, needed }, deadline);
  if ('reason' in made) desktop.exposed = made.reason;
  else desktop.isolation = made;
}

async function startBuses(
  desktop: PrivateDesktopSession,
  env: Record<string, string>,
  deadline: Deadline,
): Promise<void> {
  const { runtimeDir } = desktop.options;
  const { isolation } = desktop;
  const bus = await startBus(
    { runtimeDir, env, isolation, onStarted: (service) => desktop.addService(service) },
    deadline,
  );
  await enableAccessibility(runtimeDir, deadline);
  desktop.watchService(bus);
}

async function startAndWatchManager(
  desktop: PrivateDesktopSession,
  env: Record<string, string>,
  client: BootXClient,
  deadline: Deadline,
): Promise<void> {
  const start = (): Promise<ServiceProcess> =>
    startWindowManager({ runtimeDir: desktop.options.runtimeDir, env, isolation: desktop.isolation });
  const manager = await start();
  desktop.addService(manager);
  await waitForWindowManager(client, manager, deadline);
  desktop.watchWindowManager(manager, start);
}

function makeDirectories(desktop: PrivateDesktopSession, options: PrivateDesktopOptions): string {
  ensurePrivateDirectory(options.homeDir);
  if (readdirSync(options.homeDir).length > 0) {
    throw new DesktopError('bad_arguments', `The home directory ${options.homeDir} of the desktop is not empty.`, {
      hint: 'A private desktop deletes its home directory when it stops. Give it a new directory.',
    });
  }
  tagDirectory(desktop, options.homeDir);
  populateHome(options.homeDir);
  mkdirSync(sessionRuntimeDir(options.runtimeDir), { mode: 0o700 });
  const tempDir = join(options.runtimeDir, 'tmp');
  if (Buffer.byteLength(tempDir) <= MAX_TEMP_DIR) {
    mkdirSync(tempDir, { mode: 0o700 });
    return tempDir;
  }
  const shortTempDir = mkdtempSync('/tmp/dp-');
  tagDirectory(desktop, shortTempDir);
  return shortTempDir;
}

function tagDirectory(desktop: PrivateDesktopSession, directory: string): void {
  try {
    writeFileSync(join(directory, TAG_FILE), desktop.id, { mode: 0o600 });
  } catch (error) {
    // A cleanup removes only directories with our tag, so an untagged one would stay forever.
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
  desktop.addDirectory(directory);
}

/**
 * The directory must be ours, have mode 0700 and not be a link: a process that can write there could plant its own bus.
 * Returns true if the directory was created here.
 */
function ensurePrivateDirectory(directory: string): boolean {
  let created = false;
  try {
    mkdirSync(directory, { mode: 0o700 });
    chmodSync(directory, 0o700);
    created = true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw new DesktopError('permission_missing', `Cannot create the directory ${directory}.`, { cause: error });
    }
  }
  const stat = lstatSync(directory);
  if (!stat.isDirectory() || stat.uid !== process.getuid?.() || (stat.mode & 0o077) !== 0) {
    throw new DesktopError('permission_missing', `${directory} is not a private directory of this user.`, {
      hint: `It must be a directory, not a link, with mode 0700: rm -r ${directory}`,
    });
  }
  return created;
}

function checkOptions({ size, monitors, runtimeDir, visible }: PrivateDesktopOptions): void {
  const isSide = (side: number): boolean => Number.isInteger(side) && side >= MIN_SIDE && side <= MAX_SIDE;
  if (!isSide(size.width) || !isSide(size.height)) {
    throw new DesktopError('bad_arguments', `A desktop of ${size.width}x${size.height} is not possible.`, {
      hint: `Each side can have ${MIN_SIDE} to ${MAX_SIDE} pixels. Example: --size 1280x800`,
    });
  }
  if (monitors !== 1 && monitors !== 2) {
    throw new DesktopError('bad_arguments', `A desktop has 1 or 2 monitors, not ${String(monitors)}.`);
  }
  if (Buffer.byteLength(runtimeDir) > MAX_RUNTIME_DIR) {
    throw new DesktopError('bad_arguments', `The runtime directory's path is too long for sockets: ${runtimeDir}`, {
      hint: `The limit is ${MAX_RUNTIME_DIR} bytes. Use a shorter desktop name or a shorter XDG_RUNTIME_DIR.`,
    });
  }
  if (visible && !process.env.DISPLAY) {
    throw new DesktopError('driver_unavailable', 'There is no display to show the desktop on (DISPLAY is not set).', {
      hint: 'Leave out --visible and watch the desktop with: deskproof desktop view',
    });
  }
}
