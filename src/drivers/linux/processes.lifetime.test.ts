import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { hasMarker, identify, isAlive, processInfo, signalProcess } from './processes.js';

test('identifies a process by pid and start time, and its marker by the whole word', async () => {
  const child = spawn('sleep', ['1000'], { env: { DESKPROOF_SEAT: 'abc' } });
  await once(child, 'spawn');
  const id = identify(child.pid!)!;
  expect(processInfo(id.pid)).toMatchObject({ pid: child.pid, parent: process.pid });
  expect(isAlive(id)).toBe(true);
  expect(isAlive({ ...id, startTime: id.startTime - 1 })).toBe(false);
  expect(hasMarker(id.pid, 'DESKPROOF_SEAT=abc')).toBe(true);
  expect(hasMarker(id.pid, 'DESKPROOF_SEAT=ab')).toBe(false);
  expect(signalProcess({ ...id, startTime: 1 }, 'SIGKILL')).toBe(false);
  expect(signalProcess(id, 'SIGKILL')).toBe(true);
  await once(child, 'exit');
  expect(isAlive(id)).toBe(false);
});

test('does not count a zombie as alive', async () => {
  // The shell becomes a sleep, which never reaps; the child ends only after that.
  const script = '(while [ "$(cat /proc/$$/comm)" != sleep ]; do :; done) & echo $!; exec sleep 1000';
  const parent = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(line.toString());
  while (processInfo(pid)) await new Promise((wake) => setTimeout(wake, 5));
  expect(() => process.kill(pid, 0)).not.toThrow(); // Still in the process table, as a zombie.
  parent.kill('SIGKILL');
});
