// @module-tag safety

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLog, verifyDesktop, type Kind } from '../../src/audit/index.js';
import type { FixtureApp } from '../conformance/fixture-app.js';
import { freeze } from '../conformance/freeze.js';
import { startInputApp } from './support/input-app.js';
import { until } from './support/seat-room.js';
import { SeatTraces, type Traces } from './support/seat-traces.js';
import { SessionRoom } from './support/session-room.js';
import { eventually } from './support/x-seat.js';

let room: SessionRoom;
let app: FixtureApp;
let seat: SeatTraces;
let clean: Traces;
beforeAll(async () => {
  room = await SessionRoom.open();
  app = await startInputApp('input-gtk3.py', room.seat.env);
  await app.command('focus text');
  seat = await SeatTraces.open(room.seat.env);
  clean = await seat.read();
});
afterAll(async () => {
  seat?.close();
  await app?.end();
  await room?.close();
});

const hosts = (): number[] =>
  room
    .processes()
    .filter(({ command }) => command.includes('host/server/main.js'))
    .map(({ pid }) => pid);

/** What is written of a stop and of what followed. A server that has just started counts as just used: that is none of it. */
async function stops(): Promise<Kind[]> {
  const { logs } = await room.places();
  const ours: readonly Kind[] = ['recovered', 'stop', 'resume'];
  const records = [...readLog(logs)].map(({ record }) => record!);
  return records
    .filter((one) => ours.includes(one.kind) && !('reason' in one && one.reason === 'let go'))
    .map(({ kind }) => kind);
}

const DRAG = ['drag', 'focused', '--dx', '90', '--dy', '4', '--steps', '900', '--step-ms', '20'];

test('a host that hangs in the middle of a drag is killed, nothing stays pressed, and it stays stopped', async () => {
  const dragging = room.run(DRAG);
  await until('the button to be down', async () => (await seat.pressed()).buttons === 1);
  const [host] = hosts();
  await freeze(host!);
  // The X server hangs: it keeps keys pressed and answers no client.
  expect((await seat.pressed()).buttons).toBe(1);

  expect(JSON.parse(await room.ok('stop', '--json'))).toEqual({
    ...{ schema: 1, stopped: true, changed: true },
    killed: { pid: host, clean: true },
  });
  // At once, by the server's word: the command ends after the keys are free.
  expect(await seat.pressed()).toEqual({ keys: [], buttons: 0 });
  await eventually(async () => expect(await seat.read()).toEqual(clean));
  expect(hosts()).toEqual([]);
  const dragged = await dragging;
  expect([dragged.code, dragged.err]).toEqual([1, expect.stringContaining('Delivered: unknown')]);

  const { state } = await room.places();
  const emergencyStop = JSON.parse(readFileSync(join(state, `${room.key}.stopped`), 'utf8')) as object;
  expect(emergencyStop).toMatchObject({ v: 1, reason: 'the user ran deskproof stop, and the host did not answer' });

  // The next host finds the stop and logs what could not be logged then.
  const from = app.diary.length;
  const refused = await room.run(['type', 'x', 'focused']);
  expect([refused.code, refused.err]).toEqual([
    3,
    expect.stringMatching(/policy_denied\. .* stopped at .*, because the user ran deskproof stop, and the host did/),
  ]);
  expect(refused.err).toContain('deskproof resume');
  expect(await room.ok('stop')).toBe('The desktop is already stopped.\n');
  expect((await room.inTerminal('resume')).out).toBe('Agents may continue.\n');
  expect(app.diary.slice(from)).toEqual([]);
  expect(await room.ok('list-windows')).toContain('Plain input');
  expect(await stops()).toEqual(['recovered', 'stop', 'resume']);
  expect(verifyDesktop(await room.places())).toMatchObject({ ok: true });
});
