// @module-tag safety
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { isHarmless, leavesDesktop, runsOtherCode } from './argument-risk.js';
import { resolveCommand } from './resolve-command.js';

let folder: string;
const file = (name: string, text: string): void => {
  writeFileSync(join(folder, name), text);
  chmodSync(join(folder, name), 0o755);
};

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'dp-start-')));
  for (const binary of ['bash', 'perl', 'setsid', 'env', 'editor']) file(binary, '\x7fELF');
  file('script', `#!${folder}/bash -e\nexit\n`);
  file('by-env', `#! ${folder}/env perl\n`);
  file('by-env-split', `#!${folder}/env -S A=b perl -w\n`);
  file('by-env-glued', `#!${folder}/env -Sperl -w\n`);
  file('by-script', `#!${folder}/script\n`);
  file('by-itself', `#!${folder}/by-itself\n`);
  file('by-setsid', `#!${folder}/setsid script\n`);
  file('by-long', `#!${folder}/env -S --x=perl -i A=b bash\n`);
  file('binary', '# bash\n');
  file('by-nothing', '#!\n');
  file('by-what-is-not-there', '#!/no/such/thing\n');
  for (const app of ['app-script', 'chromium', 'soffice']) file(app, `#!${folder}/bash\n`);
  symlinkSync(join(folder, 'bash'), join(folder, 'sh'));
  const documents = ['notes.txt', 'naïve – notes 日本.txt', 'letter.odt', 'sums.ods', 'talk.odp', 'page.html'];
  for (const name of documents) writeFileSync(join(folder, name), 'text');
  for (const name of ['evil.desktop', 'evil.py', 'evil.jar', 'evil.docm', 'lib.so.1', '.bashrc'])
    writeFileSync(join(folder, name), 'text');
  writeFileSync(join(folder, 'script.txt'), '#!/bin/sh\n');
  writeFileSync(join(folder, 'entry.txt'), '\n[Desktop Entry]\nExec=sh\n');
  symlinkSync(join(folder, 'script'), join(folder, 'link.txt'));
  mkdirSync(join(folder, '.deskproof'));
  writeFileSync(join(folder, '.deskproof', 'policy.txt'), 'text');
  // Documents with the names of a display and of code.
  for (const name of [':1', 'macro:x', 'macro:x=y']) writeFileSync(join(folder, name), 'text');
  vi.stubEnv('XDG_CONFIG_HOME', join(folder, 'config'));
  vi.stubEnv('XDG_DATA_HOME', join(folder, 'data'));
  mkdirSync(join(folder, 'data'));
  mkdirSync(join(folder, 'empty'));
  writeFileSync(join(folder, 'marked.txt'), '\ufeff#!/bin/sh\n');
  symlinkSync(join(folder, 'far'), join(folder, 'data', 'deskproof'));
  for (let n = 0; n < 30; n++) file(`chain-${n}`, `#!${folder}/chain-${n + 1}\n`);
  mkdirSync(join(folder, 'config', 'deskproof'), { recursive: true });
  writeFileSync(join(folder, 'config', 'deskproof', 'notes.txt'), 'text');
  writeFileSync(join(folder, 'config', 'deskproof.txt'), 'text');
  mkdirSync(join(folder, 'far', 'away'), { recursive: true });
  symlinkSync(join(folder, 'far', 'away'), join(folder, 'near'));
  file('far/editor', '\x7fELF');
  writeFileSync(join(folder, 'far', 'notes.txt'), '#!/bin/sh\n');
  symlinkSync(join(folder, 'config', 'deskproof'), join(folder, 'ours'));
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const start = (command: string, ...args: string[]) =>
  resolveCommand(command, args, {
    ...{ path: folder, cwd: folder },
    apps: {
      has: (path) => /\/(editor|app-script|chromium|soffice)$/.test(path) && !path.includes('/far/'),
      opensWeb: (path) => path.endsWith('/chromium'),
    },
  });

