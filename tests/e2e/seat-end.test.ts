import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { bootPrivateDesktop } from '../../src/drivers/linux/private-desktop/boot.js';
import { sweepDeadDesktops } from '../../src/drivers/linux/private-desktop/tear-down.js';
import { freeze } from '../conformance/freeze.js';
import { pathWith } from './support/never-ready.js';
import { ask, displayFilesOf, processesOf, SeatRoom, until } from './support/seat-room.js';

const OWNER = fileURLToPath(new URL('./support/seat-owner.mjs', import.meta.url));

interface Owned {
  owner: ChildProcess;
  id: string;
  display: string;
  keeper: number;
}

let room: SeatRoom;
beforeEach(() => {
  room = new SeatRoom();
});
const owners: ChildProcess[] = [];
afterEach(() => {
  for (const owner of owners.splice(0)) owner.kill('SIGKILL');
  room.remove();
});

function startOwner(env: NodeJS.ProcessEnv = process.env): { owner: ChildProcess; line: Promise<string> } {
  const { runtimeDir, homeDir } = room.options();
  const owner = spawn(process.execPath, [OWNER, runtimeDir, homeDir], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  owners.push(owner);
  const line = new Promise<string>((resolve) => createInterface({ input: owner.stdout }).once('line', resolve));
  return { owner, line };
}

async function ownedSeat(): Promise<Owned> {
  const { owner, line } = startOwner();
  const { id, display } = JSON.parse(await line) as { id: string; display: string };
  await until('its processes', () =>
    ['Xvfb', 'xclock', 'sleep 1001'].every((part) => processesOf(id).some((line) => line.includes(part))),
  );
  return { owner, id, display, keeper: keeperOf() };
}

interface Recorded {
  keeper: { pid: number };
  core: unknown[];
  display?: number;
}

function recordOf(): Recorded | undefined {
  const file = join(room.base, 'r/seat.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Recorded) : undefined;
}

const keeperOf = (): number => recordOf()!.keeper.pid;

async function expectNothingLeft({ id, display }: { id: string; display: string }): Promise<void> {
  await until('the cleaning', () => processesOf(id).length === 0 && room.left().length === 0);
  expect(processesOf(id)).toEqual([]);
  expect(room.left()).toEqual([]);
  expect(displayFilesOf(display)).toEqual([]);
}

describe('nothing is left behind', () => {
  test('after stop, also of daemons, stopped programs and ones that ignore requests to end', async () => {
    const seat = await bootPrivateDesktop(room.options());
    const id = seat.env.DESKPROOF_SEAT!;
    await seat.launch('mousepad', []);
    await seat.launch('sh', ['-c', 'trap "" TERM HUP INT; while :; do sleep 1; done']);
    await seat.launch('sh', ['-c', 'setsid sh -c "sleep 1000 &" & exit 0']);
    const frozen = await seat.launch('xclock', []);
    await freeze(frozen.pid);
    await until('the daemon', () => processesOf(id).some((line) => line.endsWith('sleep 1000')));
    const keeper = keeperOf();
    await Promise.all([seat.stop(), seat.stop()]);
    expect(processesOf(id)).toEqual([]);
    expect(room.left()).toEqual([]);
    expect(displayFilesOf(seat.display)).toEqual([]);
    expect(existsSync(`/proc/${keeper}`)).toBe(false);
    await expect(seat.launch('true', [])).rejects.toMatchObject({ code: 'process_gone' });
  });

  test.each(['SIGKILL', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const)('after %s of the owner', async (signal) => {
    const owned = await ownedSeat();
    owned.owner.kill(signal);
    await expectNothingLeft(owned);
  });

  test('when the keeper is killed, and then the owner', async () => {
    const owned = await ownedSeat();
    process.kill(owned.keeper, 'SIGKILL');
    await until('a new keeper', () => keeperOf() !== owned.keeper);
    owned.owner.kill('SIGKILL');
    await expectNothingLeft(owned);
  });

  test('when its directories were removed, and then the owner is killed', async () => {
    const owned = await ownedSeat();
    room.remove();
    owned.owner.kill('SIGKILL');
    await until('the cleaning', () => processesOf(owned.id).length === 0);
    await until('the display', () => displayFilesOf(owned.display).length === 0);
  });

  test('after both are killed at once: the next sweep', async () => {
    const owned = await ownedSeat();
    expect(await sweepDeadDesktops(room.base)).toEqual([]);
    // Stopped first, so that it cannot replace the keeper.
    await freeze(owned.owner.pid!);
    process.kill(owned.keeper, 'SIGKILL');
    owned.owner.kill('SIGKILL');
    await until('both ends', () => owned.owner.signalCode === 'SIGKILL');
    expect(processesOf(owned.id).length).toBeGreaterThan(0);
    expect(await sweepDeadDesktops(room.base)).toEqual(['owned']);
    await expectNothingLeft(owned);
  });

  test('when the start fails half-way', async () => {
    const fakes = join(room.base, 'bin');
    mkdirSync(fakes);
    writeFileSync(join(fakes, 'openbox'), '#!/bin/sh\necho "no theme for you" >&2\nexit 3\n');
    chmodSync(join(fakes, 'openbox'), 0o755);
    const { owner, line } = startOwner({ ...process.env, PATH: `${fakes}:${process.env.PATH}` });
    const said = JSON.parse(await line) as { error: string; hint: string };
    expect(said.error).toBe('The window manager (openbox) did not start.');
    expect(said.hint).toContain('no theme for you');
    await until('its end', () => owner.exitCode !== null);
    expect(room.left()).toEqual(['bin']);
  });

  test('a starter with nothing else to do lives until what it ends has ended', async () => {
    const core = new URL('../../dist/drivers/linux/private-desktop/services/process.js', import.meta.url).href;
    const starter = `
      import { startService } from ${JSON.stringify(core)};
      const server = await startService('sleep', ['100'], { env: { PATH: process.env.PATH }, report: false });
      await server.end();
      console.log('ended');`;
    const { code, output } = await ask(process.execPath, ['--input-type=module', '-e', starter], {
      PATH: process.env.PATH!,
    });
    expect({ code, output }).toEqual({ code: 0, output: 'ended\n' });
  });

  test('when the start is cancelled', async () => {
    const cancel = new AbortController();
    vi.stubEnv('PATH', pathWith(join(room.base, 'bin'), 'openbox'));
    const starting = bootPrivateDesktop(room.options({ signal: cancel.signal }));
    try {
      const display = await until('an X server', () => recordOf()?.core.length && recordOf()?.display);
      cancel.abort();
      await expect(starting).rejects.toMatchObject({ code: 'cancelled' });
      expect(room.left()).toEqual(['bin']);
      expect(displayFilesOf(`:${display}`)).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe('a start that cannot be', () => {
  test.each([
    ['too small', { size: { width: 10, height: 768 } }, /10x768 is not possible/],
    ['too large', { size: { width: 100_000, height: 768 } }, /not possible/],
    ['no whole number', { size: { width: 800.5, height: 600 } }, /not possible/],
    ['a path too long for sockets', { runtimeDir: `/tmp/${'x'.repeat(100)}` }, /too long/],
  ])('%s', async (_, changes, message) => {
    await expect(bootPrivateDesktop(room.options(changes))).rejects.toMatchObject({ code: 'bad_arguments', message });
    expect(room.left()).toEqual([]);
  });

  test('a runtime directory that others can read, or that a living desktop uses', async () => {
    const options = room.options();
    mkdirSync(options.runtimeDir);
    chmodSync(options.runtimeDir, 0o755);
    await expect(bootPrivateDesktop(options)).rejects.toMatchObject({ code: 'permission_missing' });
    chmodSync(options.runtimeDir, 0o700);
    const seat = await bootPrivateDesktop(options);
    await expect(bootPrivateDesktop(options)).rejects.toMatchObject({ code: 'command_failed', message: /running in/ });
    await seat.stop();
    // Made by the caller, so it stays; empty.
    expect(room.left()).toEqual(['r']);
  });
});
