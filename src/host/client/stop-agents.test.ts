import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VERSION } from '../../config.js';
import { DesktopError } from '../../shared/index.js';
import { identityOf, isRunning } from '../../platform/processes.js';
import { PROTOCOL } from '../server/protocol.js';
import { desktopPaths, type DesktopPaths } from '../../platform/runtime-directory.js';
import { HostServer } from '../server/server.js';
import { stopAgents } from './stop-agents.js';

const KEY = 'work';
let base: string;
let paths: DesktopPaths;
let children: ChildProcess[];
let server: HostServer | undefined;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'dp-stop-'));
  chmodSync(base, 0o700);
  paths = desktopPaths(base, KEY);
  mkdirSync(paths.directory, { mode: 0o700 });
  children = [];
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await server?.close(new DesktopError('cancelled', 'The test is over.'));
  server = undefined;
  rmSync(base, { recursive: true, force: true });
});

/** A process that listens as a host does; `onData` is what it does with the data. */
async function pretend(onData: string): Promise<number> {
  const script = `
    const send = (socket, message) => socket.write(JSON.stringify(message) + '\\n');
    const hello = (protocol) => ({ hello: { protocol, version: '0', desktop: '${KEY}', pid: process.pid } });
    require('node:net').createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (data) => { ${onData} });
    }).listen(${JSON.stringify(paths.socket)}, () => console.log('listening'));`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  await once(child.stdout, 'data');
  lockFor(child.pid!);
  return child.pid!;
}

const lockFor = (pid: number, change: object = {}): void =>
  writeFileSync(paths.lock, JSON.stringify({ format: 1, ...identityOf(pid), version: VERSION, ...change }));

const emergencyStop = (): string => join(base, '.local/state/deskproof/ledger', `${KEY}.stopped`);
const NO_HOST = new DesktopError('driver_unavailable', 'No host is there.');
const stop = () =>
  stopAgents(
    { base, key: KEY, env: { HOME: base }, client: 'test', sweepPrivateDesktops: async () => undefined },
    { reason: 'the user ran stop', connect: () => Promise.reject(NO_HOST) },
  );

const HELLO = `if (data.includes('hello')) send(socket, hello(${PROTOCOL}));`;

const UNKNOWN = JSON.stringify(new DesktopError('bad_arguments', 'The host does not know this request.').toJSON());

describe('a stop', () => {
  it('is sent to a host that answers, and nothing is killed', async () => {
    let stops = 0;
    server = await HostServer.listen({
      socket: paths.socket,
      hello: { protocol: PROTOCOL, version: VERSION, desktop: KEY, pid: process.pid },
      requests: { stop: async () => ({ stopped: true, changed: ++stops === 1 }) },
    });
    lockFor(process.pid);
    expect(await stop()).toEqual({ stopped: true, changed: true });
    expect(await stop()).toEqual({ stopped: true, changed: false });
    expect(statSync(emergencyStop(), { throwIfNoEntry: false })).toBeUndefined();
  });

  it('leaves a host alone that has stopped and cannot save the stop', async () => {
    const full = JSON.stringify(new DesktopError('command_failed', 'The disk is full.').toJSON());
    const pid = await pretend(`${HELLO} else send(socket, { id: JSON.parse(data).id, error: ${full} });`);
    await expect(stop()).rejects.toMatchObject({ code: 'command_failed', message: 'The disk is full.' });
    expect(isRunning(identityOf(pid))).toBe(true);
  });

  it.each([
    ['never answers', ''],
    ['greets and then stops answering', HELLO],
    ['uses another protocol', `if (data.includes('hello')) send(socket, hello(${PROTOCOL + 1}));`],
    ['does not know the request', `${HELLO} else send(socket, { id: JSON.parse(data).id, error: ${UNKNOWN} });`],
  ])('kills a host that %s, and saves the stop', async (_, onData) => {
    const pid = await pretend(onData);
    const identity = identityOf(pid);
    expect(await stop()).toEqual({ stopped: true, changed: true, killed: { pid, clean: true } });
    expect(isRunning(identity)).toBe(false);
    const kept = JSON.parse(readFileSync(emergencyStop(), 'utf8')) as object;
    expect(kept).toMatchObject({ v: 1, reason: 'the user ran stop, and the host did not answer', unwritten: true });
    expect(statSync(emergencyStop()).mode & 0o777).toBe(0o600);
    // Nothing is left of it, and the desktop stays stopped.
    expect(statSync(paths.directory, { throwIfNoEntry: false })).toBeUndefined();
    await expect(stop()).rejects.toBe(NO_HOST);
  });

  it('kills a host that has the lock and does not listen', async () => {
    const child = spawn('sleep', ['1000']);
    children.push(child);
    lockFor(child.pid!);
    expect(await stop()).toMatchObject({ killed: { pid: child.pid } });
  });

  it('keeps the first reason if it was already stopped', async () => {
    mkdirSync(join(emergencyStop(), '..'), { recursive: true, mode: 0o700 });
    writeFileSync(emergencyStop(), JSON.stringify({ v: 1, reason: 'Escape twice', at: 7 }), { mode: 0o600 });
    const pid = await pretend('');
    expect(await stop()).toMatchObject({ changed: false, killed: { pid } });
    expect(JSON.parse(readFileSync(emergencyStop(), 'utf8'))).toEqual({ v: 1, reason: 'Escape twice', at: 7 });
  });

  it('kills the host also if the stop cannot be saved, and reports that', async () => {
    writeFileSync(join(base, '.local'), 'in the way');
    const identity = identityOf(await pretend(''));
    await expect(stop()).rejects.toThrow();
    await expect.poll(() => isRunning(identity)).toBe(false);
  });

  it.each([
    ['another start time', { startTime: '1' }],
    ['another boot', { bootId: '00000000-0000-0000-0000-000000000000' }],
  ])('never kills a process that only has the same pid: %s', async (_, change) => {
    const child = spawn('sleep', ['1000']);
    children.push(child);
    lockFor(child.pid!, change);
    await expect(stop()).rejects.toBe(NO_HOST);
    expect(isRunning(identityOf(child.pid!))).toBe(true);
  });

  it('ignores a lock that other users could have written', async () => {
    const pid = await pretend('');
    chmodSync(paths.directory, 0o777);
    await expect(stop()).rejects.toMatchObject({ code: 'permission_missing' });
    expect(isRunning(identityOf(pid))).toBe(true);
  });
});