describe('programs that it also runs', () => {
  it.each<[string, string, string[], string[]]>([
    ['a program', 'bash', [], []],
    ['a symbolic link', 'sh', [], []],
    ['a script', 'script', [], ['bash']],
    ['a path relative to the working directory', './script', [], ['bash']],
    ['through env', 'by-env', [], ['env', 'perl']],
    ['through env, as one word', 'by-env-split', [], ['env', 'perl']],
    ['through env, without a space', 'by-env-glued', [], ['env', 'perl']],
    ['a script run by a script', 'by-script', [], ['script', 'bash']],
    ['a script run by a program that starts another', 'by-setsid', [], ['setsid', 'script', 'bash']],
    ['a program in an option of the interpreter', 'by-long', [], ['env', 'perl', 'bash']],
    ['a program that is no script', 'binary', [], []],
    ['a script run by itself', 'by-itself', [], []],
    ['an empty first line', 'by-nothing', [], []],
    ['a missing interpreter', 'by-what-is-not-there', [], []],
    ['a word', 'setsid', ['-f', 'bash', '-c', 'id'], ['bash']],
    ['a word inside another', 'setsid', ['system("perl -e 1")'], ['perl']],
    ['the path of a program', 'setsid', ['./sh'], ['bash']],
    ['a script among the arguments', 'setsid', ['by-env'], ['by-env', 'env', 'perl']],
    ['arguments that name no program', 'setsid', ['report.txt', '', '--', '-x', 'a\0b'], []],
    ['files as arguments of an app', 'editor', ['bash', './script'], []],
    ['an app that is a script', 'app-script', ['perl'], ['bash']],
    ["an app's option with a command", 'editor', ['--renderer-cmd-prefix=perl -e 1'], ['perl']],
    ["an app's option before a command", 'editor', ['--exec', 'setsid bash'], ['bash', 'setsid']],
    ["an app's short option before a command", 'editor', ['-e', 'perl'], ['perl']],
    ["an app's option with the path of a program", 'editor', ['--plugin=./by-env'], ['by-env', 'env', 'perl']],
    [
      "an app's option with a word",
      'editor',
      ['--level=perl', '--tab', 'bash', '--exec=', './script'],
      ['script', 'bash'],
    ],
    ["an argument after an app's option with a value", 'editor', ['--exec=editor', 'perl'], []],
  ])('%s', (_, command, args, runs) => {
    expect(start(command, ...args)?.runs.sort()).toEqual(runs.map((name) => join(folder, name)).sort());
  });
});

