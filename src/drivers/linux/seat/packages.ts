/** Which Debian package has a program. Only names where guessing would not do, and those people start here. */
const PACKAGES: Readonly<Record<string, string>> = {
  Xvfb: 'xvfb',
  Xephyr: 'xserver-xephyr',
  openbox: 'openbox',
  'dbus-daemon': 'dbus',
  'at-spi-bus-launcher': 'at-spi2-core',
  xkbcomp: 'x11-xkb-utils',
  'gnome-calculator': 'gnome-calculator',
  'gnome-text-editor': 'gnome-text-editor',
  gedit: 'gedit',
  nautilus: 'nautilus',
  mousepad: 'mousepad',
  thunar: 'thunar',
  kcalc: 'kcalc',
  kate: 'kate',
  dolphin: 'dolphin',
  featherpad: 'featherpad',
  'gtk3-demo': 'gtk-3-examples',
  'gtk3-widget-factory': 'gtk-3-examples',
  'gtk4-demo': 'gtk-4-examples',
  'gtk4-widget-factory': 'gtk-4-examples',
  chromium: 'chromium',
  firefox: 'firefox-esr',
  'firefox-esr': 'firefox-esr',
  soffice: 'libreoffice',
  libreoffice: 'libreoffice',
  lowriter: 'libreoffice-writer',
  localc: 'libreoffice-calc',
  loimpress: 'libreoffice-impress',
  lodraw: 'libreoffice-draw',
  gimp: 'gimp',
  inkscape: 'inkscape',
  evince: 'evince',
  xterm: 'xterm',
  'x-terminal-emulator': 'xterm',
  xclock: 'x11-apps',
  xeyes: 'x11-apps',
  xcalc: 'x11-apps',
  xprop: 'x11-utils',
  xwininfo: 'x11-utils',
  xdpyinfo: 'x11-utils',
  xev: 'x11-utils',
  xrandr: 'x11-xserver-utils',
  xset: 'x11-xserver-utils',
  xdotool: 'xdotool',
  'dbus-send': 'dbus-bin',
  python3: 'python3',
  java: 'default-jre',
};

export function packageOf(program: string): string | undefined {
  return Object.hasOwn(PACKAGES, program) ? PACKAGES[program] : undefined;
}

/** The exact line to type. */
export function installLine(packages: readonly string[]): string {
  const sudo = process.getuid?.() === 0 ? '' : 'sudo ';
  return `${sudo}apt-get install -y --no-install-recommends ${packages.join(' ')}`;
}
