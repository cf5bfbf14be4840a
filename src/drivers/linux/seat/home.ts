import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Files that keep toolkits still and quiet: nothing moves by itself, nothing asks at first start. */
const FILES: Readonly<Record<string, string>> = {
  '.config/gtk-3.0/settings.ini': gtkSettings(),
  '.config/gtk-4.0/settings.ini': gtkSettings(),
  '.config/kdeglobals': '[KDE]\nAnimationDurationFactor=0\n',
  '.config/Trolltech.conf': '[Qt]\ncursorFlashTime=0\nGUIEffects=none\n',
  // GSettings in a file: no daemon, and written before the first app reads it.
  '.config/glib-2.0/settings/keyfile': [
    '[org/gnome/desktop/interface]',
    'toolkit-accessibility=true',
    'enable-animations=false',
    'cursor-blink=false',
    '[org/gnome/desktop/privacy]',
    'remember-recent-files=false',
    '[org/gnome/calculator]',
    'refresh-interval=0', // No currency rates from the network.
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

/** `homeDir` exists and is empty but for our tag. */
export function furnishHome(homeDir: string): void {
  for (const folder of FOLDERS) mkdirSync(join(homeDir, folder), { recursive: true, mode: 0o700 });
  for (const [name, text] of Object.entries(FILES)) {
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
