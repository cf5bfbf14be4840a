import { type AppKind, kindOf } from './app-arguments.js';

/** Options, and whether a value may stand in the same word. */
type Options = Readonly<Record<string, 'plain' | 'value'>>;

const ANY: Options = { 'new-window': 'plain' };

const ENGINE: Options = {
  ...ANY,
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
  other: ANY,
};

/**
 * What a script makes of an option nobody has read: `--debug` of Debian's chromium puts its other words into a
 * debugger's commands, `--strace` of LibreOffice starts strace. So only those that are known are taken for harmless.
 */
export function hasOnlyHarmless(script: string, args: readonly string[]): boolean {
  const known = HARMLESS[kindOf({ path: script, realPath: script })];
  return args.every((arg) => {
    if (!arg.startsWith('-') || arg === '--') return true;
    const [, name = '', value] = /^--?([a-z][a-z-]*)(=[^]*)?$/.exec(arg) ?? [];
    return Object.hasOwn(known, name) && (value === undefined || known[name] === 'value');
  });
}

/** Options for the display that an app draws on, also cut short, as X and getopt take them: `-disp`, `--x11-display`. */
const DISPLAY = /^--?(?!-|disable|no-)([\w-]*[-_])?(disp(l(ay?)?)?|platform([-_]hint)?)(=|$)/i;
/** And for the bus that it speaks on. */
const BUS = /^--?(?!-|disable|no-)([\w-]*[-_])?d?bus([-_]address)?(=|$)/i;
/** What names one, whatever the option is called: `:1`, `unix:path=/run/user/1000/bus`; not `localhost:3000`, a page. */
const PLACE = /^(-[^=]*=)?((unix)?:\d+(\.\d+)?$|localhost:\d+\.\d+$|(unix|unixexec|tcp|nonce-tcp):\w+=|autolaunch:)/i;

/** It is plain to see that these words have an app open its window, or speak, outside of the desktop. */
export function leadsElsewhere(args: readonly string[]): boolean {
  return args.some((arg) => [DISPLAY, BUS, PLACE].some((sign) => sign.test(arg)));
}

/** Variables that say where an app draws and speaks. */
const PLACES =
  /^(DISPLAY|XAUTHORITY|XDG_RUNTIME_DIR|(WAYLAND|DBUS|AT_SPI|BROADWAY)_\w+|GDK_BACKEND|QT_QPA_PLATFORM|SDL_VIDEODRIVER|MOZ_ENABLE_WAYLAND|ELECTRON_OZONE_\w+)$/;
/** And those for code that is loaded into it, that its interpreter runs first, or that it finds by name. */
const LOADS_VARIABLE =
  /^(PATH|(LD|NODE)_\w+|(PYTHON|PERL|RUBY|LUA)\w*|\w+_(MODULES?|PLUGINS?)(_\w+)?|GCONV_PATH|GTK\d?_(PATH|EXE_PREFIX)|QML\d?_IMPORT_PATH|BASH_ENV|ENV|ELECTRON_RUN_AS_NODE)$/;

/** The same of variables that the app gets otherwise than the desktop has them. */
export function isToldByVariables(names: readonly string[]): boolean {
  return names.some((name) => PLACES.test(name) || LOADS_VARIABLE.test(name));
}

/** Options for code that is loaded into the app, and files that hold some: `--gtk-module x`, `-platformpluginpath DIR`. */
const LOADS_OPTION = /^--?(?!-|disable|no-)[^=]*(module|plugin|librar|preload|extension|addon)/i;
const LIBRARY = /\.so(\.\d+)*$/;
/** For code that the app runs itself: `--script=x.lua`, `--python-expr`, `--batch`; and pages that are code. */
const RUNS =
  /^--?(?!-|disable|no-)([^=]*[-_])?(scripts?|python\w*|lua|macros?|eval|expr\w*|batch\w*|interpret\w*)([-_=]|$)/i;
const CODE = /^\s*(\.uno\b|(macro|slot|service|javascript|vnd\.sun\.star\.\w+):)/i;
/** By which browser engines start their own parts, whatever stands there. */
const STARTS = /^--?([\w-]*-)?(cmd-prefix|launcher|subprocess-path)(=|$)/i;
/** For what runs the app under its own eyes, or lets others do so. */
const WATCHES =
  /^--?(gdb|\w*debugger|[sl]trace|backtrace|valgrind|callgrind|record|rr|perf|inspect|marionette|([\w-]+-)?(gdb|debugger|debugging))([-_=]|$)/i;
/** A script that writes its arguments down somewhere may have begun a new line there. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** It is plain to see that an app with these words does more than to show a window: they load, run or watch something. */
export function isToldToRun(args: readonly string[], wordsIn: (arg: string) => readonly string[]): boolean {
  return args.some((arg) => {
    const value = arg.startsWith('-') ? arg.slice(arg.indexOf('=') + 1) : arg;
    return (
      [LOADS_OPTION, RUNS, STARTS, WATCHES, CONTROL].some((sign) => sign.test(arg)) ||
      CODE.test(value) ||
      wordsIn(arg).some((word) => LIBRARY.test(word))
    );
  });
}
