import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from './find-program.js';

/** Where the system's own packages put them. A person's own folder is not among them: any app can write there. */
const FOLDERS = [
  ...['/usr/share/applications', '/usr/local/share/applications', '/run/current-system/sw/share/applications'],
  ...['/var/lib/flatpak/exports/share/applications', '/var/lib/snapd/desktop/applications'],
];
/** The same for the programs that they name: what stands earlier in a seat's PATH may be anything. */
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/games:/run/current-system/sw/bin';

/** Programs that the system has in its menus, by real path. Read again when a folder has changed. */
export class InstalledApps {
  private state = '';
  private programs: ReadonlySet<string> = new Set();

  constructor(
    private readonly folders: readonly string[] = FOLDERS,
    private readonly path = PATH,
  ) {}

  has(realPath: string): boolean {
    const state = this.folders
      .map((folder) => statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 'none')
      .join(' ');
    if (state !== this.state) this.programs = new Set(this.folders.flatMap((folder) => this.programsIn(folder)));
    this.state = state;
    return this.programs.has(realPath);
  }

  private programsIn(folder: string): string[] {
    return filesIn(folder).flatMap((file) => {
      const words = commandOf(textOf(join(folder, file)));
      const found = words === undefined ? undefined : findProgram(words, this.path);
      return found ? [found.realPath] : [];
    });
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.desktop'));
  } catch {
    return []; // No such folder: nothing is installed there.
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // A link to nowhere, or not for us: then it makes no app of anything.
  }
}

/** The program of an entry that opens a window of its own; undefined for all others. */
export function commandOf(entry: string): string | undefined {
  const [, group = ''] = entry.split(/^\[Desktop Entry\][ \t]*$/m);
  const lines = group.split(/^\[/m, 1)[0]!.split('\n');
  const value = (key: string): string => {
    const line = lines.find((one) => one.split('=', 1)[0]!.trim() === key);
    return line === undefined ? '' : line.slice(line.indexOf('=') + 1).trim();
  };
  const shown = value('Type') === 'Application' && value('Hidden') !== 'true';
  const terminal = value('Terminal') === 'true' || value('Categories').split(';').includes('TerminalEmulator');
  if (!shown || terminal) return undefined;
  const words = [...value('Exec').matchAll(/"((?:\\.|[^"\\])*)"|(\S+)/g)].map(
    ([, inQuotes, bare]) => inQuotes?.replace(/\\(.)/g, '$1') ?? bare!,
  );
  // `env A=b app`: the app is what it starts.
  const from = /^(.*\/)?env$/.test(words[0] ?? '') ? words.findIndex((word, at) => at > 0 && !word.includes('=')) : 0;
  return words[from];
}
