import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { changedFiles, type Owned, ownerFault, policyPlaces, readPolicyFiles, readProjectFile } from './load.js';

let room: string;
beforeEach(() => {
  room = mkdtempSync(join(tmpdir(), 'deskproof-policy-'));
});
afterEach(() => rmSync(room, { recursive: true, force: true }));

const at = (name: string): string => join(room, name);
const write = (name: string, text = 'version: 1\n'): string => {
  writeFileSync(at(name), text, { mode: 0o600 });
  return at(name);
};
const places = () => ({ user: at('user.yaml'), project: at('project.yaml'), managed: at('managed.yaml') });
const read = (more: object = {}) => readPolicyFiles({ ...places(), ...more });

describe('readPolicyFiles', () => {
  it('returns nothing when no file exists', () => {
    expect(read()).toMatchObject({ files: {}, parsed: [] });
    expect(read().identities.map(({ state }) => state)).toEqual(['absent', 'absent', 'absent']);
  });

  it('reads the files that exist', () => {
    write('user.yaml', 'version: 1\nenabled: true\n');
    write('project.yaml', 'version: 1\nlimits: { actsPerMinute: 5 }\n');
    const { files } = read();
    expect([files.user?.enabled, files.project?.limits?.actsPerMinute, files.managed]).toEqual([true, 5, undefined]);
  });

  it('requires a file that the user named to exist', () => {
    expect(() => read({ userNamed: true })).toThrow(/cannot be read. The file does not exist/);
  });

  test.each<[string, (path: string) => void, RegExp]>([
    ['a directory', (path) => mkdirSync(path), /It is not a regular file/],
    ['a pipe, without waiting for it', (path) => execFileSync('mkfifo', [path]), /It is not a regular file/],
    ['bytes that are no text', (path) => writeFileSync(path, Buffer.from([0x76, 0xff, 0xfe])), /not UTF-8/],
    ['too much', (path) => writeFileSync(path, '#'.repeat(300_000)), /larger than 256 KB/],
    ['a link that leads round', (path) => symlinkSync(path, path), /cannot be opened/],
    ['a fault in it', (path) => writeFileSync(path, 'version: 1\nenabeld: true\n'), /line 2: Unknown field "enabeld"/],
  ])('refuses %s', (_, make, message) => {
    make(at('project.yaml'));
    expect(() => read()).toThrow(message);
  });

  it('refuses a user file that every user can write to', () => {
    chmodSync(write('user.yaml'), 0o666);
    expect(() => read()).toThrow(/is not trusted: every user can write to it/);
    chmodSync(at('user.yaml'), 0o644);
    expect(read().files.user).toEqual({ version: 1 });
  });

  it('refuses a managed file in a directory that others can write to, before parsing it', () => {
    write('managed.yaml', 'nonsense: true\n');
    expect(() => read()).toThrow(expect.objectContaining({ code: 'permission_missing' }));
    expect(() => read()).toThrow(/is not trusted: .*(does not belong to root|is writable by users other than root)/);
  });

  it('returns the paths of the files; the managed path is fixed', () => {
    const found = policyPlaces({ policyFile: '/x/p.yaml', startDirectory: '/projects/a' });
    expect(found).toMatchObject({ user: '/x/p.yaml', userNamed: true, project: '/projects/a/.deskproof/policy.yaml' });
    expect(policyPlaces().user).toMatch(/\.config.deskproof.policy\.yaml$/);
    if (process.platform === 'linux') expect(found.managed).toBe('/etc/deskproof/policy.yaml');
  });

  it('looks for the user policy below XDG_CONFIG_HOME, as docs/config.md says', () => {
    expect(policyPlaces({}, { HOME: '/h' }).user).toBe('/h/.config/deskproof/policy.yaml');
    const moved = policyPlaces({}, { HOME: '/h', XDG_CONFIG_HOME: at('config') });
    expect(moved).toEqual({ user: at('config/deskproof/policy.yaml'), managed: '/etc/deskproof/policy.yaml' });
    mkdirSync(at('config/deskproof'), { recursive: true });
    write('config/deskproof/policy.yaml', 'version: 1\nenabled: true\n');
    expect(readPolicyFiles(moved).files.user?.enabled).toBe(true);
  });

  describe('a policy file under the earlier name of the program', () => {
    const cases: ['user' | 'project' | 'managed', string, string][] = [
      ['user', '.config/deskwright', '.config/deskproof'],
      ['managed', 'etc/deskwright', 'etc/deskproof'],
      ['project', 'project/.deskwright', 'project/.deskproof'],
    ];
    it.each(cases)('is refused: %s', (tier, earlier, now) => {
      for (const directory of [earlier, now]) mkdirSync(at(directory), { recursive: true });
      const old = write(`${earlier}/policy.yaml`);
      const found = { ...places(), [tier]: at(`${now}/policy.yaml`) };
      const message = `The policy file ${old} belongs to an earlier name of this program. Move it to ${found[tier]}.`;
      expect(() => readPolicyFiles(found)).toThrow(expect.objectContaining({ code: 'bad_arguments', message }));
      if (tier === 'project') expect(() => readProjectFile(found.project)).toThrow(message);
    });

    it('does not matter beside one under the new name', () => {
      for (const directory of ['deskwright', 'deskproof']) {
        mkdirSync(at(directory));
        write(`${directory}/policy.yaml`, 'version: 1\nenabled: true\n');
      }
      expect(read({ user: at('deskproof/policy.yaml') }).files.user?.enabled).toBe(true);
    });
  });
});

