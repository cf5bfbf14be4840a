import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from './find-program.js';

/**
 * Where the system's packages install .desktop files. The user's own folder is left out because any app can write to
 * it.
 */
const FOLDERS = [
  ...['/usr/share/applications', '/usr/local/share/applications', '/run/current-system/sw/share/applications'],
  ...['/var/lib/flatpak/exports/share/applications', '/var/lib/snapd/desktop/applications'],
];
/** The same for the programs of those files: earlier entries in the PATH of a desktop could be anything. */
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/games:/run/current-system/sw/bin';

const WEB_HANDLER = /^MimeType\s*=(.*;)?\s*x-scheme-handler\/https?\s*(;|$)/m;

/** Programs in the system's application menus, by real path. Reads them again after a folder changed. */
export class InstalledApps {
  private folderTimes = '';
  /** By real path: whether it is registered for web addresses. */
  private programs: ReadonlyMap<string, boolean> = new Map();

  constructor(
    private readonly folders: readonly string[] = FOLDERS,
    private readonly path = PATH,
  ) {}

  has(realPath: string): boolean {
    return this.current().has(realPath);
  }

  opensWeb(realPath: string): boolean {
    return this.current().get(realPath) === true;
  }

  private current(): ReadonlyMap<string, boolean> {
    const state = this.folders
      .map((folder) => statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 'none')
      .join(' ');
    if (state !== this.folderTimes) {
      const programs = new Map<string, boolean>();
      for (const [program, web] of this.folders.flatMap((folder) => this.programsIn(folder)))
        programs.set(program, web || programs.get(program) === true);
      this.programs = programs;
    }
    this.folderTimes = state;
    return this.programs;
  }

  private programsIn(folder: string): [program: string, web: boolean][] {
    return desktopFilesIn(folder).flatMap((file) => {
      const text = readTextFile(join(folder, file));
      const words = programOfEntry(text);
      const found = words === undefined ? undefined : findProgram(words, this.path);
      return found ? [[found.realPath, WEB_HANDLER.test(text)] as [string, boolean]] : [];
    });
  }
}

function desktopFilesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.desktop'));
  } catch {
    return []; // No such folder: nothing is installed there.
  }
}

function readTextFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // A dangling or unreadable file does not make a program an app.
  }
}

/** The program of an entry that opens its own window; undefined for all other entries. */
export function programOfEntry(entry: string): string | undefined {
  const [, group = ''] = entry.split(/^\[Desktop Entry\][ \t]*$/m);
  const lines = group.split(/^\[/m, 1)[0]!.split('\n');
  const value = (key: string): string => {
    const line = lines.find((one) => one.split('=', 1)[0]!.trim() === key);
    return line === undefined ? '' : line.slice(line.indexOf('=') + 1).trim();
  };
  const isListed = value('Type') === 'Application' && value('Hidden') !== 'true';
  const needsTerminal = value('Terminal') === 'true' || value('Categories').split(';').includes('TerminalEmulator');
  if (!isListed || needsTerminal) return undefined;
  const words = [...value('Exec').matchAll(/"((?:\\.|[^"\\])*)"|(\S+)/g)].map(
    ([, inQuotes, bare]) => inQuotes?.replace(/\\(.)/g, '$1') ?? bare!,
  );
  // `env A=b app`: the app is the program that env starts.
  const from = /^(.*\/)?env$/.test(words[0] ?? '') ? words.findIndex((word, at) => at > 0 && !word.includes('=')) : 0;
  return words[from];
}
