import { lstatSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { MARKER } from './environment.js';
import { allProcesses, hasMarker, isAlive, processSpace, signalProcess, type ProcessInfo } from './processes.js';
import type { SeatRecord } from './record.js';

/**
 * Every living process of a seat: the ones we started, all that carry its marker in their environment (also after a
 * double fork), and children and session mates of those (some programs overwrite their environment).
 */
export function findSeatProcesses(record: SeatRecord): ProcessInfo[] {
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

/** Programs that are asked to end get this long; a private desktop has nothing worth saving. */
const GRACE_MS = 700;
/** After SIGKILL only a process in the kernel's hands is left. */
const KILL_MS = 3000;
const POLL_MS = 10;

/** Apps first, so that none of them sees its display vanish; X server and bus last. Returns who could not be ended. */
export async function endSeatProcesses(record: SeatRecord): Promise<ProcessInfo[]> {
  const core = new Set(record.core.map((id) => id.pid));
  await endAll(() => findSeatProcesses(record).filter((info) => !core.has(info.pid)));
  return endAll(() => findSeatProcesses(record));
}

async function endAll(list: () => ProcessInfo[]): Promise<ProcessInfo[]> {
  const started = performance.now();
  const asked = new Set<number>();
  for (;;) {
    const alive = list();
    const spent = performance.now() - started;
    if (alive.length === 0 || spent > GRACE_MS + KILL_MS) return alive;
    for (const info of alive) {
      // A stopped process would take SIGTERM only when it goes on.
      if (spent > GRACE_MS || info.state === 'T') signalProcess(info, 'SIGKILL');
      else if (!asked.has(info.pid)) signalProcess(info, 'SIGTERM');
      asked.add(info.pid);
    }
    const until = spent > GRACE_MS ? performance.now() + 100 : started + GRACE_MS;
    while (alive.some(isAlive) && performance.now() <= until) await new Promise((wake) => setTimeout(wake, POLL_MS));
  }
}

interface SocketFile {
  path: string;
  inode: number;
}

/** Socket files in shared places that the seat's processes listen on: a killed app cannot remove them itself. */
export function socketFilesOf(processes: readonly ProcessInfo[]): SocketFile[] {
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
    return []; // It ended, or hides its files: then its sockets stay unknown.
  }
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // Closed in between.
  }
}

export function removeSocketFiles(files: readonly SocketFile[]): void {
  for (const { path, inode } of files) {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isSocket() && stat.ino === inode && stat.uid === process.getuid?.()) rmSync(path, { force: true });
  }
}
