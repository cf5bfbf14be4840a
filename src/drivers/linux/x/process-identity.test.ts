import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { appName, identifyProcess, parseStat } from './process-identity.js';

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

describe('parseStat', () => {
  const rest = `${Array.from({ length: 18 }, (_, index) => index).join(' ')} 918273 0`;
  it('finds the fields behind a name that tries to look like them', () => {
    expect(parseStat(`7 (a) S (b) T ${rest}`)).toEqual({ comm: 'a) S (b', state: 'T', started: 918273 });
  });
});

describe('identifyProcess', () => {
  it('names this process by its real program', () => {
    expect(identifyProcess(process.pid)).toMatchObject({ program: realpathSync(process.execPath), stopped: false });
  });

  it('sees that a process is stopped', async () => {
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

  it('knows nothing of a process that is not there', () => {
    expect(identifyProcess(2 ** 30)).toBeUndefined();
  });
});
