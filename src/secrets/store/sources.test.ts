import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { endGroup, runSecretCommand } from './sources.js';
import { validateText } from './secret-value.js';

afterEach(() => vi.restoreAllMocks());

const RUNNING = { pid: 71, exitCode: null, signalCode: null };
const failing = (code: string) => () => {
  throw Object.assign(new Error(code), { code });
};

test.each<[string, Parameters<typeof endGroup>[0], unknown[]]>([
  ['that runs', RUNNING, [[-71, 'SIGKILL']]],
  ['that never began', { ...RUNNING, pid: undefined }, []],
  ['that has ended', { ...RUNNING, exitCode: 0 }, []],
  ['that was ended', { ...RUNNING, signalCode: 'SIGTERM' }, []],
])('the process group of a command %s', (_, child, killed) => {
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  endGroup(child);
  expect(kill.mock.calls).toEqual(killed);
});

test('ignores a group that is gone, and throws when a group cannot be killed', () => {
  const kill = vi.spyOn(process, 'kill');
  kill.mockImplementation(failing('ESRCH'));
  expect(() => endGroup(RUNNING)).not.toThrow();
  kill.mockImplementation(failing('EPERM'));
  expect(() => endGroup(RUNNING)).toThrow('EPERM');
});

// A process that left the group keeps the pipe open: after a cancel, our end must be closed.
test('closes the pipe of a cancelled command, even if a child keeps it open', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dp-secrets-'));
  const pid = join(folder, 'pid');
  const apart =
    "const { spawn } = require('node:child_process');" +
    "const child = spawn('sleep', ['60'], { detached: true, stdio: ['ignore', 'inherit', 'ignore'] });" +
    "require('node:fs').writeFileSync(process.argv[1], String(child.pid)); setInterval(() => 0, 1000)";
  const destroyed = vi.spyOn(Socket.prototype, 'destroy');
  const off = new AbortController();
  const running = runSecretCommand('it', [process.execPath, '-e', apart, pid], {
    ...{ timeoutMs: 60_000, signal: off.signal },
  });
  const other = await vi.waitUntil(() => existsSync(pid) && Number(readFileSync(pid, 'utf8')), { timeout: 50_000 });
  off.abort();
  await expect(running).rejects.toThrow('was cancelled');
  expect(destroyed).toHaveBeenCalledTimes(1);
  process.kill(other, 'SIGKILL');
  rmSync(folder, { recursive: true });
});

test('zeroes refused values', () => {
  const bytes = Buffer.from('no\0text');
  expect(() => validateText('it', bytes)).toThrow('it is not text');
  expect(bytes.every((byte) => byte === 0)).toBe(true);
});
