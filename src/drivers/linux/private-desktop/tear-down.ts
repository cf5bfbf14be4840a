import { lstatSync, readdirSync, readFileSync, readlinkSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DesktopError } from '../../../shared/index.js';
import { allProcesses, hasMarker, isAlive, type ProcessInfo, processSpace, signalProcess } from '../processes.js';
import { readRecord, type CleanupRecord, TAG_FILE } from './cleanup-record.js';
import { MARKER } from './home.js';
import { releaseDisplay } from './services/display.js';

/** Everything that a private desktop creates in its runtime directory. */
const RUNTIME_ENTRIES = ['Xauthority', 'run', 'tmp', 'seat.json.new', 'seat.json'];

/** With `whole`, the runtime directory is removed too, including anything else that its dead owner left in it. */
export async function tearDownDesktop(runtimeDir: string, record: CleanupRecord, whole: boolean): Promise<void> {
  const sockets = socketFilesOf(findDesktopProcesses(record));
  const survivors = await endDesktopProcesses(record);
  if (survivors.length > 0) {
    const pids = survivors.map((info) => info.pid).join(', ');
    throw new DesktopError('command_failed', `Processes of desktop ${record.name} could not be ended: ${pids}.`, {
      hint: 'They are stuck in the kernel. After they have ended, run deskproof desktop list to clean up.',
    });
  }
  removeSocketFiles(sockets);
  if (record.display !== undefined) {
    releaseDisplay(record.display, [record.owner.pid, ...record.core.map((id) => id.pid)]);
  }
  for (const directory of record.directories) if (isTagged(directory, record.id)) removeTree(directory);
  if (whole) return removeTree(runtimeDir);
  for (const entry of RUNTIME_ENTRIES) removeTree(join(runtimeDir, entry));
}

function isTagged(directory: string, id: string): boolean {
  try {
    return lstatSync(directory).isDirectory() && readFileSync(join(directory, TAG_FILE), 'utf8') === id;
  } catch {
    return false; // Already removed, or not ours: leave it.
  }
}

/** How often the directory is listed again for files that appeared during the removal. */
const REMOVAL_ROUNDS = 5;
const TAG_FILES: readonly string[] = [TAG_FILE, 'seat.json'];