describe('changedFiles', () => {
  const USER = 'version: 1\nenabled: true\n';
  const later = (path: string) => utimesSync(path, 2_000_000_000, 2_000_000_000);
  test.each<[string, () => void, string[]]>([
    ['nothing', () => undefined, []],
    ['rewritten', () => (write('user.yaml', USER), later(at('user.yaml'))), ['user.yaml']],
    ['longer', () => write('user.yaml', `${USER}#\n`), ['user.yaml']],
    ['another in its place', () => renameSync(write('other.yaml', USER), at('user.yaml')), ['user.yaml']],
    ['taken away', () => rmSync(at('user.yaml')), ['user.yaml']],
    ['one that was not there', () => write('project.yaml'), ['project.yaml']],
    ['a managed one', () => write('managed.yaml'), ['managed.yaml']],
    ['out of reach', () => (rmSync(at('user.yaml')), symlinkSync('user.yaml', at('user.yaml'))), ['user.yaml']],
  ])('%s', (_, change, changed) => {
    write('user.yaml', USER);
    const { identities } = read();
    change();
    expect(changedFiles(identities)).toEqual(changed.map(at));
  });
});

describe('ownership of the managed file', () => {
  const part = (path: string, mode: number, uid = 0, link = false): Owned => ({
    path,
    mode,
    uid,
    ...(link && { link }),
  });
  test.each<[string, Owned[], string | undefined]>([
    ['root alone', [part('/etc/d/p', 0o100644), part('/etc/d', 0o40755), part('/', 0o40755)], undefined],
    ['the file belongs to another', [part('/etc/d/p', 0o100644, 1000)], '/etc/d/p does not belong to root'],
    ['its group may write', [part('/etc/d/p', 0o100664)], '/etc/d/p is writable by users other than root'],
    ['everybody may write', [part('/etc/d/p', 0o100646)], '/etc/d/p is writable by users other than root'],
    [
      'a directory above belongs to another',
      [part('/etc/d/p', 0o100644), part('/etc/d', 0o40755, 5)],
      '/etc/d does not belong to root',
    ],
    ['a directory above is open', [part('/p', 0o100644), part('/', 0o41777)], '/ is writable by users other than root'],
    ['a link of root', [part('/p', 0o120777, 0, true)], undefined],
    ['a link of another', [part('/p', 0o120777, 1000, true)], '/p does not belong to root'],
  ])('%s', (_, parts, fault) => expect(ownerFault(parts)).toBe(fault));
});

describe('checks across files', () => {
  it('refuses a secret that two files define', async () => {
    const { checkAcrossFiles } = await import('./parse.js');
    const { parsePolicy } = await import('./parse.js');
    const yaml = 'version: 1\nsecrets: { pin: { env: PIN, into: { app: x } } }\n';
    const both = (['managed', 'user'] as const).map((tier) => parsePolicy(yaml, { tier, file: tier }));
    expect(() => checkAcrossFiles(both)).toThrow('user, line 1: The secret "pin" is already defined in managed.');
    expect(() => checkAcrossFiles(both.slice(1))).not.toThrow();
  });
});
