import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DBus, type DBusError } from './connection.js';
import type { Incoming } from './message.js';

const LONG = 20_000;
const BUS = { destination: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus', interface: 'org.freedesktop.DBus' };

/** A bus of this test; `who` may connect. */
async function startBus(
  directory: string,
  who: 'everyone' | 'none',
): Promise<{ address: string; daemon: ChildProcess }> {
  const config = join(directory, `${who}.conf`);
  const allowed = who === 'everyone' ? '<allow user="*"/>' : '<deny user="*"/>';
  writeFileSync(
    config,
    `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
      "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig><type>session</type><listen>unix:path=${directory}/${who}</listen><auth>EXTERNAL</auth>
    <policy context="default">${allowed}<allow send_destination="*"/><allow eavesdrop="true"/><allow own="*"/></policy>
    </busconfig>`,
  );
  const args = [`--config-file=${config}`, '--print-address', '--nofork'];
  const daemon = spawn('dbus-daemon', args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const failed = once(daemon, 'error').then(([error]) => Promise.reject(error as Error));
  const line = once(createInterface({ input: daemon.stdout }), 'line') as Promise<[string]>;
  const [address] = await Promise.race([line, failed]);
  return { address, daemon };
}

// dbus-daemon is in the package dbus, without which there is no desktop to test either.
describe.skipIf(process.platform !== 'linux')('a real dbus-daemon', () => {
  const directory = mkdtempSync(join(tmpdir(), 'dp-bus-'));
  const daemons: ChildProcess[] = [];
  let address: string;
  let bus: DBus;

  beforeAll(async () => {
    const started = await startBus(directory, 'everyone');
    address = started.address;
    daemons.push(started.daemon);
    bus = await DBus.connect(address, { timeoutMs: LONG });
  });

  afterAll(async () => {
    bus?.close();
    await Promise.all(
      daemons.map(async (daemon) => {
        const gone = once(daemon, 'exit');
        daemon.kill('SIGKILL');
        await gone;
      }),
    );
    rmSync(directory, { recursive: true, force: true });
  });

  const ask = (member: string, signature?: string, body?: unknown[]): Promise<unknown[]> =>
    bus.call({ ...BUS, member, signature, body }, LONG);
  const kindOf = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => 'answered',
      (error: unknown) => (error as DBusError).kind,
    );

  test('assigns a name and knows our pid', async () => {
    expect(bus.uniqueName).toMatch(/^:1\.\d+$/);
    expect(await ask('GetConnectionUnixProcessID', 's', [bus.uniqueName])).toEqual([process.pid]);
  });

  test('answers 2,000 calls at once, each with its own reply', async () => {
    const names = Array.from({ length: 2000 }, (_, i) => (i % 3 === 0 ? bus.uniqueName! : `org.absent.N${i}`));
    const before = bus.calls;
    const answers = await Promise.all(names.map((name) => ask('NameHasOwner', 's', [name])));
    expect(answers.map(([has]) => has)).toEqual(names.map((name) => name === bus.uniqueName));
    expect(bus.calls - before).toBe(2000);
  });

  test('passes on the error name of the peer', async () => {
    expect(await kindOf(ask('GetNameOwner', 's', ['org.absent']))).toBe('org.freedesktop.DBus.Error.NameHasNoOwner');
    const unknown = { ...BUS, destination: 'org.absent', member: 'Anything' };
    expect(await kindOf(bus.call(unknown, LONG))).toBe('org.freedesktop.DBus.Error.ServiceUnknown');
  });

  // The daemon checks every byte of a body before the member, and closes the connection if one is wrong.
  test.each([
    ['ssai', ['', 'naïve 😀', [1, -2, 3]]],
    [
      'a{sv}',
      [
        [
          ['id', { signature: 'i', value: -1 }],
          ['box', { signature: '(iiii)', value: [1, 2, 3, 4] }],
        ],
      ],
    ],
    ['ybnqiuxtdog', [255, true, -1, 65535, -5, 7, -9, 9, 1.5, '/a/b', 'a{sv}']],
    ['yay', [1, [1, 2, 3]]],
    [
      'ya(ys)',
      [
        1,
        [
          [1, 'x'],
          [2, ''],
        ],
      ],
    ],
    ['yax', [1, []]],
    ['v', [{ signature: 'av', value: [{ signature: 'v', value: { signature: 'y', value: 1 } }] }]],
    ['s', ['x'.repeat(300_000)]],
  ] as [string, unknown[]][])('accepts a body of %s', async (signature, body) => {
    const kind = await kindOf(ask('NoSuchMember', signature, body));
    expect(kind).toBe('org.freedesktop.DBus.Error.UnknownMethod');
    expect(bus.closed).toBe(false);
  });

  test('delivers signals with sender, path and body', async () => {
    const watcher = await DBus.connect(address, { timeoutMs: LONG });
    await watcher.addMatch("type='signal',interface='org.freedesktop.DBus',member='NameOwnerChanged'", LONG);
    const heard = new Promise<Incoming>((resolve) => {
      watcher.onSignal((signal) => {
        if (signal.member === 'NameOwnerChanged' && signal.body()[0] === 'org.deskproof.Test') resolve(signal);
      });
    });
    expect(await ask('RequestName', 'su', ['org.deskproof.Test', 4])).toEqual([1]);
    const signal = await heard;
    expect(signal).toMatchObject({ sender: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus' });
    expect(signal.body()).toEqual(['org.deskproof.Test', '', bus.uniqueName]);
    watcher.close();
  });

  test('reports that the user is not allowed to connect', async () => {
    const started = await startBus(directory, 'none');
    daemons.push(started.daemon);
    // For root the daemon accepts the handshake and then closes; any other user is rejected in the handshake.
    expect(['unreachable', 'closed', 'org.freedesktop.DBus.Error.AccessDenied']).toContain(
      await kindOf(DBus.connect(started.address, { timeoutMs: LONG })),
    );
  });

  test('fails pending calls when the daemon dies', async () => {
    const started = await startBus(mkdtempSync(join(directory, 'short-')), 'everyone');
    const lonely = await DBus.connect(started.address, { timeoutMs: LONG });
    // This call has no answer: it goes to ourselves.
    const pending = kindOf(
      lonely.call({ destination: lonely.uniqueName, path: '/', interface: 'x.Y', member: 'Z' }, LONG),
    );
    started.daemon.kill('SIGKILL');
    expect(await pending).toBe('closed');
  });
});
