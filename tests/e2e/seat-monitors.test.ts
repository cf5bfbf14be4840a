import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { bootPrivateDesktop } from '../../src/drivers/linux/private-desktop/boot.js';
import { ask, SeatRoom, until } from './support/seat-room.js';

const OWNER = fileURLToPath(new URL('./support/visible-owner.mjs', import.meta.url));

describe('what a private desktop shows', () => {
  test('two monitors side by side, for RandR and for Xinerama', async () => {
    const room = new SeatRoom();
    const seat = await bootPrivateDesktop(room.options({ monitors: 2 }));
    const { output } = await ask('xrandr', ['--listmonitors'], seat.env);
    expect(output).toMatch(/^Monitors: 2$/m);
    expect(output).toMatch(/0: \+?\*monitor-1 1024\/\d+x768\/\d+\+0\+0/);
    expect(output).toMatch(/1: \+?monitor-2 1024\/\d+x768\/\d+\+1024\+0/);
    const heads = (await ask('xdpyinfo', ['-ext', 'XINERAMA'], seat.env)).output;
    expect(heads).toContain('head #0: 1024x768 @ 0,0');
    expect(heads).toContain('head #1: 1024x768 @ 1024,0');
    await seat.stop();
    room.remove();
  });

  test('itself in a window of another desktop, which goes with it', async () => {
    const outerRoom = new SeatRoom();
    const innerRoom = new SeatRoom();
    const outer = await bootPrivateDesktop(outerRoom.options());
    const { runtimeDir, homeDir } = innerRoom.options();
    const owner = spawn(process.execPath, [OWNER, runtimeDir, homeDir], {
      env: outer.env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const line = await new Promise<string>((done) => createInterface({ input: owner.stdout }).once('line', done));
    const inner = JSON.parse(line) as Record<string, string>;
    expect((await ask('xdpyinfo', [], inner)).output).toContain('dimensions:    640x480 pixels');
    const windows = async () => (await ask('xwininfo', ['-root', '-tree'], outer.env)).output;
    await until('its window', async () => (await windows()).includes('"Deskproof: shown"'));
    owner.kill('SIGKILL');
    await until('its end', async () => !(await windows()).includes('Deskproof: shown') && !innerRoom.left().length);
    await outer.stop();
    for (const room of [outerRoom, innerRoom]) room.remove();
  });

  test('nothing, when it should be visible and there is no display', async () => {
    const room = new SeatRoom();
    const before = process.env.DISPLAY;
    delete process.env.DISPLAY;
    await expect(bootPrivateDesktop(room.options({ visible: true }))).rejects.toMatchObject({
      code: 'driver_unavailable',
      hint: expect.stringContaining('--visible') as string,
    });
    if (before !== undefined) process.env.DISPLAY = before;
    room.remove();
  });
});
