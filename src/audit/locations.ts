import { readdirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { type Env, platform } from '../platform/index.js';
import { DesktopError } from '../shared/index.js';

/** Where one desktop's log is, and where its keys and heads are: apart, so that who has one has not the other. */
export interface LedgerPlaces {
  desktop: string;
  logs: string;
  state: string;
}

export const isDesktop = (name: string): boolean => /^[a-z0-9][a-z0-9.-]{0,63}$/i.test(name) && !name.includes('..');

export function ledgerPlaces(desktop: string, env: Env = process.env): LedgerPlaces {
  if (!isDesktop(desktop)) {
    throw new DesktopError('bad_arguments', `${JSON.stringify(desktop.slice(0, 40))} is not the name of a desktop.`, {
      hint: 'See which there are: deskproof desktop list',
    });
  }
  return { desktop, logs: join(logsDirectory(env), desktop), state: join(platform().stateDirectory(env), 'ledger') };
}

/** Has a folder for each desktop. */
export const logsDirectory = (env: Env = process.env): string => join(platform().dataDirectory(env), 'audit');

const digits = (segment: number): string => String(segment).padStart(6, '0');

export const segmentPath = (logs: string, segment: number): string => join(logs, `${digits(segment)}.jsonl`);
export const lockPath = (logs: string): string => join(logs, 'lock');
export const statePath = (state: string, ledger: string): string => join(state, ledger);
export const keyPath = (state: string, ledger: string, segment: number): string =>
  join(statePath(state, ledger), `${digits(segment)}.key`);

export function segmentOf(file: string): number | undefined {
  const number = /^(\d{6,9})\.jsonl$/.exec(file)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** In their order; none when there is no such directory. */
export function segmentsIn(logs: string): number[] {
  let files: Dirent[];
  try {
    files = readdirSync(logs, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  const segments = files.filter(({ name }) => segmentOf(name) !== undefined);
  const folder = segments.find((file) => file.isDirectory());
  if (folder) throw notAFile(join(logs, folder.name));
  return segments.map(({ name }) => segmentOf(name)!).sort((a, b) => a - b);
}

/** The file that is written, or would be. */
export function currentLog({ logs }: LedgerPlaces): string {
  return segmentPath(logs, segmentsIn(logs).at(-1) ?? 1);
}

function notAFile(path: string): DesktopError {
  return new DesktopError('audit_unavailable', `${path} is a folder, and a file of the log should be there.`, {
    retry: 'no',
    hint: 'Look who made it, and move it away.',
  });
}
