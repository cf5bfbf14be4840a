import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bootPrivateDesktop, openLinuxDriver } from '../../src/drivers/linux/index.js';
import type { Driver, PrivateDesktop } from '../../src/drivers/contract/index.js';
import { Deadline, DesktopError } from '../../src/shared/index.js';
import type { Node } from '../../src/tree/index.js';
import { SeatRoom, until } from './support/seat-room.js';

const soon = (): Deadline => Deadline.in(10_000);
const room = new SeatRoom();
let seat: PrivateDesktop;
let driver: Driver;

/** A Wayland session without XWayland: it has the buses, and apps whose positions only they know. */
const waylandEnv = (changes: Record<string, string | undefined> = {}): Record<string, string | undefined> => ({
  ...seat.env,
  DISPLAY: undefined,
  WAYLAND_DISPLAY: 'wayland-0',
  ...changes,
});

beforeAll(async () => {
  seat = await bootPrivateDesktop(room.options());
  await seat.launch('mousepad', []);
  await seat.launch('gnome-calculator', []);
  driver = await openLinuxDriver({ env: waylandEnv() });
});

afterAll(async () => {
  await driver.close();
  await seat.stop();
  room.remove();
});

describe('apps without a display to ask', () => {
  it('are listed from their own data, without positions', async () => {
    const windows = await until('both windows', async () => {
      const list = (await driver.windows({ deadline: soon() })).windows;
      return list.length >= 2 ? list : undefined;
    });
    const calculator = windows.find((window) => window.title === 'Calculator');
    expect(calculator).toMatchObject({ app: 'gnome-calculator', program: '/usr/bin/gnome-calculator', role: 'window' });
    for (const window of windows) expect(window.bounds).toBeUndefined();
  });

  it('are read whole, and no position is made up', async () => {
    const { windows } = await driver.windows({ deadline: soon() });
    const id = windows.find((window) => window.title === 'Calculator')!.id;
    const { root } = await driver.read!({ window: id }, { deadline: soon() });
    const nodes = [...every(root)];
    expect(nodes.filter((node) => node.role === 'button' && /^[0-9]$/.test(node.name ?? ''))).toHaveLength(10);
    expect(nodes.filter((node) => node.bounds !== undefined)).toEqual([]);
    const seven = nodes.find((node) => node.name === '7')!;
    const again = await driver.read!({ element: seven.id }, { deadline: soon(), detail: true });
    expect(again.root).toMatchObject({ id: seven.id, name: '7', role: 'button' });
    expect(again.root.bounds).toBeUndefined();
  });

  it('say what cannot be known here', () => {
    const { capabilities } = driver.describe();
    expect(capabilities.read.can).toBe('yes');
    expect(capabilities.windows).toMatchObject({ can: 'partly', reason: /Wayland/ });
    expect(capabilities.atPoint.can).toBe('no');
    expect(capabilities.screenshot.can).toBe('no');
  });

  it('have no picture, also where there is an X server beside', async () => {
    const nested = await openLinuxDriver({ env: waylandEnv({ DISPLAY: seat.env.DISPLAY }) });
    expect(nested.describe().capabilities.screenshot).toMatchObject({ can: 'no', reason: /Wayland/ });
    for (const one of [driver, nested]) {
      await expect(one.screenshot!(undefined, { deadline: soon() })).rejects.toMatchObject({ code: 'not_supported' });
    }
    await nested.close();
  });

  it('without an accessibility bus there is nothing to open, and the error says the fix', async () => {
    const env = waylandEnv({ DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent', XDG_RUNTIME_DIR: '/nonexistent' });
    const error = await openLinuxDriver({ env }).then(
      () => undefined,
      (reason: unknown) => reason as DesktopError,
    );
    expect(error?.code).toBe('driver_unavailable');
    expect(error?.message).toMatch(/session bus/);
    expect(error?.hint).toMatch(/deskproof desktop start/);
  });

  it('still reports a wrong DISPLAY', async () => {
    const open = openLinuxDriver({ env: { ...seat.env, DISPLAY: ':9999' } });
    await expect(open).rejects.toMatchObject({ code: 'driver_unavailable', message: /:9999/ });
  });
});

function* every(node: Node): Generator<Node> {
  yield node;
  for (const child of node.children) yield* every(child);
}
