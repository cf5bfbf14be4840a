import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Deadline, debug, DesktopError, systemFault } from '../../../shared/index.js';
import type { PrivateDesktopOptions } from '../../contract/index.js';
import { startBus, switchAccessibilityOn } from './services/bus.js';
import { claimDisplay, startDisplay, writeCookie } from './services/display.js';
import type { CoreProcess } from './services/process.js';
import { clearLeftovers } from './cleanup.js';
import { furnishHome, MARKER, seatEnvironment, sessionRuntime } from './home.js';
import { splitIntoMonitors, startWindowManager, untilManaged } from './services/window-manager.js';
import { requireForSeat } from './requirements.js';
import { PrivateSeat } from './private-desktop.js';
import { TAG_FILE } from './cleanup-record.js';
import { words32, XLink } from './x-requests.js';

/** A cold disk may need seconds; a warm one needs a third of one. */
const BOOT_MS = 20_000;
/** Longest socket below the runtime directory: /run/at-spi/bus_1234; the kernel takes 107 bytes. */
const MAX_RUNTIME_DIR = 80;
/** Chromium's socket in TMPDIR adds 46 bytes. */
const MAX_TEMP_DIR = 60;
/** X screens end at 32,767; two monitors lie side by side. */
const MIN_SIDE = 200;
const MAX_SIDE = 16_000;
const DESKTOP_COLOUR = 0x3a4454;

export async function bootSeat(options: PrivateDesktopOptions): Promise<PrivateSeat> {
  checkOptions(options);
  requireForSeat({ visible: options.visible });
  const deadline = Deadline.in(BOOT_MS, options.signal);
  deadline.throwIfOver('Starting the desktop');
  const seat = new PrivateSeat(options, randomBytes(16).toString('hex'));
  seat.madeRuntimeDir = makePrivate(options.runtimeDir);
  await clearLeftovers(options.runtimeDir);
  try {
    await seat.beginRecord();
    const tempDir = makeDirectories(seat, options);
    const authFile = join(options.runtimeDir, 'Xauthority');
    const cookie = writeCookie(authFile);
    const { display, server } = await startOnFreeNumber(seat, options, authFile, deadline);
    const env = seatEnvironment({ ...options, caller: process.env, id: seat.id, display, tempDir, authFile });
    seat.open(display, env);
    const link = await XLink.connect(display, cookie, deadline);
    try {
      link.send(2, 0, words32(link.root, 0x2, DESKTOP_COLOUR)); // ChangeWindowAttributes: background pixel
      link.send(61, 0, words32(link.root, 0, 0)); // ClearArea: the whole root window
      if (options.monitors > 1) await splitIntoMonitors(link, options.size, options.monitors);
      await bothOrNone(startBuses(seat, env, deadline), startManager(seat, env, link, deadline));
    } finally {
      link.close();
    }
    seat.watch(server);
    return seat;
  } catch (error) {
    await seat.stop().catch((worse: unknown) => debug('seat', () => `after a failed start: ${String(worse)}`));
    if (error instanceof DesktopError) throw error;
    const said = error instanceof Error ? error.message : String(error);
    throw (
      systemFault(error) ??
      new DesktopError('driver_unavailable', 'The private desktop did not start.', {
        hint: `The system said: ${said}`,
        cause: error,
      })
    );
  }
}

async function startOnFreeNumber(
  seat: PrivateSeat,
  options: PrivateDesktopOptions,
  authFile: string,
  deadline: Deadline,
): Promise<{ display: number; server: CoreProcess }> {
  const { size, monitors, name } = options;
  const taken = new Set<number>();
  for (;;) {
    const display = claimDisplay((number) => seat.claim(number), taken);
    const server = await startDisplay(
      {
        display,
        screen: { width: size.width * monitors, height: size.height },
        authFile,
        title: options.visible ? `Deskproof: ${name}` : undefined,
        env: serverEnvironment(seat.id, options.visible),
        started: (core) => seat.addCore(core),
      },
      deadline,
    );
    if (server) return { display, server };
    seat.unclaim(display);
    taken.add(display);
  }
}

/** The X server itself needs next to nothing; one that shows itself needs the person's display. */
function serverEnvironment(id: string, visible: boolean): Record<string, string> {
  const { PATH, DISPLAY, XAUTHORITY, HOME } = process.env;
  const shown = visible ? { DISPLAY, XAUTHORITY, HOME } : {};
  const given = Object.entries({ PATH, ...shown }).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...Object.fromEntries(given), [MARKER]: id };
}

