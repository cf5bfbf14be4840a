import { spawn, spawnSync } from 'node:child_process';
import { lstatSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { platform } from './current-platform.js';
import { linux } from './linux.js';
import { isDescendantProcess, waitForExit } from './processes.js';

describe('platform', () => {
  it.each<[NodeJS.Platform, string]>([
    ['darwin', 'macOS'],
    ['win32', 'Windows'],
    ['freebsd', 'freebsd'],
  ])('is not supported on %s, and the error names the OS', (os, name) => {
    expect(() => platform(os)).toThrow(
      expect.objectContaining({ code: 'not_supported', message: `Deskproof does not support ${name} yet.` }),
    );
  });

  it('is the Linux implementation on Linux', () => expect(platform('linux')).toBe(linux));
});

describe('processes', () => {
  const self = linux.identityOf(process.pid);

  it.each([0, -1, 1.5, Number.NaN])('pid %s does not run', (pid) => {
    expect(linux.isRunning({ ...self, pid })).toBe(false);
  });

  it('this process runs; another start time or boot does not match it', () => {
    expect(linux.isRunning(self)).toBe(true);
    expect(self.startTime).toBe(linux.startTimeOf(process.pid));
    expect(linux.isRunning({ ...self, startTime: '1' })).toBe(false);
    expect(linux.isRunning({ ...self, bootId: 'other' })).toBe(false);
  });

  it('a process that ended is not found', async () => {
    const { pid } = spawnSync('true');
    expect([linux.startTimeOf(pid), linux.parentOf(pid)]).toEqual([undefined, undefined]);
    expect(linux.identityOf(pid)).toMatchObject({ pid, startTime: '' });
    expect(await waitForExit({ ...self, pid }, 0)).toBe(true);
    expect(await waitForExit(self, 0)).toBe(false);
  });

  it('processor time and age, with what the process has started', async () => {
    expect(linux.activityOf(2 ** 30)).toBeUndefined();
    const child = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
    try {
      await expect.poll(() => linux.activityOf(child.pid!)?.cpuMs, { timeout: 20_000 }).toBeGreaterThan(50);
      const [own, parent] = [linux.activityOf(child.pid!)!, linux.activityOf(process.pid)!];
      expect([own.running, parent.running]).toEqual([true, true]);
      expect(parent.cpuMs).toBeGreaterThan(own.cpuMs);
      expect(parent.ageMs).toBeGreaterThan(own.ageMs);
      expect(own.ageMs).toBeGreaterThanOrEqual(-10);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('parents and children', () => {
    expect(linux.parentOf(process.pid)).toBe(process.ppid);
    expect(isDescendantProcess(process.pid, process.pid)).toBe(true);
    expect(isDescendantProcess(process.pid, process.ppid)).toBe(true);
    expect(isDescendantProcess(process.ppid, process.pid)).toBe(false);
    expect(isDescendantProcess(0, 0)).toBe(false);
  });
});

describe('directories', () => {
  it('follow the XDG variables', () => {
    const env = { HOME: '/h', XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d', XDG_STATE_HOME: '/s' };
    expect(linux.configDirectory(env)).toBe('/c/deskproof');
    expect(linux.dataDirectory(env)).toBe('/d/deskproof');
    expect(linux.stateDirectory(env)).toBe('/s/deskproof');
    expect(linux.managedConfigDirectory).toBe('/etc/deskproof');
  });

  it.each(['', 'relative'])('are below the home directory if a variable is %j', (value) => {
    const env = { HOME: '/h', XDG_CONFIG_HOME: value, XDG_DATA_HOME: value, XDG_STATE_HOME: value };
    expect(linux.configDirectory(env)).toBe('/h/.config/deskproof');
    expect(linux.dataDirectory(env)).toBe('/h/.local/share/deskproof');
    expect(linux.stateDirectory(env)).toBe('/h/.local/state/deskproof');
  });
});

describe('access to files', () => {
  it('knows the files of this user', () => {
    const dir = mkdtempSync(join(tmpdir(), 'dp-access-'));
    try {
      const stat = lstatSync(dir);
      expect(linux.isOwnedByUser(stat)).toBe(true);
      expect(linux.isOwnedByUser({ ...stat, uid: stat.uid + 1 })).toBe(false);
      linux.syncDirectory(dir);
    } finally {
      rmSync(dir, { recursive: true });
    }
  });

  it.each([
    [0o700, false, false],
    [0o740, true, false],
    [0o701, true, false],
    [0o777, true, true],
    [0o1777, true, false],
  ])('mode %o: open to others %s, shared without protection %s', (mode, open, shared) => {
    expect(linux.isOpenToOthers({ uid: 0, mode })).toBe(open);
    expect(linux.isSharedWithoutProtection({ uid: 0, mode })).toBe(shared);
  });
});