it.each<[string, string, boolean, ...string[]]>([
  ['editor', 'editor', true],
  ['editor', 'editor', true, 'notes.txt', '--new-window', '--version'],
  ...['missing.txt', '.', 'script', './script.txt', 'link.txt', 'entry.txt', 'evil.desktop', 'evil.py', 'evil.jar'].map(
    (word): [string, string, boolean, string] => ['editor', 'editor', false, word],
  ),
  ...['evil.docm', 'lib.so.1', '.bashrc', '.deskproof/policy.txt', 'https://example.org/', 'file:///etc/passwd'].map(
    (word): [string, string, boolean, string] => ['editor', 'editor', false, word],
  ),
  ['editor', 'editor', false, '--unknown-option'],
  ['sh', 'bash', false],
  ['./script', 'script', false],
  ['editor', 'editor', false, './script', '--level=perl', '--folder=/tmp'],
  ['editor', 'editor', false, '--exec=editor'],
  ['editor', 'editor', false, '--exec=editor bash'],
  ['editor', 'editor', false, '--exec=chromium --debug'],
  ['editor', 'editor', false, '--exec', 'editor', '--exec', 'chromium --debug'],
  ['editor', 'editor', false, '--renderer-cmd-prefix=editor'],
  ['editor', 'editor', false, '--gpu-launcher=editor'],
  ['editor', 'editor', false, '--utility-cmd-prefix', 'x'],
  ['editor', 'editor', false, '--browser-subprocess-path=/tmp/not-yet-there'],
  ['editor', 'editor', false, '-browser-subprocess-path=/tmp/not-yet-there'],
  ['editor', 'editor', false, '--valgrind'],
  ['editor', 'editor', false, '--gdb-command=x'],
  ['editor', 'editor', false, '--jsdebugger'],
  ['editor', 'editor', false, '--inspect-brk=9229'],
  ['editor', 'editor', false, '--remote-debugging-port=9222'],
  ['editor', 'editor', false, '--debug', '--recorder=x', '--performance'],
  ['editor', 'editor', false, `--plugin=./script`],
  ['editor', 'editor', false, '--gtk-module', 'canberra'],
  ['editor', 'editor', false, '--gtk-module=/tmp/x.so'],
  ['editor', 'editor', false, '-platformpluginpath', '/tmp/x'],
  ['editor', 'editor', false, '--script=/tmp/x.lua'],
  ['editor', 'editor', false, '--user-scripts', 'x.lua'],
  ['editor', 'editor', false, '--python-expr', 'import os'],
  ['editor', 'editor', false, '--batch-interpreter=python-fu-eval', '-b', 'x'],
  ['editor', 'editor', false, 'macro:///Standard.Module1.Main()'],
  ['editor', 'editor', false, 'vnd.sun.star.script:x?language=Basic'],
  ['editor', 'editor', false, '.uno:RunMacro'],
  ['editor', 'editor', false, 'slot:5500'],
  ['editor', 'editor', false, '--app=javascript:x'],
  ['editor', 'editor', false, 'about:blank\nshell id'],
  ['editor', 'editor', false, 'notes\r.txt'],
  ['editor', 'editor', false, 'notes\x1b.txt'],
  ['editor', 'editor', false, 'notes\u2028.txt'],
  ['editor', 'editor', true, 'naïve – notes 日本.txt'],
  ['editor', 'editor', false, '--no-script', '--description=batch', 'script', 'macros.txt'],
  ['editor', 'editor', false, '--display=:150'],
  ['editor', 'editor', false, '--display', ':150'],
  ['editor', 'editor', false, '-display', 'elsewhere:0'],
  ['editor', 'editor', false, '-disp', 'elsewhere:0'],
  ['editor', 'editor', false, '-d', ':0'],
  ['editor', 'editor', false, '-d', 'unix:0.0'],
  ['editor', 'editor', false, '--x11-display=:0'],
  ['editor', 'editor', false, '--Wayland-Display=wayland-0'],
  ['editor', 'editor', false, '-platform', 'vnc'],
  ['editor', 'editor', false, '--ozone-platform=wayland'],
  ['editor', 'editor', false, '--ozone-platform-hint=auto'],
  ['editor', 'editor', false, '--dbus-address', 'x'],
  ['editor', 'editor', false, '--session-bus=x'],
  ['editor', 'editor', false, '--at', 'unix:path=/run/user/1000/bus'],
  ['editor', 'editor', false, '--at=unixexec:path=/tmp/x'],
  ['editor', 'editor', false, '--no-display', '--display-mode=wide', '--disperse', '--platforms', '--business', 'a:1'],
  ['editor', 'editor', false, '-d', 'localhost:10.0'],
  ['editor', 'editor', false, 'localhost:3000', '127.0.0.1:8080', 'https://example.org/?at=:1'],
  ['editor', 'editor', false, '12:30.txt', 'http://localhost:8080', '--gapplication-service', '--bushy'],
  ['editor', 'editor', false, '--style', '/tmp/x.so.1'],
  ['editor', 'editor', false, '--load-extension=/tmp/x'],
  ['editor', 'editor', false, '--disable-extensions', '--no-plugins', '--sort=name', 'x.sortable', 'notes.so.txt'],
])('resolves %s to %s, installed app: %s, with %s', (command, program, installed, ...args) => {
  expect(start(command, ...args)).toMatchObject({ program: join(folder, program), installed });
});

it.each<[boolean, ...string[]]>(
  [
    [true],
    [true, 'LANG', 'LC_ALL', 'TZ', 'GTK_THEME', 'QT_SCALE_FACTOR'],
    ...['HOME', 'MY_DISPLAY', 'ENVIRONMENT', 'XDG_CONFIG_HOME', 'GIMP2_DIRECTORY'],
    ...['DISPLAY', 'WAYLAND_DISPLAY', 'WAYLAND_SOCKET', 'XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR'],
    ...['AT_SPI_BUS_ADDRESS', 'GDK_BACKEND', 'QT_QPA_PLATFORM', 'PATH', 'LD_PRELOAD', 'LD_LIBRARY_PATH', 'GTK_MODULES'],
    ...['QT_PLUGIN_PATH', 'GDK_PIXBUF_MODULE_FILE', 'PYTHONPATH', 'PERL5LIB', 'NODE_OPTIONS', 'BASH_ENV', 'ENV'],
  ].map((row) => (typeof row === 'string' ? [false, 'LANG', row] : row) as [boolean, ...string[]]),
)('is still an installed app: %s, if %s differs in its environment', (installed, ...changed) => {
  expect(start('editor', 'notes.txt')?.installed).toBe(true);
  const apps = { has: () => true, opensWeb: () => true };
  expect(resolveCommand('editor', [], { path: folder, cwd: folder, apps, changed })).toMatchObject({ installed });
});

