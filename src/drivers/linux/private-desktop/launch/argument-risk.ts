import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { platform, runtimeBase } from '../../../../platform/index.js';
import { type AppKind, detectAppKind } from './app-arguments.js';
import type { FoundProgram } from './find-program.js';

/** What may follow an option in the same word: nothing, a plain word or number, a new folder, a web address. */
type OptionValue = 'plain' | 'value' | 'folder' | 'web';
type Options = Readonly<Record<string, OptionValue>>;

const COMMON: Options = { 'new-window': 'plain', help: 'plain', version: 'plain' };

const ENGINE: Options = {
  ...COMMON,
  ...{ 'force-renderer-accessibility': 'value', 'password-store': 'value', 'no-sandbox': 'plain' },
  ...{ 'user-data-dir': 'folder', 'force-device-scale-factor': 'value', lang: 'value' },
  ...{ 'disable-gpu': 'plain', 'disable-dev-shm-usage': 'plain', 'disable-extensions': 'plain' },
};

const BROWSER: Options = {
  ...ENGINE,
  ...{ app: 'web', headless: 'value', incognito: 'plain', guest: 'plain', kiosk: 'plain', 'new-tab': 'plain' },
  ...{ 'window-size': 'value', 'window-position': 'value', 'start-maximized': 'plain', 'start-fullscreen': 'plain' },
  ...{ 'no-first-run': 'plain', 'no-default-browser-check': 'plain', 'disable-background-networking': 'plain' },
  ...{ 'temp-profile': 'plain', 'profile-directory': 'value', 'disable-sync': 'plain', 'mute-audio': 'plain' },
};

const OFFICE: Options = {
  ...{ norestore: 'plain', nologo: 'plain', nofirststartwizard: 'plain', nodefault: 'plain', nolockcheck: 'plain' },
  ...{ writer: 'plain', calc: 'plain', impress: 'plain', draw: 'plain', math: 'plain', base: 'plain', web: 'plain' },
  ...{ global: 'plain', view: 'plain', show: 'plain', n: 'plain', o: 'plain', minimized: 'plain' },
};

const HARMLESS: Readonly<Record<AppKind, Options>> = {
  browser: BROWSER,
  electron: ENGINE,
  office: OFFICE,
  other: COMMON,
};

/** Further options of single apps, by the name of their program. */
const OF_APP: Readonly<Record<string, Options>> = {
  firefox: { 'new-tab': 'plain', 'private-window': 'plain', 'new-instance': 'plain', 'no-remote': 'plain' },
  mousepad: { 'disable-server': 'plain' },
  featherpad: { standalone: 'plain', win: 'plain' },
  'gnome-text-editor': { standalone: 'plain' },
  gedit: { standalone: 'plain' },
  'gtk3-demo': { run: 'value' },
  'gtk4-demo': { run: 'value' },
};

const WEB_ADDRESS = /^https?:\/\//i;
/** Behind a link, apps do not agree on what it means: some drop `link/..` without following the link. */
const STEPS_UP = /(^|\/)\.\.(\/|$)/;
const PLAIN_VALUE = /^[\w.,:@%+-]*$/;

interface ArgumentContext {
  program: FoundProgram;
  cwd: string;
  /** The app is registered for web addresses. */
  opensWeb: boolean;
}

/**
 * True if every argument is known to be harmless for this app: a document, a web address, a known option. The list is
 * short on purpose. An unknown option can do anything: `--debug` of Debian's chromium writes its other arguments into a
 * debugger's command file, `--strace` of LibreOffice starts strace.
 */