/** The tag is removed last, so that an interrupted removal can be resumed. */
function removeTree(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return rmSync(path, { force: true });
  const remove = (name: string): void => rmSync(join(path, name), { recursive: true, force: true, maxRetries: 3 });
  for (let round = 0; round < REMOVAL_ROUNDS; round++) {
    const names = readdirSync(path).filter((name) => !TAG_FILES.includes(name));
    if (names.length === 0) break;
    names.forEach(remove);
  }
  TAG_FILES.forEach(remove);
  try {
    rmdirSync(path);
  } catch (error) {
    // A new desktop with the same name already uses the directory; then it is no longer ours.
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/**
 * Cleans up after private desktops whose owner and watchdog are both gone. `baseDir` holds their runtime directories.
 */
export async function sweepDeadDesktops(baseDir: string): Promise<string[]> {
  const swept: string[] = [];
  for (const name of lstatSync(baseDir, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(baseDir) : []) {
    const runtimeDir = join(baseDir, name);
    if (!isOwnDirectory(runtimeDir)) continue;
    const record = readRecord(runtimeDir);
    if (!record || !isAbandoned(record)) continue;
    await tearDownDesktop(runtimeDir, record, true);
    swept.push(record.name);
  }
  return swept;
}

/** Prepares a runtime directory for reuse: a running desktop in it is an error, a dead one is removed. */
export async function clearLeftovers(runtimeDir: string): Promise<void> {
  const record = readRecord(runtimeDir);
  if (!record) return;
  if (!isAbandoned(record)) {
    throw new DesktopError('command_failed', `A desktop is already running in ${runtimeDir}.`, {
      hint: 'Choose another name, or stop that desktop: deskproof desktop stop NAME',
    });
  }
  await tearDownDesktop(runtimeDir, record, false);
}

function isOwnDirectory(directory: string): boolean {
  const stat = lstatSync(directory, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && stat.uid === process.getuid?.();
}

function isAbandoned(record: CleanupRecord): boolean {
  const [boot] = record.space.split(' ');
  const space = processSpace();
  // In the same boot it belongs to another container and may be alive.
  if (record.space !== space) return !space.startsWith(`${boot} `);
  return !isAlive(record.owner) && !(record.keeper && isAlive(record.keeper));
}

/**
 * Every running process of a private desktop: the ones we started, all that carry its marker in their environment (also
 * after a double fork), and the children and session members of those (some programs overwrite their environment).
 */
function findDesktopProcesses(record: CleanupRecord): ProcessInfo[] {
  if (record.space !== processSpace()) return [];
  const marker = `${MARKER}=${record.id}`;
  const spared = [record.owner, ...(record.keeper ? [record.keeper] : [])];
  const isSpared = (info: ProcessInfo): boolean =>
    info.pid === process.pid || spared.some((id) => id.pid === info.pid && id.startTime === info.startTime);
  const all = allProcesses().filter((info) => !isSpared(info));
  const started = new Map([...record.core, ...record.launched].map((id) => [id.pid, id.startTime]));
  const found = new Set(
    all
      .filter((info) => started.get(info.pid) === info.startTime || hasMarker(info.pid, marker))
      .map((info) => info.pid),
  );
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const info of all) if (found.has(info.parent) || found.has(info.session)) found.add(info.pid);
  }
  return all.filter((info) => found.has(info.pid));
}

/** Time that programs get after SIGTERM. It is short because a private desktop has nothing to save. */
const GRACE_MS = 700;
/** After SIGKILL only processes stuck in the kernel remain. */
const KILL_MS = 3000;
const POLL_MS = 10;

/**
 * Ends apps first, so that none of them loses its display while it runs; X server and bus last. Returns the survivors.
 */
async function endDesktopProcesses(record: CleanupRecord): Promise<ProcessInfo[]> {
  const core = new Set(record.core.map((id) => id.pid));
  await endAll(() => findDesktopProcesses(record).filter((info) => !core.has(info.pid)));
  return endAll(() => findDesktopProcesses(record));
}

async function endAll(list: () => ProcessInfo[]): Promise<ProcessInfo[]> {
  const started = performance.now();
  const asked = new Set<number>();
  for (;;) {
    const alive = list();
    const spent = performance.now() - started;
    if (alive.length === 0 || spent > GRACE_MS + KILL_MS) return alive;
    for (const info of alive) {
      // A stopped process would handle SIGTERM only after it is continued.
      if (spent > GRACE_MS || info.state === 'T') signalProcess(info, 'SIGKILL');
      else if (!asked.has(info.pid)) signalProcess(info, 'SIGTERM');
      asked.add(info.pid);
    }
    const until = spent > GRACE_MS ? performance.now() + 100 : started + GRACE_MS;
    while (alive.some(isAlive) && performance.now() <= until) await pause(POLL_MS);
  }
}

interface SocketFile {
  path: string;
  inode: number;
}

/**
 * Socket files in shared directories that the desktop's processes listen on. A killed app cannot remove them itself.
 */
function socketFilesOf(processes: readonly ProcessInfo[]): SocketFile[] {
  const paths = new Map<string, string>();
  for (const line of readFileSync('/proc/net/unix', 'latin1').split('\n')) {
    const [, , , flags, , , inode, path] = line.trim().split(/\s+/);
    if (inode && path && flags === '00010000' && /^\/(tmp|var\/tmp|dev\/shm)\//.test(path)) paths.set(inode, path);
  }
  const held = processes.flatMap((info) => openSockets(info.pid));
  return [...new Set(held)].flatMap((inode) => {
    const path = paths.get(inode);
    const stat = path === undefined ? undefined : lstatSync(path, { throwIfNoEntry: false });
    return path !== undefined && stat?.isSocket() ? [{ path, inode: stat.ino }] : [];
  });
}

function openSockets(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      const inode = /^socket:\[(\d+)\]$/.exec(readLink(`/proc/${pid}/fd/${fd}`))?.[1];
      return inode === undefined ? [] : [inode];
    });
  } catch {
    return []; // The process ended or its files are not readable; its sockets stay unknown.
  }
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // Closed in the meantime.
  }
}

function removeSocketFiles(files: readonly SocketFile[]): void {
  for (const { path, inode } of files) {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isSocket() && stat.ino === inode && stat.uid === process.getuid?.()) rmSync(path, { force: true });
  }
}
