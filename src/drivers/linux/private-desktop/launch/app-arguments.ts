import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { FoundProgram } from './find-program.js';

/** Sandboxed browser engines, told by name when a script hides them. */
const BROWSER =
  /^(chromium(-browser)?|chrome|google-chrome(-stable|-beta|-unstable)?|brave(-browser)?(-stable)?|microsoft-edge(-\w+)?|msedge|vivaldi(-stable)?|opera)$/;
const ELECTRON =
  /^(electron\d*|code(-insiders|-oss)?|codium|vscodium|slack|discord|signal-desktop|obsidian|element-desktop|teams-for-linux|cursor|windsurf)$/;
const VS_CODE = /^(code(-insiders|-oss)?|codium|vscodium|cursor|windsurf)$/;
const OFFICE = /^(soffice(\.bin)?|libreoffice|lowriter|localc|loimpress|lodraw|lomath|lobase|loweb|lofromtemplate)$/;

export type AppKind = 'browser' | 'electron' | 'office' | 'other';

/** What kind of app a program is, by its name or by the files of the engine that lie beside it. */
export function kindOf(program: FoundProgram): AppKind {
  const names = [basename(program.path), basename(program.realPath)];
  if (names.some((name) => OFFICE.test(name))) return 'office';
  if (names.some((name) => BROWSER.test(name))) return 'browser';
  if (names.some((name) => ELECTRON.test(name))) return 'electron';
  // `code` and others are scripts in a bin folder below the engine's.
  const folders = [dirname(program.realPath), dirname(dirname(program.realPath))];
  return folders.some(hasEngine) ? 'electron' : 'other';
}

const hasEngine = (folder: string): boolean =>
  existsSync(join(folder, 'icudtl.dat')) && existsSync(join(folder, 'chrome_100_percent.pak'));

interface Around {
  isRoot: boolean;
  home: string;
  /** It is started among the person's own files: what they keep in it stays as they have it. */
  persons?: boolean;
}

/**
 * The arguments with which an app describes itself to us and does not ask questions at its first start. What the
 * caller gave already is not given twice.
 */
export function withAppArguments(program: FoundProgram, args: readonly string[], context: Around): string[] {
  const given = new Set(args.map((arg) => arg.split('=')[0]));
  return [...extraArguments(program, context).filter((arg) => !given.has(arg.split('=')[0])), ...args];
}

function extraArguments(program: FoundProgram, context: Around): string[] {
  // Engines refuse to run their sandbox as root.
  const describing = ['--force-renderer-accessibility', ...(context.isRoot ? ['--no-sandbox'] : [])];
  const kind = kindOf(program);
  // With another store their passwords would be gone, and without recovery their documents.
  if (context.persons) return kind === 'browser' || kind === 'electron' ? describing : [];
  const engine = [...describing, '--password-store=basic'];
  switch (kind) {
    case 'office':
      return ['--norestore', '--nologo', '--nofirststartwizard'];
    case 'browser':
      return [...engine, '--no-first-run', '--no-default-browser-check', '--disable-background-networking'];
    case 'electron':
      // As root these also want to be told where their data goes.
      return VS_CODE.test(basename(program.path)) && context.isRoot
        ? [...engine, `--user-data-dir=${join(context.home, '.config', basename(program.path))}`]
        : engine;
    case 'other':
      return [];
  }
}
