/** Variables of the user's session that must not reach a private desktop. */
const SESSION_VARIABLES = [
  'WAYLAND_DISPLAY',
  'WAYLAND_SOCKET',
  'SESSION_MANAGER',
  'DESKTOP_SESSION',
  'XDG_SESSION_ID',
  'NO_AT_BRIDGE',
  'AT_SPI_BUS_ADDRESS',
  'GTK_MODULES',
  'DBUS_STARTER_ADDRESS',
  'DESKTOP_STARTUP_ID',
  'XDG_ACTIVATION_TOKEN',
];
/** The caller's values take precedence over those of the desktop. */
const CALLER_VARIABLES =
  /^(PATH|LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|COLORTERM|SHELL|USER|LOGNAME|XDG_DATA_DIRS|XDG_CONFIG_DIRS)$/;
/** Processes with this variable are ended with the desktop. */
export const MARKER = 'DESKPROOF_SEAT';

type Env = Readonly<Record<string, string | undefined>>;

/** The caller's environment with the session replaced by that of the private desktop. */
export function privateEnvironment(caller: Env, desktopEnv: Readonly<Record<string, string>>): Record<string, string> {
  const inside: Record<string, string> = {};
  for (const [name, value] of Object.entries(caller)) {
    if (value !== undefined && !SESSION_VARIABLES.includes(name)) inside[name] = value;
  }
  for (const [name, value] of Object.entries(desktopEnv)) {
    if (!(CALLER_VARIABLES.test(name) && inside[name])) inside[name] = value;
  }
  return inside;
}

/** Lines for `eval`: only what differs, and never the marker, because the shell must outlive the desktop. */
export function exportLines(caller: Env, desktopEnv: Readonly<Record<string, string>>): string[] {
  const inside = privateEnvironment(caller, desktopEnv);
  const set = Object.keys(desktopEnv)
    .filter((name) => name !== MARKER && inside[name] === desktopEnv[name] && caller[name] !== desktopEnv[name])
    .sort()
    .map((name) => `export ${name}=${shellQuote(desktopEnv[name] ?? '')}`);
  const unset = SESSION_VARIABLES.filter((name) => caller[name] !== undefined && !(name in desktopEnv)).map(
    (name) => `unset ${name}`,
  );
  return [...unset, ...set];
}

export function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
