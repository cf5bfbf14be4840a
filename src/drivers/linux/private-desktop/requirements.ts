import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DesktopError } from '../../../shared/index.js';
import type { MissingPackages } from '../../contract/index.js';
import { DEFAULT_PATH } from './home.js';
import { findProgram } from './launch/find-program.js';
import { isolationProblem } from './services/isolation.js';
import { dataDirs } from './services/bus.js';

interface MissingProgram {
  program: string;
  package: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Required programs that are missing on this system; for `doctor`, `demo` and the error below. */
export function missingPrograms(options: { visible?: boolean; env?: Env } = {}): MissingProgram[] {
  const env = options.env ?? process.env;
  const programs = [options.visible ? 'Xephyr' : 'Xvfb', 'xkbcomp', 'openbox', 'dbus-daemon'];
  const missing = programs.filter((program) => !findProgram(program, env.PATH ?? DEFAULT_PATH));
  // The location of this program differs between systems; the bus finds it by this file.
  if (!dataDirs(env).some((dir) => existsSync(join(dir, 'dbus-1/services/org.a11y.Bus.service')))) {
    missing.push('at-spi-bus-launcher');
  }
  return missing.map((program) => ({ program, package: packageOf(program) ?? program }));
}

/** Packages that a private desktop and these programs in it need and that are not installed. */
export function missingPackages(programs: readonly string[], env: Env): MissingPackages {
  const absent = programs.filter((program) => !findProgram(program, env.PATH ?? ''));
  const packages = [
    ...missingPrograms({ env }).map((one) => one.package),
    ...absent.map((program) => packageOf(program) ?? program),
  ];
  const each = [...new Set(packages)];
  const exposed = isolationProblem();
  return { packages: each, install: installCommand(each), ...(exposed !== undefined && { exposed }) };
}

/** Reports everything that is missing in one error, with the command that installs it. */
export function requirePrograms(options: { visible?: boolean; env?: Env }): void {
  const missing = missingPrograms(options);
  if (missing.length === 0) return;
  const list = missing.map((entry) => `${entry.program} (package ${entry.package})`).join(', ');
  throw new DesktopError('driver_unavailable', `A private desktop needs ${list}.`, {
    hint: `Install: ${installCommand([...new Set(missing.map((entry) => entry.package))])}`,
    details: { missing },
  });
}

/**
 * The Debian package of a program. Lists only names that cannot be guessed, and programs that are often started here.
 */
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

/** The exact command to type. */
export function installCommand(packages: readonly string[]): string {
  const sudo = process.getuid?.() === 0 ? '' : 'sudo ';
  return `${sudo}apt-get install -y --no-install-recommends ${packages.join(' ')}`;
}
