import { type AppKind, detectAppKind } from './app-arguments.js';

/** Option names, and whether a value may follow in the same word. */
type Options = Readonly<Record<string, 'plain' | 'value'>>;

const COMMON: Options = { 'new-window': 'plain' };

const ENGINE: Options = {
  ...COMMON,
  ...{ 'force-renderer-accessibility': 'value', 'password-store': 'value', 'no-sandbox': 'plain' },
  ...{ 'user-data-dir': 'value', 'force-device-scale-factor': 'value', lang: 'value' },
  ...{ 'disable-gpu': 'plain', 'disable-dev-shm-usage': 'plain', 'disable-extensions': 'plain' },
};

const BROWSER: Options = {
  ...ENGINE,
  ...{ app: 'value', headless: 'value', incognito: 'plain', guest: 'plain', kiosk: 'plain', 'new-tab': 'plain' },
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

/**
 * A wrapper script can do anything with an unknown option: `--debug` of Debian's chromium writes its other arguments
 * into a debugger's command file, `--strace` of LibreOffice starts strace. So only known options count as harmless.
 */
export function hasOnlyKnownOptions(script: string, args: readonly string[]): boolean {
  const known = HARMLESS[detectAppKind({ path: script, realPath: script })];
  return args.every((arg) => {
    if (!arg.startsWith('-') || arg === '--') return true;
    const [, name = '', value] = /^--?([a-z][a-z-]*)(=[^]*)?$/.exec(arg) ?? [];
    return Object.hasOwn(known, name) && (value === undefined || known[name] === 'value');
  });
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

/** Variables that choose the display and the bus of an app. */
const LOCATION_VARIABLE =
  /^(DISPLAY|XAUTHORITY|XDG_RUNTIME_DIR|(WAYLAND|DBUS|AT_SPI|BROADWAY)_\w+|GDK_BACKEND|QT_QPA_PLATFORM|SDL_VIDEODRIVER|MOZ_ENABLE_WAYLAND|ELECTRON_OZONE_\w+)$/;
/**
 * Variables that load code into an app, make its interpreter run code first, or change which programs it finds by name.
 */
const CODE_VARIABLE =
  /^(PATH|(LD|NODE)_\w+|(PYTHON|PERL|RUBY|LUA)\w*|\w+_(MODULES?|PLUGINS?)(_\w+)?|GCONV_PATH|GTK\d?_(PATH|EXE_PREFIX)|QML\d?_IMPORT_PATH|BASH_ENV|ENV|ELECTRON_RUN_AS_NODE)$/;

/** True if one of these variables, which differ from those of the desktop, redirects the app or loads code into it. */
export function hasRiskyVariables(names: readonly string[]): boolean {
  return names.some((name) => LOCATION_VARIABLE.test(name) || CODE_VARIABLE.test(name));
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
      [MODULE_OPTION, SCRIPT_OPTION, HELPER_OPTION, DEBUG_OPTION, CONTROL_CHARACTER].some((pattern) =>
        pattern.test(arg),
      ) ||
      CODE_URL.test(value) ||
      wordsIn(arg).some((word) => SHARED_LIBRARY.test(word))
    );
  });
}
