// Which Debian packages are needed, which of them are missing, and how they get here.
import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { capture, giveUp, quietly } from './run.mjs';

/**
 * A private desktop, and the two apps of the demo. `a|b`: either will do, a is installed. Without one of that pair
 * apt would bring in systemd for a session bus.
 */
export const MINIMAL = [
  'xvfb',
  'openbox',
  'dbus',
  'dbus-x11|dbus-user-session',
  'at-spi2-core',
  'fonts-dejavu-core',
  'gnome-calculator',
  'mousepad',
];

/** What the tests read, run and compare with, too. */
export const FULL = [
  ...MINIMAL,
  'gtk-3-examples',
  'gtk-4-examples',
  'kcalc',
  'featherpad',
  'chromium',
  'firefox-esr',
  'libreoffice-writer',
  'libreoffice-calc',
  'libreoffice-gtk3',
  'python3-gi',
  'python3-gi-cairo',
  'python3-dbus',
  'gir1.2-gtk-3.0',
  'gir1.2-gtk-4.0',
  'python3-pyqt5',
  'python3-pyatspi',
  'xdotool',
  'xserver-xephyr',
  'x11-apps',
  'x11-utils',
  'x11-xserver-utils',
  'fonts-noto-color-emoji',
  'tmux',
  'zsh',
  'fish',
];

/** Apps of further toolkits, and what their fixtures are built with. */
export const APPS = [
  ...FULL,
  'zenity',
  'openjdk-17-jdk-headless',
  'openjdk-17-jre',
  'libatk-wrapper-java',
  'libatk-wrapper-java-jni',
  'libgail-common',
  'libatk-adaptor',
  'libgtk2.0-dev',
  'gcc',
  'python3-pyqt6',
  'python3-wxgtk4.0',
];

/** What the measurements compare with besides. */
export const BENCH = [...FULL, 'maim'];

/** Programs that stand for the list where there is no Debian to ask. */
const PROGRAMS = ['Xvfb', 'openbox', 'dbus-daemon', 'gnome-calculator', 'mousepad'];
const APT = ['-o', 'DPkg::Lock::Timeout=120', '-o', 'Acquire::Retries=3'];
const INSTALL = ['install', '-y', '--no-install-recommends'];

export async function missingPackages(wanted) {
  const names = wanted.flatMap((entry) => entry.split('|'));
  const { stdout } = await capture('dpkg-query', ['-W', '-f', '${db:Status-Status} ${Package}\n', ...names]);
  const there = new Set(
    stdout
      .split('\n')
      .filter((line) => line.startsWith('installed '))
      .map((line) => line.slice('installed '.length)),
  );
  return wanted
    .filter((entry) => !entry.split('|').some((name) => there.has(name)))
    .map((entry) => entry.split('|')[0]);
}

/** Packages with all that they need, and bytes to fetch; undefined when apt does not know them (yet). */
export async function downloadOf(packages) {
  const args = [...INSTALL, '--print-uris', '-qq', '-o', 'Debug::NoLocking=1', ...packages];
  const { code, stdout } = await capture('apt-get', args, { env: { ...process.env, LC_ALL: 'C' } });
  if (code !== 0) return undefined;
  const sizes = stdout.split('\n').map((line) => Number(/^'\S+' \S+ (\d+)/.exec(line)?.[1] ?? NaN));
  const known = sizes.filter((size) => !Number.isNaN(size));
  return { count: known.length, bytes: known.reduce((sum, size) => sum + size, 0) };
}

/** Installs what is missing of `wanted`, asking first on a person's machine. Does not come back without it. */
export async function ensurePackages(wanted) {
  const problem = await packagesProblem(wanted);
  if (problem !== undefined) giveUp(problem);
}

/** Installs what is missing of `wanted`, as `ensurePackages`. Returns why it could not, or nothing. */
export async function packagesProblem(wanted) {
  try {
    await installMissing(wanted);
    return undefined;
  } catch (error) {
    if (error instanceof CannotInstall) return error.message;
    throw error;
  }
}

class CannotInstall extends Error {}

async function installMissing(wanted) {
  if (!isThere('apt-get') || !isThere('dpkg-query')) return ensureWithoutApt(wanted);
  const missing = await missingPackages(wanted);
  if (missing.length === 0) return;
  const isRoot = process.getuid() === 0;
  const line = [...(isRoot ? [] : ['sudo']), 'apt-get', ...INSTALL, ...missing].join(' ');
  const download = await downloadOf(missing);
  const plan = { packages: missing, mustUpdate: download === undefined, line };
  console.log(`  needs   ${shortList(missing)}${sizeOf(download)}`);
  if (isRoot) return install({ ...plan, prefix: [] });
  const nobodyToAsk = isContainer() || Boolean(process.env.CI);
  if (nobodyToAsk && (await capture('sudo', ['-n', 'true'])).code === 0) {
    return install({ ...plan, prefix: ['sudo', '-n'] });
  }
  console.log(`          ${line}`);
  if (!process.stdin.isTTY) throw new CannotInstall('  Nobody to ask here: type that line, then start again.');
  const prompt = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await prompt.question('  install them now? [y/N] ');
  prompt.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new CannotInstall('  Nothing installed.');
  return install({ ...plan, prefix: ['sudo'] });
}

async function install({ packages, mustUpdate, line, prefix }) {
  const apt = async (title, args) => {
    const [command, ...rest] = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...APT, ...args];
    return quietly(title, command, rest);
  };
  if (mustUpdate && !(await apt('package lists', ['update'])))
    throw new CannotInstall('  The package lists could not be fetched.');
  if (await apt('packages', [...INSTALL, ...packages])) return;
  // Lists that are out of date name files that the mirror no longer has.
  const again =
    !mustUpdate && (await apt('package lists', ['update'])) && (await apt('packages', [...INSTALL, ...packages]));
  if (!again) throw new CannotInstall(`  Install them by hand, then start again: ${line}`);
}

function ensureWithoutApt(wanted) {
  const missing = PROGRAMS.filter((program) => !isThere(program));
  const atSpi = ['/usr/share', '/usr/local/share', '/run/current-system/sw/share'];
  if (!atSpi.some((dir) => existsSync(`${dir}/dbus-1/services/org.a11y.Bus.service`))) missing.push('at-spi2-core');
  if (missing.length === 0 && wanted.length <= MINIMAL.length) return;
  if (missing.length === 0)
    return console.log('  note    no apt-get here: tests of apps that are not installed will fail');
  throw new CannotInstall(
    `  needs   ${missing.join(' ')}\n  There is no apt-get here: install them with your own package manager, then start again.`,
  );
}

const SHOWN = 6;
const shortList = (names) => names.slice(0, SHOWN).join(' ') + (names.length > SHOWN ? ' …' : '');

function sizeOf(download) {
  if (!download) return ' (size not known before apt-get update)';
  return ` (${download.count} packages, ${Math.ceil(download.bytes / 1e6)} MB)`;
}

function isContainer() {
  return existsSync('/.dockerenv') || existsSync('/run/.containerenv') || Boolean(process.env.container);
}

function isThere(program) {
  return (process.env.PATH ?? '').split(':').some((dir) => {
    try {
      accessSync(join(dir, program), constants.X_OK);
      return true;
    } catch {
      return false; // Not in this folder.
    }
  });
}
