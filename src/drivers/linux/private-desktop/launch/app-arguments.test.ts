import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { detectAppKind, withAppArguments } from './app-arguments.js';

const folder = mkdtempSync(join(tmpdir(), 'dp-args-'));
afterAll(() => rmSync(folder, { recursive: true }));

function folderWith(file: string): string {
  const place = join(folder, `only-${file}`);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, file), '');
  return join(place, 'notes');
}

function engineFolder(...below: string[]): string {
  const place = join(folder, below.join('-'), 'app');
  mkdirSync(join(place, ...below), { recursive: true });
  for (const file of ['icudtl.dat', 'chrome_100_percent.pak']) writeFileSync(join(place, file), '');
  return join(place, ...below, 'notes');
}

const at = (path: string, realPath = path) => ({ path, realPath });

describe('kindOf', () => {
  test.each([
    [at('/usr/bin/chromium'), 'browser'],
    [at('/usr/bin/google-chrome-stable', '/opt/google/chrome/google-chrome'), 'browser'],
    [at('/usr/bin/x-www-browser', '/usr/bin/brave-browser'), 'browser'],
    [at('/usr/bin/code', '/usr/share/code/bin/code'), 'electron'],
    [at('/usr/bin/localc', '/usr/bin/localc'), 'office'],
    [at('/usr/bin/libreoffice', '/usr/lib/libreoffice/program/soffice'), 'office'],
    [at('/usr/bin/mousepad'), 'other'],
    [at('/usr/bin/chromium-notes'), 'other'],
    [at('/usr/bin/notes', engineFolder()), 'electron'],
    [at('/usr/bin/notes', engineFolder('bin')), 'electron'],
    [at('/usr/bin/notes', folderWith('icudtl.dat')), 'other'],
    [at('/usr/bin/notes', folderWith('chrome_100_percent.pak')), 'other'],
  ])('%o is %s', (program, kind) => {
    expect(detectAppKind(program)).toBe(kind);
  });
});

describe('withAppArguments', () => {
  const user = { isRoot: false, home: '/h' };
  const root = { isRoot: true, home: '/h' };

  test.each([
    [
      'makes a browser expose its pages and skip first-start questions',
      '/usr/bin/chromium',
      user,
      ['--force-renderer-accessibility', '--no-first-run', '--no-default-browser-check'],
      ['--no-sandbox'],
    ],
    ['starts a browser as root without a sandbox', '/usr/bin/chromium', root, ['--no-sandbox'], []],
    [
      'starts an Electron app as root without a sandbox',
      '/usr/bin/slack',
      root,
      ['--force-renderer-accessibility', '--no-sandbox'],
      ['--no-first-run', '--user-data-dir=/h/.config/slack'],
    ],
    ['gives VS Code as root a data directory', '/usr/bin/code', root, ['--user-data-dir=/h/.config/code'], []],
    [
      'leaves the data directory of VS Code as it is for other users',
      '/usr/bin/code',
      user,
      ['--password-store=basic'],
      ['--user-data-dir=/h/.config/code'],
    ],
    [
      "makes the user's own Electron app expose its elements and keep its password store",
      '/usr/bin/slack',
      { ...user, inUserSession: true },
      ['--force-renderer-accessibility'],
      ['--password-store=basic'],
    ],
    [
      'starts an office suite without splash screen and recovery',
      '/usr/bin/lowriter',
      user,
      ['--norestore', '--nologo'],
      ['--force-renderer-accessibility'],
    ],
    [
      "makes the user's own browser expose its pages and keep its password store",
      '/usr/bin/chromium',
      { ...user, inUserSession: true },
      ['--force-renderer-accessibility'],
      ['--password-store=basic', '--disable-background-networking'],
    ],
    [
      "lets the user's own office suite recover documents",
      '/usr/bin/lowriter',
      { ...user, inUserSession: true },
      [],
      ['--norestore', '--force-renderer-accessibility'],
    ],
    ['adds nothing for other apps', '/usr/bin/mousepad', root, [], ['--no-sandbox', '--force-renderer-accessibility']],
  ])('%s', (_, path, context, wanted, unwanted) => {
    const args = withAppArguments(at(path), ['file'], context);
    for (const one of wanted) expect(args).toContain(one);
    for (const one of unwanted) expect(args).not.toContain(one);
    expect(args.at(-1)).toBe('file');
  });

  test('does not repeat arguments that the caller gave', () => {
    const args = withAppArguments(at('/usr/bin/chromium'), ['--password-store=gnome', '--no-first-run'], user);
    expect(args.filter((arg) => arg.startsWith('--password-store'))).toEqual(['--password-store=gnome']);
    expect(args.filter((arg) => arg === '--no-first-run')).toHaveLength(1);
  });
});
