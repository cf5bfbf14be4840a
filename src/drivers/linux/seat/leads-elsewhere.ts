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
