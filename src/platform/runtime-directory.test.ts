// @module-tag safety
import {
  chmodSync,
  chownSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkPrivateDirectory, desktopPaths, makePrivateDirectory, runtimeBase } from './runtime-directory.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dp-dir-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const uid = process.getuid?.() ?? -1;

describe('runtimeBase', () => {
  it('is the variable, then the session directory, then the temporary one', () => {
    const xdg = join(root, 'xdg');
    mkdirSync(xdg, { mode: 0o700 });
    expect(runtimeBase({ DESKPROOF_RUNTIME: '/a/b/', XDG_RUNTIME_DIR: xdg })).toBe('/a/b');
    expect(runtimeBase({ XDG_RUNTIME_DIR: xdg, TMPDIR: root })).toBe(join(xdg, 'deskproof'));
    expect(runtimeBase({ TMPDIR: root })).toBe(join(root, `deskproof-${uid}`));
  });

  it.each([
    ['a directory that is not there', () => join(root, 'nowhere')],
    ['a relative path', () => 'xdg'],
    ['a link', () => (symlinkSync(root, join(root, 'link')), join(root, 'link'))],
  ])('ignores XDG_RUNTIME_DIR if it is %s', (_, make) => {
    expect(runtimeBase({ XDG_RUNTIME_DIR: make(), TMPDIR: root })).toBe(join(root, `deskproof-${uid}`));
  });
});

describe('a runtime directory that is taken', () => {
  const usual = (): string => join(root, `deskproof-${uid}`);
  const env = (): Record<string, string> => ({ TMPDIR: root, HOME: join(root, 'home') });
  const fallback = (): string => join(root, 'home', '.cache', 'deskproof', 'run');

  it.each<[string, () => void]>([
    ['a link', () => symlinkSync('/etc', usual())],
    ['a dangling link', () => symlinkSync(join(root, 'nowhere'), usual())],
    ['a file', () => writeFileSync(usual(), '')],
    // Only root can create a directory that belongs to another user.
    ...(uid === 0
      ? [
          [
            'a directory of another user',
            () => {
              mkdirSync(usual(), { mode: 0o777 });
              chownSync(usual(), 65534, 65534);
            },
          ] as [string, () => void],
        ]
      : []),
  ])('by %s falls back to a private one in the cache', (_, take) => {
    take();
    expect(runtimeBase(env())).toBe(fallback());
    expect(runtimeBase({ ...env(), XDG_CACHE_HOME: join(root, 'c') })).toBe(join(root, 'c', 'deskproof', 'run'));
    makePrivateDirectory(runtimeBase(env()));
    expect(lstatSync(fallback()).mode & 0o777).toBe(0o700);
    checkPrivateDirectory(runtimeBase(env()));
  });

  it('the fallback is checked as well', () => {
    symlinkSync('/etc', usual());
    mkdirSync(join(root, 'home', '.cache', 'deskproof'), { recursive: true });
    symlinkSync('/etc', fallback());
    expect(() => makePrivateDirectory(runtimeBase(env()))).toThrow(/symbolic link/);
  });

  it('stays in the fallback while a host is there, also when the other directory disappears', () => {
    symlinkSync('/etc', usual());
    makePrivateDirectory(join(fallback(), 'work'));
    rmSync(usual());
    expect(runtimeBase(env())).toBe(fallback());
    rmSync(join(fallback(), 'work'), { recursive: true });
    expect(runtimeBase(env())).toBe(usual());
  });

  it('does not replace the own directory that is open to others, nor one that the user named', () => {
    mkdirSync(usual());
    chmodSync(usual(), 0o755);
    expect(runtimeBase(env())).toBe(usual());
    symlinkSync('/etc', join(root, 'named'));
    expect(runtimeBase({ ...env(), DESKPROOF_RUNTIME: join(root, 'named') })).toBe(join(root, 'named'));
  });
});

describe('checkPrivateDirectory', () => {
  it('accepts what makePrivateDirectory created, with any umask', () => {
    const before = process.umask(0);
    try {
      makePrivateDirectory(join(root, 'a', 'b'));
    } finally {
      process.umask(before);
    }
    expect(lstatSync(join(root, 'a', 'b')).mode & 0o777).toBe(0o700);
    makePrivateDirectory(join(root, 'a', 'b'));
  });

  const wrong: [string, RegExp, (path: string) => void][] = [
    ['missing', /is not there/, () => undefined],
    ['a file', /not a directory/, (path) => writeFileSync(path, '')],
    [
      'a link to a good directory',
      /symbolic link/,
      (path) => (mkdirSync(`${path}2`, { mode: 0o700 }), symlinkSync(`${path}2`, path)),
    ],
    ['readable by the group', /open to other users/, (path) => (mkdirSync(path), chmodSync(path, 0o750))],
    ['open to all users', /open to other users/, (path) => (mkdirSync(path), chmodSync(path, 0o777))],
  ];
  it.each(wrong)('refuses one that is %s', (_, message, make) => {
    const path = join(root, 'dir');
    make(path);
    expect(() => checkPrivateDirectory(path)).toThrow(message);
    if (lstatOrNot(path)) expect(() => makePrivateDirectory(path)).toThrow(message);
  });

  it('refuses one where all users may rename it, but not below /tmp', () => {
    const open = join(root, 'open');
    mkdirSync(join(open, 'dir'), { recursive: true, mode: 0o700 });
    chmodSync(open, 0o777);
    expect(() => makePrivateDirectory(join(open, 'dir'))).toThrow(/other users can exchange/);
    chmodSync(open, 0o1777);
    makePrivateDirectory(join(open, 'dir'));
  });

  it('accepts one that is reached by a link to a directory, if that directory is safe', () => {
    mkdirSync(join(root, 'real'), { mode: 0o755 });
    symlinkSync(join(root, 'real'), join(root, 'link'));
    makePrivateDirectory(join(root, 'link', 'dir'));
    chmodSync(join(root, 'real'), 0o777);
    expect(() => makePrivateDirectory(join(root, 'link', 'dir'))).toThrow(/other users can exchange/);
    chmodSync(join(root, 'real'), 0o755);
    if (uid !== 0) return;
    lchownSync(join(root, 'link'), 65534, 65534);
    expect(() => makePrivateDirectory(join(root, 'link', 'dir'))).toThrow(/other users can exchange/);
  });

  // Only root can create a directory that belongs to another user.
  it.runIf(uid === 0)('refuses one that belongs to another user', () => {
    const path = join(root, 'dir');
    mkdirSync(path, { mode: 0o700 });
    chownSync(path, 65534, 65534);
    expect(() => makePrivateDirectory(path)).toThrow(/another user/);
  });
});

describe('desktopPaths', () => {
  it('fails if the path of a socket would be too long', () => {
    expect(() => desktopPaths(`/tmp/${'x'.repeat(80)}`, 'desk-1234')).toThrow(/too long for sockets/);
    expect(desktopPaths('/run/user/1000/deskproof', 'desk-1234').socket).toBe(
      '/run/user/1000/deskproof/desk-1234/host.sock',
    );
  });
});

function lstatOrNot(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
