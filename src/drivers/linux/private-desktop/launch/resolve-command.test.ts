// @module-tag safety
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
});
afterAll(() => rmSync(folder, { recursive: true }));

const start = (command: string, ...args: string[]) =>
  resolveCommand(command, args, {
    ...{ path: folder, cwd: folder },
    apps: {
      has: (path) => /\/(editor|app-script|chromium|soffice)$/.test(path),
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

it('returns undefined if there is no program', () => {
  expect(start('no-such-program', 'bash')).toBeUndefined();
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

it('stops after a limited number of words', () => {
  const many = Array.from({ length: 600 }, (_, at) => `w${at}`);
  expect(start('setsid', ...many, 'bash')?.runs).toEqual([]);
});