describe('an app that is a script', () => {
  // A wrapper script can do anything with an unknown option: `--debug` of one starts a debugger with a command file.
  it.each<[string, boolean, ...string[]]>([
    ['chromium', true],
    ['chromium', true, 'https://example.org/', 'about:blank', 'page.html'],
    ['chromium', true, '--force-renderer-accessibility', '--no-sandbox', '--no-first-run', '--start-maximized'],
    ['chromium', true, '--window-size=900,900', '--window-position=0,0', '--user-data-dir=/tmp/x', '--new-window'],
    ['chromium', true, '--app=https://example.org', '--headless', '--incognito', '--', 'about:blank'],
    ['chromium', false, '--debug', 'about:blank'],
    ['chromium', false, '-g', 'about:blank'],
    ['chromium', false, 'about:blank', '--debug'],
    ['chromium', false, '--', '--debug'],
    ['chromium', false, '--renderer-cmd-prefix=chromium'],
    ['chromium', false, '--load-extension=/tmp/x'],
    ['chromium', false, '--log-file=/home/me/.profile'],
    ['chromium', false, '--app=javascript:x'],
    ['chromium', false, '--Debug'],
    ['chromium', false, '--norestore'],
    ['soffice', true, '--norestore', '--nologo', '--nofirststartwizard', '--writer', 'letter.odt'],
    ['soffice', true, '-calc', '--view', 'sums.ods', '--show', 'talk.odp'],
    ['soffice', false, '--strace'],
    ['soffice', false, '--backtrace'],
    ['soffice', false, '--valgrind'],
    ['soffice', false, '--record'],
    ['soffice', false, '--accept=socket,host=localhost,port=2002;urp;'],
    ['soffice', false, '-env:URE_BOOTSTRAP=file:///tmp/x'],
    ['soffice', false, '--writer=x'],
    ['soffice', false, '--headless', '--convert-to', 'txt', '.profile'],
    ['app-script', true, 'notes.txt', '--new-window'],
    ['app-script', false, '--debug'],
    ['app-script', false, '--app=https://example.org'],
    ['app-script', false, '-'],
  ])('%s is still an installed app: %s, with %s', (command, installed, ...args) => {
    expect(start(command, ...args)).toMatchObject({ program: join(folder, command), installed });
  });
});

