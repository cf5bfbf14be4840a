/** What a shell brings along and a private desktop must not have: the person's own session. */
const OF_THE_SESSION = [
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
/** The caller's own choice is better than what the desktop was started with. */
const OF_THE_CALLER =
  /^(PATH|LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|COLORTERM|SHELL|USER|LOGNAME|XDG_DATA_DIRS|XDG_CONFIG_DIRS)$/;
/** Programs with this variable are ended with the desktop. */
export const MARKER = 'DESKPROOF_SEAT';

type Env = Readonly<Record<string, string | undefined>>;

/** The caller's environment with the session exchanged for the private desktop's. */
export function insideSeat(caller: Env, seat: Readonly<Record<string, string>>): Record<string, string> {
  const inside: Record<string, string> = {};
  for (const [name, value] of Object.entries(caller)) {
    if (value !== undefined && !OF_THE_SESSION.includes(name)) inside[name] = value;
  }
  for (const [name, value] of Object.entries(seat)) {
    if (!(OF_THE_CALLER.test(name) && inside[name])) inside[name] = value;
  }
  return inside;
}

/** Lines for `eval`: only what differs, and never the marker, since the shell itself must outlive the desktop. */
export function exportLines(caller: Env, seat: Readonly<Record<string, string>>): string[] {
  const inside = insideSeat(caller, seat);
  const set = Object.keys(seat)
    .filter((name) => name !== MARKER && inside[name] === seat[name] && caller[name] !== seat[name])
    .sort()
    .map((name) => `export ${name}=${shellQuote(seat[name] ?? '')}`);
  const unset = OF_THE_SESSION.filter((name) => caller[name] !== undefined && !(name in seat)).map(
    (name) => `unset ${name}`,
  );
  return [...unset, ...set];
}

export function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