/** Waits for both also when one fails, so that nothing is started after the cleaning up. */
async function bothOrNone(...work: Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

async function startBuses(seat: PrivateSeat, env: Record<string, string>, deadline: Deadline): Promise<void> {
  const { runtimeDir } = seat.options;
  const bus = await startBus({ runtimeDir, env, started: (core) => seat.addCore(core) }, deadline);
  await switchAccessibilityOn(runtimeDir, deadline);
  seat.watch(bus);
}

async function startManager(
  seat: PrivateSeat,
  env: Record<string, string>,
  link: XLink,
  deadline: Deadline,
): Promise<void> {
  const start = (): Promise<CoreProcess> => startWindowManager({ runtimeDir: seat.options.runtimeDir, env });
  const manager = await start();
  seat.addCore(manager);
  await untilManaged(link, manager, deadline);
  seat.watchManager(manager, start);
}

function makeDirectories(seat: PrivateSeat, options: PrivateDesktopOptions): string {
  makePrivate(options.homeDir);
  if (readdirSync(options.homeDir).length > 0) {
    throw new DesktopError('bad_arguments', `The desktop's home ${options.homeDir} is not empty.`, {
      hint: 'A private desktop removes its home when it stops; give it a new directory.',
    });
  }
  tag(seat, options.homeDir);
  furnishHome(options.homeDir);
  mkdirSync(sessionRuntime(options.runtimeDir), { mode: 0o700 });
  const tempDir = join(options.runtimeDir, 'tmp');
  if (Buffer.byteLength(tempDir) <= MAX_TEMP_DIR) {
    mkdirSync(tempDir, { mode: 0o700 });
    return tempDir;
  }
  const short = mkdtempSync('/tmp/dp-');
  tag(seat, short);
  return short;
}

function tag(seat: PrivateSeat, directory: string): void {
  try {
    writeFileSync(join(directory, TAG_FILE), seat.id, { mode: 0o600 });
  } catch (error) {
    // Without its tag nobody would know it for ours and remove it later.
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
  seat.addDirectory(directory);
}

/** Ours, 0700, and no link: whoever can write there could put in a bus of theirs. true when it was made here. */
function makePrivate(directory: string): boolean {
  let made = false;
  try {
    mkdirSync(directory, { mode: 0o700 });
    chmodSync(directory, 0o700);
    made = true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw new DesktopError('permission_missing', `Cannot make the directory ${directory}.`, { cause: error });
    }
  }
  const stat = lstatSync(directory);
  if (!stat.isDirectory() || stat.uid !== process.getuid?.() || (stat.mode & 0o077) !== 0) {
    throw new DesktopError('permission_missing', `${directory} is not a private directory of this user.`, {
      hint: `It must be a directory, not a link, with mode 0700: rm -r ${directory}`,
    });
  }
  return made;
}

function checkOptions({ size, monitors, runtimeDir, visible }: PrivateDesktopOptions): void {
  const isSide = (side: number): boolean => Number.isInteger(side) && side >= MIN_SIDE && side <= MAX_SIDE;
  if (!isSide(size.width) || !isSide(size.height)) {
    throw new DesktopError('bad_arguments', `A desktop of ${size.width}x${size.height} is not possible.`, {
      hint: `Each side has ${MIN_SIDE} to ${MAX_SIDE} pixels: --size 1280x800`,
    });
  }
  if (monitors !== 1 && monitors !== 2) {
    throw new DesktopError('bad_arguments', `A desktop has 1 or 2 monitors, not ${String(monitors)}.`);
  }
  if (Buffer.byteLength(runtimeDir) > MAX_RUNTIME_DIR) {
    throw new DesktopError('bad_arguments', `The runtime directory's path is too long for sockets: ${runtimeDir}`, {
      hint: `At most ${MAX_RUNTIME_DIR} bytes: a shorter desktop name, or a shorter XDG_RUNTIME_DIR.`,
    });
  }
  if (visible && !process.env.DISPLAY) {
    throw new DesktopError('driver_unavailable', 'There is no display to show the desktop on (DISPLAY is not set).', {
      hint: 'Leave out --visible, and look with: deskproof desktop view',
    });
  }
}
