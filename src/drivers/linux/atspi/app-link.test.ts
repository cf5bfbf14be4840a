import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { Deadline } from '../../../shared/index.js';
import { DBusError, type DBus } from '../dbus/index.js';
import { AppLink } from './app-link.js';
import { toolkitFrom } from './toolkit.js';

async function endedPid(): Promise<number> {
  const child = spawn('true');
  await once(child, 'exit');
  return child.pid!;
}

const BUS_GONE = 'The accessibility bus is gone.';
const LOST = 'The connection to the app was lost; it runs on.';
const ENDED = 'The app has ended.';
const UNKNOWN = 'org.freedesktop.DBus.Error.ServiceUnknown';

test.each([
  ['our connection to the bus was dropped', 'closed', true, 'lives', 'driver_unavailable', BUS_GONE],
  ['our connection to the app was dropped', 'closed', false, 'lives', 'driver_unavailable', LOST],
  ['the app ended and took its socket along', 'closed', false, 'ended', 'process_gone', ENDED],
  ['bus and app ended', 'closed', true, 'ended', 'process_gone', ENDED],
  ['the bus does not know the app any more', UNKNOWN, false, 'lives', 'process_gone', ENDED],
  ['a call that was never sent', 'bad-call', false, 'lives', 'command_failed', 'The app could not be read.'],
  ['no answer from an app that ended', 'timeout', false, 'ended', 'process_gone', ENDED],
] as const)('%s', async (_, kind, busClosed, app, code, message) => {
  const pid = app === 'lives' ? process.pid : await endedPid();
  const bus = { closed: busClosed } as DBus;
  const link = new AppLink(':1.5', pid, '', toolkitFrom('', ''), bus, undefined, Deadline.in(1000));
  const told = await link.explain(new DBusError(kind, ''));
  expect(told.code).toBe(code);
  expect([told.retry, told.message]).toEqual([code === 'process_gone' ? 'no' : 'safe', message]);
});

test('an app whose socket closes a moment before it is gone has ended', async () => {
  const child = spawn('cat');
  const link = new AppLink(
    ':1.5',
    child.pid!,
    '',
    toolkitFrom('', ''),
    { closed: false } as DBus,
    undefined,
    Deadline.in(1000),
  );
  const told = link.explain(new DBusError('closed', ''));
  child.stdin.end();
  expect((await told).code).toBe('process_gone');
});