export function isHarmless(args: readonly string[], { program, cwd, opensWeb }: ArgumentContext): boolean {
  const names = [basename(program.path), basename(program.realPath)];
  const known = { ...HARMLESS[detectAppKind(program)], ...names.map((name) => OF_APP[name]).find(Boolean) };
  const isWeb = (text: string): boolean => opensWeb && (WEB_ADDRESS.test(text) || text === 'about:blank');
  const fits: Readonly<Record<OptionValue, (value: string) => boolean>> = {
    plain: () => false,
    value: (value) => PLAIN_VALUE.test(value),
    folder: (value) =>
      isAbsolute(value) &&
      !STEPS_UP.test(value) &&
      ![resolve(value), realPathOf(value)].some(isOwnFile) &&
      isNewFolder(value),
    web: isWeb,
  };
  return args.every((arg) => {
    if (CONTROL_CHARACTER.test(arg)) return false;
    if (arg === '--') return true;
    if (!arg.startsWith('-')) return isWeb(arg) || (!STEPS_UP.test(arg) && isDocument(resolve(cwd, arg)));
    const [, name = '', value] = /^--?([a-z][a-z-]*)(?:=([^]*))?$/.exec(arg) ?? [];
    return Object.hasOwn(known, name) && (value === undefined || fits[known[name]!](value));
  });
}

/** Files that some program runs, or that configure one, by their name: their content may be plain text. */
const RUNNABLE =
  /\.(desktop|directory|service|timer|socket|(ba|z|k|c|fi)?sh|command|py[cow]?|pl|pm|rb|lua|tcl|js|mjs|cjs|jsx?|tsx?|php|r|jl|scm|scpt|el|elc|bas|vbs?|ps1|psm1|bat|cmd|com|exe|msi|scr|dll|so|a|o|ko|jar|war|class|jnlp|appimage|run|bin|deb|rpm|snap|flatpak(ref|repo)?|xpi|crx|oxt|vsix|whl|gem|mk|cmake|blend|(do[ct]|xl[st]|pp[ts]|pot)m|xlam|ppam|odb|workflow|action|reg|lnk|url|webloc)(\.\d+)*$/i;
