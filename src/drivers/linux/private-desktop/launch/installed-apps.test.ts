import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { programOfEntry, InstalledApps } from './installed-apps.js';

const entry = (...lines: string[]): string => ['[Desktop Entry]', 'Type=Application', ...lines].join('\n');

it.each<[string, string, string | undefined]>([
  ['an app', entry('Exec=mousepad %U'), 'mousepad'],
  ['spaces around', entry('Exec = mousepad %U'), 'mousepad'],
  ['comments before', `# ours\n${entry('Exec=a')}`, 'a'],
  ['a path in quotes', entry('Exec="/opt/My \\"App\\"/run" %f'), '/opt/My "App"/run'],
  ['through env', entry('Exec=env A=b C=d app --x'), 'app'],
  ['through env by its path', entry('Exec=/usr/bin/env app'), 'app'],
  ['env alone', entry('Exec=env A=b'), undefined],
  ['not in menus', entry('NoDisplay=true', 'Exec=a'), 'a'],
  ['in a terminal', entry('Terminal=true', 'Exec=vim %F'), undefined],
  ['not in a terminal', entry('Terminal=false', 'Exec=a'), 'a'],
  ['a terminal', entry('Categories=System;TerminalEmulator;', 'Exec=term'), undefined],
  ['of another category', entry('Categories=System;NotTerminalEmulator;', 'Exec=a'), 'a'],
  ['taken away', entry('Hidden=true', 'Exec=a'), undefined],
  ['a link', '[Desktop Entry]\nType=Link\nExec=a', undefined],
  ['no command', entry('Name=A'), undefined],
  ['an action of the entry', entry('Name=A', '[Desktop Action x]', 'Exec=bash'), undefined],
  ['nothing', '', undefined],
  ['a group with another name', '[Other]\nType=Application\nExec=a', undefined],
])('finds the program of an entry: %s', (_, text, command) => {
  expect(programOfEntry(text)).toBe(command);
});

let room: string;
beforeEach(() => {
  room = realpathSync(mkdtempSync(join(tmpdir(), 'dp-apps-')));
  for (const folder of ['bin', 'apps', 'apps/kde']) mkdirSync(join(room, folder));
  for (const name of ['real', 'other', 'later']) {
    writeFileSync(join(room, 'bin', name), '\x7fELF');
    chmodSync(join(room, 'bin', name), 0o755);
  }
  symlinkSync(join(room, 'bin', 'real'), join(room, 'bin', 'link'));
});
afterEach(() => rmSync(room, { recursive: true }));

it('has the real path of the program of each entry, also from subfolders and entries added later', () => {
  writeFileSync(join(room, 'apps', 'a.desktop'), entry('Exec=link %U'));
  writeFileSync(join(room, 'apps', 'kde', 'b.desktop'), entry('Exec=other'));
  writeFileSync(join(room, 'apps', 'c.desktop'), entry('Exec=not-there'));
  writeFileSync(join(room, 'apps', 'readme'), entry('Exec=later'));
  symlinkSync('/no/such/file', join(room, 'apps', 'd.desktop'));
  const apps = new InstalledApps([join(room, 'apps'), join(room, 'none')], join(room, 'bin'));
  const has = (name: string): boolean => apps.has(join(room, 'bin', name));
  expect(['real', 'link', 'other', 'later'].map(has)).toEqual([true, false, true, false]);
  writeFileSync(join(room, 'apps', 'e.desktop'), entry('Exec=later'));
  utimesSync(join(room, 'apps'), 1, 1);
  expect(has('later')).toBe(true);
});

it.each([
  ['of its only entry', ['MimeType=text/html;x-scheme-handler/https;'], true],
  ['of its first entry', ['MimeType=x-scheme-handler/http', 'MimeType=text/plain;'], true],
  ['of its last entry', ['Name=A', 'MimeType=text/plain;x-scheme-handler/https'], true],
  ['of none', ['MimeType=x-scheme-handler/mailto;', 'Comment=x-scheme-handler/https'], false],
])('an app opens web addresses by the types %s', (_, lines, opens) => {
  lines.forEach((line, at) => writeFileSync(join(room, 'apps', `${at}.desktop`), entry('Exec=real', line)));
  writeFileSync(join(room, 'apps', 'web.desktop'), entry('Exec=other', 'MimeType=x-scheme-handler/http;'));
  const apps = new InstalledApps([join(room, 'apps')], join(room, 'bin'));
  expect(['real', 'later'].map((name) => apps.opensWeb(join(room, 'bin', name)))).toEqual([opens, false]);
});

it('does not read folders that the user can write to', () => {
  expect(new InstalledApps().has(join(room, 'bin', 'real'))).toBe(false);
});
