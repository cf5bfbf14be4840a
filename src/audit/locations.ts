import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, type Dirent, type Stats } from 'node:fs';
import { join } from 'node:path';
import { type Env, platform } from '../platform/index.js';
import { DesktopError } from '../shared/index.js';

/**
 * Where the log of one desktop is, and where its keys and heads are. They are kept apart, so that access to one does
 * not give access to the other.
 */
export interface LedgerPlaces {
  desktop: string;
  logs: string;
  state: string;
}

export const isDesktopName = (name: string): boolean =>
  /^[a-z0-9][a-z0-9.-]{0,63}$/i.test(name) && !name.includes('..');

export function ledgerPlaces(desktop: string, env: Env = process.env): LedgerPlaces {
  if (!isDesktopName(desktop)) {
    throw new DesktopError('bad_arguments', `${JSON.stringify(desktop.slice(0, 40))} is not the name of a desktop.`, {
      hint: 'Run deskproof desktop list to see the names.',
    });
  }
  return { desktop, logs: join(logsDirectory(env), desktop), state: join(platform().stateDirectory(env), 'ledger') };
}

/** Has a directory for each desktop. */
export const logsDirectory = (env: Env = process.env): string => join(platform().dataDirectory(env), 'audit');

const fileNumber = (segment: number): string => String(segment).padStart(6, '0');

export const segmentPath = (logs: string, segment: number): string => join(logs, `${fileNumber(segment)}.jsonl`);
export const lockPath = (logs: string): string => join(logs, 'lock');
export const statePath = (state: string, ledger: string): string => join(state, ledger);
export const keyPath = (state: string, ledger: string, segment: number): string =>
  join(statePath(state, ledger), `${fileNumber(segment)}.key`);

export function segmentOf(file: string): number | undefined {
  const number = /^(\d{6,9})\.jsonl$/.exec(file)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** In ascending order. Empty if there is no such directory. */
export function segmentsIn(logs: string): number[] {
  let files: Dirent[];
  try {
    files = readdirSync(logs, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  const segments = files.filter(({ name }) => segmentOf(name) !== undefined);
  // A link is judged by what it leads to, when it is opened.
  const other = segments.find((file) => !file.isFile() && !file.isSymbolicLink());
  if (other) throw notAFileError(join(logs, other.name), other);
  return segments.map(({ name }) => segmentOf(name)!).sort((a, b) => a - b);
}

/** The file that is written now, or would be. */
export function currentLog({ logs }: LedgerPlaces): string {
  return segmentPath(logs, segmentsIn(logs).at(-1) ?? 1);
}

type FileKind = Pick<Stats, 'isFile' | 'isDirectory' | 'isFIFO' | 'isSocket'>;

function kindOf(file: FileKind): string {
  if (file.isDirectory()) return 'a directory';
  if (file.isFIFO()) return 'a named pipe';
  return file.isSocket() ? 'a socket' : 'a device';
}

function notAFileError(path: string, file: FileKind): DesktopError {
  return new DesktopError('audit_unavailable', `${path} is ${kindOf(file)}, where a file of the log should be.`, {
    retry: 'no',
    hint: 'Find out which program created it, and move it away.',
  });
}

/**
 * Opens a file of a log for reading. A pipe or a device in its place is refused: reading one may never end. O_NONBLOCK
 * keeps the opening of a pipe without a writer from waiting, and means nothing for a regular file.
 */
export function openLogFile(path: string): number {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const stat = fstatSync(fd);
  if (stat.isFile()) return fd;
  closeSync(fd);
  throw notAFileError(path, stat);
}

export function readLogFile(path: string): Buffer {
  const fd = openLogFile(path);
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}