const RUNNABLE_NAME = /^(makefile|\..*rc|\.profile|\..*_profile|\.xsession|\.xinitrc|\.netrc|authorized_keys)$/i;
const EXECUTABLE_HEAD = /^(#!|\x7fELF|MZ|\xca\xfe\xba\xbe|\[Desktop Entry\])/;

/** Without a byte order mark: a shell that is given the file skips it. */
const withoutMark = (text: string): string => text.replace(/^\xef\xbb\xbf/, '');

/** An existing regular file that is no program, no script, and none of our own files. Links are resolved. */
function isDocument(path: string): boolean {
  let fd: number | undefined;
  try {
    const real = realpathSync.native(path);
    if ([path, real].some((one) => RUNNABLE.test(one) || RUNNABLE_NAME.test(basename(one)) || isOwnFile(one)))
      return false;
    // O_NONBLOCK: a named pipe in its place would wait for a writer.
    fd = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!fstatSync(fd).isFile()) return false;
    const head = Buffer.alloc(64);
    return !EXECUTABLE_HEAD.test(withoutMark(head.toString('latin1', 0, readSync(fd, head))).trimStart());
  } catch {
    return false; // It is missing or cannot be read, so it is not known to be harmless.
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/**
 * It does not exist yet, or it is an empty directory. The user's own browser profile contains logins, any other profile
 * may start programs (native messaging hosts), and a browser fills any other directory with its files.
 */
function isNewFolder(path: string): boolean {
  try {
    return readdirSync(path).length === 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/** With all links resolved, as far as it exists. */
function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return join(realPathOf(dirname(path)), basename(path));
  }
}

/** Our configuration, logs, keys and sockets, and the policy of a project. */
function isOwnFile(path: string): boolean {
  const os = platform();
  const { env } = process;
  const own = [os.configDirectory(env), os.dataDirectory(env), os.stateDirectory(env), runtimeBase(env)];
  return (
    /\/\.deskproof(\/|$)/.test(path) ||
    [...own, os.managedConfigDirectory].some((folder) => path === folder || path.startsWith(`${folder}/`))
  );
}

/** Options that choose the display of an app, also abbreviated as X and getopt allow: `-disp`, `--x11-display`. */
const DISPLAY_OPTION = /^--?(?!-|disable|no-)([\w-]*[-_])?(disp(l(ay?)?)?|platform([-_]hint)?)(=|$)/i;
/** Options that choose the bus of an app. */
const BUS_OPTION = /^--?(?!-|disable|no-)([\w-]*[-_])?d?bus([-_]address)?(=|$)/i;
/**
 * Values that name a display or bus, whatever the option is called: `:1`, `unix:path=/run/user/1000/bus`.
 * `localhost:3000` does not match: it is a web page.
 */
const DISPLAY_OR_BUS_ADDRESS =
  /^(-[^=]*=)?((unix)?:\d+(\.\d+)?$|localhost:\d+\.\d+$|(unix|unixexec|tcp|nonce-tcp):\w+=|autolaunch:)/i;

/** True if these arguments visibly make an app open its window, or connect to a bus, outside the desktop. */
export function leavesDesktop(args: readonly string[]): boolean {
  return args.some((arg) => [DISPLAY_OPTION, BUS_OPTION, DISPLAY_OR_BUS_ADDRESS].some((pattern) => pattern.test(arg)));
}

/** Variables that change only how an app looks and which language it speaks. */
const HARMLESS_VARIABLE =
  /^(LANG|LANGUAGE|LC_\w+|TZ|GTK_THEME|GDK_SCALE|GDK_DPI_SCALE|QT_SCALE_FACTOR|QT_FONT_DPI|NO_COLOR|TERM|COLORTERM)$/;

/** True if one of these variables, which differ from those of the desktop, is not known to be harmless. */
export function hasRiskyVariables(names: readonly string[]): boolean {
  return names.some((name) => !HARMLESS_VARIABLE.test(name));
}

/** Options that load code into the app, and files that contain code: `--gtk-module x`, `-platformpluginpath DIR`. */
const MODULE_OPTION = /^--?(?!-|disable|no-)[^=]*(module|plugin|librar|preload|extension|addon)/i;
const SHARED_LIBRARY = /\.so(\.\d+)*$/;
/**
 * Options for code that the app runs itself (`--script=x.lua`, `--python-expr`, `--batch`), and addresses that are
 * code.
 */
const SCRIPT_OPTION =
  /^--?(?!-|disable|no-)([^=]*[-_])?(scripts?|python\w*|lua|macros?|eval|expr\w*|batch\w*|interpret\w*)([-_=]|$)/i;
const CODE_URL = /^\s*(\.uno\b|(macro|slot|service|javascript|vnd\.sun\.star\.\w+):)/i;
/** Options by which browser engines start their helper processes, with any value. */
const HELPER_OPTION = /^--?([\w-]*-)?(cmd-prefix|launcher|subprocess-path)(=|$)/i;
/** Options that run the app under a debugger or tracer, or let another program attach to it. */
const DEBUG_OPTION =
  /^--?(gdb|\w*debugger|[sl]trace|backtrace|valgrind|callgrind|record|rr|perf|inspect|marionette|([\w-]+-)?(gdb|debugger|debugging))([-_=]|$)/i;
/** A control character may start a new line in a file that a wrapper script writes its arguments to. */
const CONTROL_CHARACTER = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** True if these arguments visibly make an app do more than show a window: load, run or trace code. */
export function runsOtherCode(args: readonly string[], wordsIn: (arg: string) => readonly string[]): boolean {
  return args.some((arg) => {
    const value = arg.startsWith('-') ? arg.slice(arg.indexOf('=') + 1) : arg;
    return (
      [MODULE_OPTION, SCRIPT_OPTION, HELPER_OPTION, DEBUG_OPTION].some((pattern) => pattern.test(arg)) ||
      CODE_URL.test(value) ||
      wordsIn(arg).some((word) => SHARED_LIBRARY.test(word))
    );
  });
}
