import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { FoundProgram } from './find-program.js';

/** Browser engines with a sandbox, recognised by name, since the program is often a wrapper script. */
const BROWSER =
  /^(chromium(-browser)?|chrome|google-chrome(-stable|-beta|-unstable)?|brave(-browser)?(-stable)?|microsoft-edge(-\w+)?|msedge|vivaldi(-stable)?|opera)$/;
const ELECTRON =
  /^(electron\d*|code(-insiders|-oss)?|codium|vscodium|slack|discord|signal-desktop|obsidian|element-desktop|teams-for-linux|cursor|windsurf)$/;
const VS_CODE = /^(code(-insiders|-oss)?|codium|vscodium|cursor|windsurf)$/;
const OFFICE = /^(soffice(\.bin)?|libreoffice|lowriter|localc|loimpress|lodraw|lomath|lobase|loweb|lofromtemplate)$/;

export type AppKind = 'browser' | 'electron' | 'office' | 'other';

/** Detects the kind of app by its name, or by the engine files beside it. */
export function detectAppKind(program: FoundProgram): AppKind {
  const names = [basename(program.path), basename(program.realPath)];
  if (names.some((name) => OFFICE.test(name))) return 'office';
  if (names.some((name) => BROWSER.test(name))) return 'browser';
  if (names.some((name) => ELECTRON.test(name))) return 'electron';
  // `code` and others are scripts in a bin folder below the folder of the engine.
  const folders = [dirname(program.realPath), dirname(dirname(program.realPath))];
  return folders.some(hasEngine) ? 'electron' : 'other';
}

const hasEngine = (folder: string): boolean =>
  existsSync(join(folder, 'icudtl.dat')) && existsSync(join(folder, 'chrome_100_percent.pak'));

interface LaunchContext {
  isRoot: boolean;
  home: string;
  /** The app runs in the user's own session: its stored passwords and documents must stay as they are. */
  inUserSession?: boolean;
}

/**
 * Adds the arguments with which an app exposes its elements and skips questions at its first start. Arguments that the
 * caller gave are not repeated.
 */
export function withAppArguments(program: FoundProgram, args: readonly string[], context: LaunchContext): string[] {
  const given = new Set(args.map((arg) => arg.split('=')[0]));
  return [...extraArguments(program, context).filter((arg) => !given.has(arg.split('=')[0])), ...args];
}

function extraArguments(program: FoundProgram, context: LaunchContext): string[] {
  // Browser engines refuse to run their sandbox as root.
  const describing = ['--force-renderer-accessibility', ...(context.isRoot ? ['--no-sandbox'] : [])];
  const kind = detectAppKind(program);
  // A different password store would lose the user's passwords, and without recovery their documents.
  if (context.inUserSession) return kind === 'browser' || kind === 'electron' ? describing : [];
  const engine = [...describing, '--password-store=basic'];
  switch (kind) {
    case 'office':
      return ['--norestore', '--nologo', '--nofirststartwizard'];
    case 'browser':
      return [...engine, '--no-first-run', '--no-default-browser-check', '--disable-background-networking'];
    case 'electron':
      // As root, VS Code also requires an explicit data directory.
      return VS_CODE.test(basename(program.path)) && context.isRoot
        ? [...engine, `--user-data-dir=${join(context.home, '.config', basename(program.path))}`]
        : engine;
    case 'other':
      return [];
  }
}
