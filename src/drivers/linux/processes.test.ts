import { spawn, type ChildProcess } from 'node:child_process';
import { copyFileSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appName, identifyProcess, waitUntilIdle } from './processes.js';

describe('appName', () => {
  it.each([
    ['/usr/bin/mousepad', [], 'mousepad'],
    ['/usr/lib/libreoffice/program/soffice.bin', [], 'libreoffice'],
    ['/usr/bin/python3.11', ['python3', '/usr/share/apps/orders.py', '--fast'], 'orders'],
    ['/usr/bin/python3.11', ['python3', '-u', 'tool'], 'tool'],
    ['/usr/bin/python3.11', ['python3', '-m', 'idlelib'], 'idlelib'],
    ['/usr/bin/python3.11', ['python3', '-c', 'import gi'], 'python3.11'],
    ['/usr/bin/python3.11', ['python3'], 'python3.11'],
    ['/usr/lib/jvm/java-17/bin/java', ['java', '-Xmx1g', '-jar', '/opt/erp/client.jar'], 'client'],
    ['/usr/lib/jvm/java-17/bin/java', ['java', '-cp', '/opt/a:/opt/b', 'com.example.ledger.Main'], 'Main'],
    ['/usr/lib/electron25/electron', ['electron', '/usr/lib/slack/resources/app.asar'], 'slack'],
    ['/usr/lib/electron25/electron', ['electron', '--no-sandbox', '/opt/notes/app'], 'notes'],
    ['/usr/lib/chromium/chromium', ['chromium', '--type=renderer'], 'chromium'],
    ['/usr/bin/gjs-console', ['gjs', '/usr/bin/weather'], 'weather'],
  ])('%s %j', (program, args, expected) => {
    expect(appName(program, () => args)).toBe(expected);
  });
});

describe('identifyProcess', () => {
  it('names this process by its real program', () => {
    expect(identifyProcess(process.pid)).toMatchObject({ program: realpathSync(process.execPath), stopped: false });
  });

  it('detects a stopped process', async () => {
    const child = spawn('sleep', ['60']);
    try {
      await new Promise((resolve) => child.once('spawn', resolve));
      child.kill('SIGSTOP');
      await expect.poll(() => identifyProcess(child.pid!)?.stopped).toBe(true);
      expect(identifyProcess(child.pid!)).toMatchObject({ app: 'sleep' });
    } finally {
      child.kill('SIGKILL');
    }
  });

  it.each<[string, (program: string) => void]>([
    ['was removed', (program) => rmSync(program)],
    [
      'was replaced',
      (program) => {
        rmSync(program);
        copyFileSync('/usr/bin/true', program);
      },
    ],
  ])('reports no program if its file %s while it runs', async (_, change) => {
    const directory = realpathSync(mkdtempSync(join(tmpdir(), 'dp-exe-')));
    const program = join(directory, 'napper');
    copyFileSync(realpathSync('/usr/bin/sleep'), program);
    const child: ChildProcess = spawn(program, ['60']);
    try {
      await new Promise((resolve) => child.once('spawn', resolve));
      await expect.poll(() => identifyProcess(child.pid!)).toMatchObject({ app: 'napper', program });
      change(program);
      const now = identifyProcess(child.pid!);
      expect(now).toMatchObject({ app: 'napper' });
      expect(now).not.toHaveProperty('program');
    } finally {
      child.kill('SIGKILL');
      rmSync(directory, { recursive: true, force: true });
    }
  });

  it('returns undefined for a missing process', () => {
    expect(identifyProcess(2 ** 30)).toBeUndefined();
  });
});

describe('waitUntilIdle', () => {
  const run = (script: string): ChildProcess => spawn(process.execPath, ['-e', script], { stdio: 'ignore' });

  it('resolves when the event loop has nothing left to do', async () => {
    const child = run('setInterval(() => {}, 3_600_000)');
    try {
      await expect.poll(() => waitUntilIdle(child.pid!), { timeout: 20_000 }).toBe(true);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('gives up on an app that is always busy', async () => {
    const child = run('for (;;);');
    try {
      await expect.poll(() => waitUntilIdle(child.pid!, 60), { timeout: 20_000 }).toBe(false);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('gives up on a process that has ended', async () => {
    expect(await waitUntilIdle(2 ** 30, 20)).toBe(false);
  });
});
