import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { busAddress, sessionRuntimeDir } from './services/bus.js';

/** Settings files that switch off animations, blinking cursors and first-start dialogs of the toolkits. */
const SETTINGS_FILES: Readonly<Record<string, string>> = {
  '.config/gtk-3.0/settings.ini': gtkSettings(),
  '.config/gtk-4.0/settings.ini': gtkSettings(),
  '.config/kdeglobals': '[KDE]\nAnimationDurationFactor=0\n',
  '.config/Trolltech.conf': '[Qt]\ncursorFlashTime=0\nGUIEffects=none\n',
  // GSettings in a key file: it needs no daemon, and it is written before the first app reads it.
  '.config/glib-2.0/settings/keyfile': [
    '[org/gnome/desktop/interface]',
    'toolkit-accessibility=true',
    'enable-animations=false',
    'cursor-blink=false',
    '[org/gnome/desktop/privacy]',
    'remember-recent-files=false',
    '[org/gnome/calculator]',
    'refresh-interval=0', // Do not download currency rates.
    '',
  ].join('\n'),
  '.config/user-dirs.dirs': [
    'XDG_DESKTOP_DIR="$HOME/Desktop"',
    'XDG_DOCUMENTS_DIR="$HOME/Documents"',
    'XDG_DOWNLOAD_DIR="$HOME/Downloads"',
    '',
  ].join('\n'),
  '.config/user-dirs.conf': 'enabled=False\n',
};

const FOLDERS = ['.cache', '.local/share', '.local/state', 'Desktop', 'Documents', 'Downloads'];

/** Expects that `homeDir` exists and contains only our tag. */
export function populateHome(homeDir: string): void {
  for (const folder of FOLDERS) mkdirSync(join(homeDir, folder), { recursive: true, mode: 0o700 });
  for (const [name, text] of Object.entries(SETTINGS_FILES)) {
    const file = join(homeDir, name);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, text, { mode: 0o600 });
  }
}

function gtkSettings(): string {
  return [
    '[Settings]',
    'gtk-enable-animations=0',
    'gtk-cursor-blink=0',
    'gtk-recent-files-enabled=0',
    'gtk-recent-files-max-age=0',
    'gtk-theme-name=Adwaita',
    'gtk-icon-theme-name=Adwaita',
    'gtk-font-name=Sans 10',
    '',
  ].join('\n');
}

/** Variables taken over from the caller: program search path, language, time zone. Never displays, buses or secrets. */
const INHERITED = /^(PATH|LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|COLORTERM|SHELL|USER|LOGNAME|XDG_DATA_DIRS|XDG_CONFIG_DIRS)$/;

export const MARKER = 'DESKPROOF_SEAT';

interface EnvironmentRequest {
  caller: Readonly<Record<string, string | undefined>>;
  id: string;
  name: string;
  display: number;
  runtimeDir: string;
  homeDir: string;
  tempDir: string;
  authFile: string;
  /** The directory with the sockets of the desktop hosts, for deskproof commands that run inside the desktop. */
  baseDir?: string;
  /** Variables for toolkits whose accessibility is a package of its own (`bridgeVariables`). */
  bridges?: Readonly<Record<string, string>>;
}

/** The complete environment of every program on the private desktop. */
export function desktopEnvironment(request: EnvironmentRequest): Record<string, string> {
  const { homeDir, runtimeDir } = request;
  return {
    ...inheritedVariables(request.caller),
    HOME: homeDir,
    TMPDIR: request.tempDir,
    DISPLAY: `:${request.display}`,
    XAUTHORITY: request.authFile,
    DBUS_SESSION_BUS_ADDRESS: busAddress(runtimeDir),
    XDG_RUNTIME_DIR: sessionRuntimeDir(runtimeDir),
    XDG_CONFIG_HOME: join(homeDir, '.config'),
    XDG_DATA_HOME: join(homeDir, '.local/share'),
    XDG_STATE_HOME: join(homeDir, '.local/state'),
    XDG_CACHE_HOME: join(homeDir, '.cache'),
    XDG_SESSION_TYPE: 'x11',
    XDG_CURRENT_DESKTOP: 'Deskproof',
    [MARKER]: request.id,
    DESKPROOF_DESKTOP: request.name,
    ...(request.baseDir === undefined ? {} : { DESKPROOF_RUNTIME: request.baseDir }),
    ...TOOLKIT_VARIABLES,
    ...request.bridges,
  };
}

/** Variables that switch on accessibility in apps. */
export const ACCESSIBILITY_VARIABLES: Readonly<Record<string, string>> = {
  QT_ACCESSIBILITY: '1',
  QT_LINUX_ACCESSIBILITY_ALWAYS_ON: '1',
  QTWEBENGINE_CHROMIUM_FLAGS: '--force-renderer-accessibility',
  // For Firefox, and for Chromium and Electron apps that `launch` did not start.
  GNOME_ACCESSIBILITY: '1',
  ACCESSIBILITY_ENABLED: '1',
};

/** Variables that make toolkits draw on this display, start quickly and expose accessibility. */
const TOOLKIT_VARIABLES: Readonly<Record<string, string>> = {
  GDK_BACKEND: 'x11',
  // With GL, GTK4 needs more than 10 s for its first window on a display without a graphics card.
  GSK_RENDERER: 'cairo',
  GSETTINGS_BACKEND: 'keyfile',
  GTK_USE_PORTAL: '0',
  // Otherwise the user's file-system daemons would mount file systems in our runtime directory.
  GIO_USE_VFS: 'local',
  GVFS_DISABLE_FUSE: '1',
  XMODIFIERS: '@im=none',
  QT_QPA_PLATFORM: 'xcb',
  SAL_USE_VCLPLUGIN: 'gtk3',
  MOZ_ENABLE_WAYLAND: '0',
  ELECTRON_OZONE_PLATFORM_HINT: 'x11',
  ...ACCESSIBILITY_VARIABLES,
};

export const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games';

function inheritedVariables(caller: EnvironmentRequest['caller']): Record<string, string> {
  const kept: Record<string, string> = { PATH: DEFAULT_PATH };
  for (const [name, value] of Object.entries(caller)) if (value && INHERITED.test(name)) kept[name] = value;
  // In the C locale toolkits replace every character outside ASCII with a question mark.
  const isPlain = (value: string | undefined): boolean => value === undefined || value === 'C' || value === 'POSIX';
  if (isPlain(kept.LANG)) kept.LANG = 'C.UTF-8';
  for (const name of ['LC_ALL', 'LC_CTYPE']) if (name in kept && isPlain(kept[name])) delete kept[name];
  return kept;
}