describe('an app with arguments of a harmless kind', () => {
  it.each<[string, boolean, string, (inFolder: (name: string) => string) => string]>([
    ['a document', true, 'editor', () => 'page.html'],
    ['a document with the name of a display', false, 'editor', () => ':1'],
    ['a document with the name of code', false, 'editor', () => 'macro:x'],
    ['a document with the name of code and a value', false, 'editor', () => 'macro:x=y'],
    ['a device', false, 'editor', () => '/dev/null'],
    ['our configuration', false, 'editor', (at) => at('config/deskproof/notes.txt')],
    ['a file beside our configuration', true, 'editor', (at) => at('config/deskproof.txt')],
    ['a page with a line end', false, 'chromium', () => 'https://example.org/\nshell id'],
    ['another address', false, 'chromium', () => 'file:///etc/passwd'],
    ['a folder', true, 'chromium', () => '--user-data-dir=/tmp/x y/z'],
    ['a document beside a link, which may be another one', false, 'editor', () => 'near/../notes.txt'],
    ['a folder beside a link', false, 'chromium', (at) => `--user-data-dir=${at('near')}/../x`],
    ['a link to our configuration', false, 'chromium', (at) => `--user-data-dir=${at('ours')}`],
    ['a new folder in such a link', false, 'chromium', (at) => `--user-data-dir=${at('ours/new')}`],
    ['a relative folder', false, 'chromium', () => '--user-data-dir=x'],
    ['the folder of our configuration', false, 'chromium', (at) => `--user-data-dir=${at('config/deskproof')}`],
    ['our data, which is a link', false, 'chromium', (at) => `--user-data-dir=${at('data')}//deskproof`],
    ['a library', false, 'chromium', () => '--user-data-dir=/tmp/x.so'],
    ['code as a value', false, 'chromium', () => '--lang=javascript:x'],
    ['a file as a profile', false, 'chromium', (at) => `--user-data-dir=${at('editor')}`],
    ['a folder with files in it', false, 'chromium', (at) => `--user-data-dir=${at('')}`],
    ['an empty folder', true, 'chromium', (at) => `--user-data-dir=${at('empty')}`],
    ['a script behind a byte order mark', false, 'editor', () => 'marked.txt'],
    ['another app with arguments', false, 'chromium', (at) => `--user-data-dir=${at('editor')} x`],
    ['a program that is no app', false, 'chromium', (at) => `--user-data-dir=${at('bash')}`],
    ['a long path', false, 'chromium', () => `--user-data-dir=/${'x'.repeat(5_000)}`],
  ])('%s: still installed: %s', (_, installed, app, arg) => {
    expect(
      start(
        app,
        arg((name) => join(folder, name)),
      )?.installed,
    ).toBe(installed);
  });

  it('too many to inspect: no longer installed', () => {
    const many = Array.from({ length: 600 }, (_, at) => `--user-data-dir=/w/${at}`);
    expect(start('chromium', ...many)?.installed).toBe(false);
  });

  // Each of these lists must hold by itself: an option in a list of known ones may have such a name.
  it.each<[boolean, string]>([
    [true, '--gtk-module=x'],
    [true, '--python-expr=x'],
    [true, '--gpu-launcher=x'],
    [true, '--inspect'],
    [true, '--app=javascript:x'],
    [true, 'macro:x=y'],
    [true, '--style=/tmp/x.so.1'],
    [false, '--disable-extensions'],
    [false, 'notes.txt'],
  ])('runs other code: %s with %s', (runs, arg) => expect(runsOtherCode([arg], (one) => one.split('='))).toBe(runs));

  it.each<[boolean, string]>([
    [true, '--display=x'],
    [true, '--session-bus=x'],
    [true, '-d=:0'],
    [false, 'localhost:3000'],
  ])('leaves the desktop: %s with %s', (leaves, arg) => expect(leavesDesktop([arg])).toBe(leaves));

  it('a control character is not harmless, whatever the argument is', () => {
    const program = { path: '/usr/bin/chromium', realPath: '/usr/bin/chromium' };
    const harmless = (arg: string): boolean => isHarmless([arg], { program, cwd: folder, opensWeb: true });
    expect(['https://x/', 'https://x/\x1b'].map(harmless)).toEqual([true, false]);
  });
});

it('keeps no file open', () => {
  const count = (): number => readdirSync('/proc/self/fd').length;
  const before = count();
  for (let n = 0; n < 100; n++) start('app-script', 'notes.txt');
  expect(count()).toBeLessThan(before + 50);
});

it('returns undefined if there is no program', () => {
  expect(start('no-such-program', 'bash')).toBeUndefined();
  expect(start('notes.txt')).toBeUndefined();
});

it('finds a program as the system does, behind a link and one folder up', () => {
  const command = `${join(folder, 'near')}/../editor`;
  expect(start(command)).toMatchObject({ program: join(folder, 'far', 'editor'), installed: false });
  expect(start('/proc/self/../self/exe')?.program).toBe(realpathSync(process.execPath));
});

it.each<[string, boolean, string[]]>([
  ['many files that are not there', false, Array.from({ length: 600 }, (_, at) => `w${at}`)],
  ['many options', false, Array.from({ length: 600 }, (_, at) => `--file=/w/${at}`)],
  ['a long page', false, [`https://${'x'.repeat(5_000)}`]],
  ['a long option', false, [`--exec=${' '.repeat(5_000)}bash`]],
  ['a long command', false, ['--exec', `${' '.repeat(5_000)}bash`]],
])('an app with %s is still an installed app: %s', (_, installed, args) => {
  expect(start('editor', ...args)?.installed).toBe(installed);
});

it('follows a chain of scripts further than the system does, and not without end', () => {
  expect(start('chain-0')?.runs).toHaveLength(20);
});

it('stops after a limited number of words', () => {
  const many = Array.from({ length: 600 }, (_, at) => `w${at}`);
  expect(start('setsid', ...many, 'bash')?.runs).toEqual([]);
  const options = many.map((word) => `-${word}`);
  expect(start('setsid', ...options, 'bash')?.runs).toEqual([join(folder, 'bash')]);
});
