import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { Deadline } from '../../../shared/index.js';
import { DBusError, type DBus } from '../dbus/connection.js';
import { AppConnection } from './app-connection.js';
import { toolkitFrom } from './toolkit.js';

async function endedPid(): Promise<number> {
  const child = spawn('true');
  await once(child, 'exit');
  return child.pid!;
}

const BUS_GONE = 'The accessibility bus is gone.';
const LOST = 'The connection to the app was lost; the app is still running.';
const ENDED = 'The app has ended.';
const UNKNOWN = 'org.freedesktop.DBus.Error.ServiceUnknown';

test.each([
  ['our connection to the bus was dropped', 'closed', true, 'lives', 'driver_unavailable', BUS_GONE],
  ['our connection to the app was dropped', 'closed', false, 'lives', 'driver_unavailable', LOST],
  ['the app ended and closed its socket', 'closed', false, 'ended', 'process_gone', ENDED],
  ['bus and app ended', 'closed', true, 'ended', 'process_gone', ENDED],
  ['the bus no longer knows the app', UNKNOWN, false, 'lives', 'process_gone', ENDED],
  ['a call that was never sent', 'bad-call', false, 'lives', 'command_failed', 'The app could not be read.'],
  ['no reply from an app that has ended', 'timeout', false, 'ended', 'process_gone', ENDED],
] as const)('%s', async (_, kind, busClosed, app, code, message) => {
  const pid = app === 'lives' ? process.pid : await endedPid();
  const bus = { closed: busClosed } as DBus;
  const link = new AppConnection(':1.5', pid, '', toolkitFrom('', ''), bus, undefined, Deadline.in(1000));
  const error = await link.toDesktopError(new DBusError(kind, ''));
  expect(error.code).toBe(code);
  expect([error.retry, error.message]).toEqual([code === 'process_gone' ? 'no' : 'safe', message]);
});

test('reports an app as ended when its socket closes shortly before the process exits', async () => {
  const child = spawn('cat');
  const link = new AppConnection(
    ':1.5',
    child.pid!,
    '',
    toolkitFrom('', ''),
    { closed: false } as DBus,
    undefined,
    Deadline.in(1000),
  );
  const error = link.toDesktopError(new DBusError('closed', ''));
  child.stdin.end();
  expect((await error).code).toBe('process_gone');
});

/** A connection to an app that answers every call, with the calls that it received. */
function respondingApp(): { link: AppConnection; sent: string[] } {
  const sent: string[] = [];
  const call: DBus['call'] = ({ path, member, body, signature }) => {
    sent.push(JSON.stringify([path, member, signature, body]));
    return Promise.resolve([{ signature: 's', value: sent.length }]);
  };
  const bus = { closed: false, call } as DBus;
  return {
    link: new AppConnection(':1.5', process.pid, '', toolkitFrom('', ''), bus, undefined, Deadline.in(1000)),
    sent,
  };
}

const MEMBERS: ReadonlySet<string> = new Set(['GetState', 'GetExtents', 'Name', 'GetText']);

test('prefetch repeats earlier calls at once and later calls share the replies', async () => {
  const { link, sent } = respondingApp();
  const before = link.until(Deadline.in(1000), 'use');
  await before.call('/a', 'I', 'GetState');
  await before.call('/a', 'I', 'GetExtents', 'u', [0]);
  await before.get('/a', 'I', 'Name');
  await before.get('/a', 'I', 'Description');
  const first = sent.splice(0);
  const calls = link.until(Deadline.in(1000), 'refresh');
  calls.prefetch('/a', MEMBERS);
  expect(sent).toEqual(first.slice(0, 3));
  expect(await calls.get('/a', 'I', 'Name')).toBe(3);
  await calls.call('/a', 'I', 'GetState');
  await calls.call('/a', 'I', 'GetExtents', 'u', [0]);
  expect(sent).toHaveLength(3);
  await calls.get('/a', 'I', 'Description');
  expect(sent.slice(3)).toEqual(first.slice(3));
  // Another read without the cache sends its own calls.
  await link.until(Deadline.in(1000), 'refresh').get('/a', 'I', 'Name');
  expect(sent).toHaveLength(5);
});

test('prefetch sends nothing in a cached read or for objects without earlier calls', async () => {
  const { link, sent } = respondingApp();
  const calls = link.until(Deadline.in(1000), 'use');
  await calls.get('/a', 'I', 'Name');
  calls.prefetch('/a', MEMBERS);
  link.until(Deadline.in(1000)).prefetch('/a', MEMBERS);
  link.until(Deadline.in(1000), 'refresh').prefetch('/b', MEMBERS);
  expect(sent).toHaveLength(1);
});
