import { lstatSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DesktopError } from '../../../shared/index.js';
import { releaseDisplay } from './display-lock.js';
import { isAlive, processSpace } from './processes.js';
import { readRecord, TAG_FILE, type SeatRecord } from './record.js';
import { endSeatProcesses, findSeatProcesses, removeSocketFiles, socketFilesOf } from './seat-processes.js';

/** What a seat puts into its runtime directory. */
const ENTRIES = [
  'Xauthority',
  'bus',
  'bus.conf',
  'openbox.xml',
  'services',
  'run',
  'tmp',
  'seat.json.new',
  'seat.json',
];

/** `whole`: the runtime directory goes too, with whatever its dead owner left in it. */
export async function endSeat(runtimeDir: string, record: SeatRecord, whole: boolean): Promise<void> {
  const sockets = socketFilesOf(findSeatProcesses(record));
  const survivors = await endSeatProcesses(record);
  if (survivors.length > 0) {
    const pids = survivors.map((info) => info.pid).join(', ');
    throw new DesktopError('command_failed', `Processes of desktop ${record.name} cannot be ended: ${pids}.`, {
      hint: 'They are stuck in the kernel; once they end, deskproof desktop list cleans up.',
    });
  }
  removeSocketFiles(sockets);
  if (record.display !== undefined) {
    releaseDisplay(record.display, [record.owner.pid, ...record.core.map((id) => id.pid)]);
  }
  for (const directory of record.directories) if (isTagged(directory, record.id)) removeTree(directory);
  if (whole) return removeTree(runtimeDir);
  for (const entry of ENTRIES) removeTree(join(runtimeDir, entry));
}

function isTagged(directory: string, id: string): boolean {
  try {
    return lstatSync(directory).isDirectory() && readFileSync(join(directory, TAG_FILE), 'utf8') === id;
  } catch {
    return false; // Gone, or not ours: leave it.
  }
}

/** So often it is looked again for what came while the rest was removed. */
const ROUNDS = 5;
const TAGS: readonly string[] = [TAG_FILE, 'seat.json'];

/** The tag goes last, so that a removal that was cut short can be taken up again. */
function removeTree(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return rmSync(path, { force: true });
  const remove = (name: string): void => rmSync(join(path, name), { recursive: true, force: true, maxRetries: 3 });
  for (let round = 0; round < ROUNDS; round++) {
    const names = readdirSync(path).filter((name) => !TAGS.includes(name));
    if (names.length === 0) break;
    names.forEach(remove);
  }
  TAGS.forEach(remove);
  try {
    rmdirSync(path);
  } catch (error) {
    // A newcomer with the same name is in it already: then the directory is theirs.
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Cleans up after seats whose owner and keeper are both gone. `baseDir` holds their runtime directories. */
export async function sweepDeadSeats(baseDir: string): Promise<string[]> {
  const swept: string[] = [];
  for (const name of lstatSync(baseDir, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(baseDir) : []) {
    const runtimeDir = join(baseDir, name);
    if (!isOwn(runtimeDir)) continue;
    const record = readRecord(runtimeDir);
    if (!record || !isAbandoned(record)) continue;
    await endSeat(runtimeDir, record, true);
    swept.push(record.name);
  }
  return swept;
}

/** For a runtime directory that is about to be used again: a living seat in it is an error, a dead one is removed. */
export async function clearLeftovers(runtimeDir: string): Promise<void> {
  const record = readRecord(runtimeDir);
  if (!record) return;
  if (!isAbandoned(record)) {
    throw new DesktopError('command_failed', `A desktop is running in ${runtimeDir} already.`, {
      hint: 'Take another name, or stop that one: deskproof desktop stop NAME',
    });
  }
  await endSeat(runtimeDir, record, false);
}

function isOwn(directory: string): boolean {
  const stat = lstatSync(directory, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && stat.uid === process.getuid?.();
}

function isAbandoned(record: SeatRecord): boolean {
  const [boot] = record.space.split(' ');
  const space = processSpace();
  if (record.space !== space) return !space.startsWith(`${boot} `); // Same boot: another container's, perhaps alive.
  return !isAlive(record.owner) && !(record.keeper && isAlive(record.keeper));
}
