// @module-tag safety

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OPEN_GATE, type CheckpointGate } from '../../src/drivers/contract/index.js';
import { openInputDevice, type LinuxInputDevice } from '../../src/drivers/linux/input/input-device.js';
import { Deadline, DesktopError } from '../../src/shared/index.js';
import { noteSeed } from '../evidence.js';
import type { FixtureApp } from '../conformance/fixture-app.js';
import { startInputApp } from './support/input-app.js';
import { KEY, TestUser } from './support/test-user.js';
import { SeatTraces, type Traces } from './support/seat-traces.js';
import { eventually, openXSeat, soon, startBareX, type XSeat } from './support/x-seat.js';

let seat: XSeat;
let server: SeatTraces;
let app: FixtureApp;
let clean: Traces;
beforeAll(async () => {
  seat = await openXSeat();
  // Something that takes the keys, and is under the pointer.
  app = await startInputApp('input-gtk3.py', seat.env);
  await app.command('focus text');
  server = await SeatTraces.open(seat.env);
  clean = await server.read();
});
afterAll(async () => {
  server?.close();
  await app?.end();
  await seat?.stop();
});

const nothingLeft = (): Promise<void> => eventually(async () => expect(await server.read()).toEqual(clean));

function busy(what: string): ChildProcess {
  const file = fileURLToPath(new URL('../fixture-apps/input-busy.mjs', import.meta.url));
  return spawn(process.execPath, [file, what], { env: { ...seat.env }, stdio: ['ignore', 'pipe', 'inherit'] });
}

/** The same sequence every time, so that a failure can be reproduced. */
function* dice(seed: number): Generator<number, never> {
  for (let state = noteSeed(seed); ;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

const ROUNDS = process.env.SOAK ? 200 : 10;
const ACTS = ['type', 'drag', 'slowly', 'click', 'press'];

test(`${ROUNDS} kills at random moments leave nothing pressed and the keys as they were`, async () => {
  const random = dice(7);
  let caught = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const child = busy(ACTS[round % ACTS.length]!);
    await once(child.stdout!, 'data');
    // Not a wait for something: the moment of the end is the test's input.
    await new Promise((wake) => setTimeout(wake, random.next().value * 120));
    child.kill('SIGKILL');
    await once(child, 'exit');
    const left = await server.read();
    if (JSON.stringify(left) !== JSON.stringify(clean)) caught++;
    await nothingLeft();
  }
  // If not, this test would not check anything: some must have been ended with something pressed or changed.
  expect(caught).toBeGreaterThan(ROUNDS / 10);
}, 600_000);

describe('hands that are stopped', () => {
  let input: LinuxInputDevice;
  beforeAll(async () => {
    input = await openInputDevice(seat.env, soon());
  });
  afterAll(() => input?.close());
  beforeEach(() => app.command('clear'));
  const pressed = async (): Promise<number> => (await server.pressed()).buttons;
  // The server holds a release back while the window manager has the mouse for itself; it comes when that lets go.
  const letGo = (): Promise<void> => eventually(async () => expect(await pressed()).toBe(0));
  const begun = (): Promise<void> => eventually(async () => expect(await pressed()).toBe(1));
  const slowDrag = (deadline: Deadline): Promise<void> =>
    input.drag({ x: 500, y: 300 }, { x: 600, y: 320 }, { steps: 500, stepMs: 20, deadline });

  test('a drag ends with its deadline: let go of where it began, without a key that would close a dialog', async () => {
    const from = app.diary.length;
    await expect(slowDrag(Deadline.in(300))).rejects.toMatchObject({ code: 'timeout', delivered: 'yes', retry: 'no' });
    await letGo();
    expect(await input.pointer({ deadline: soon() })).toEqual({ x: 500, y: 300 });
    await app.command('clear');
    expect(app.diary.slice(from).filter((line) => 'key' in line)).toEqual([]);
  });

  test('a drag ends with its caller', async () => {
    const caller = new AbortController();
    const drag = slowDrag(Deadline.in(30_000, caller.signal));
    drag.catch(() => undefined); // Checked below.
    await begun();
    caller.abort();
    await expect(drag).rejects.toMatchObject({ code: 'cancelled', delivered: 'yes' });
    await letGo();
  });

  test('release lets go while a drag is under way, and what waits behind it is dropped', async () => {
    const drag = slowDrag(soon());
    const next = input.type('never', { deadline: soon() });
    for (const act of [drag, next]) act.catch(() => undefined); // Checked below.
    await begun();
    await input.release();
    await letGo();
    await expect(drag).rejects.toMatchObject({ code: 'cancelled', delivered: 'yes' });
    await expect(next).rejects.toMatchObject({ code: 'cancelled', delivered: 'no' });
    await nothingLeft();
    expect(await input.type('x', { deadline: soon() })).toEqual({ typed: 1 });
  });

  test('release in the middle of typing says how much went in', async () => {
    const typing = input.type('日本語'.repeat(100), { delayMs: 20, deadline: soon() });
    typing.catch(() => undefined); // Checked below.
    const written = (): string => (app.diary.findLast((line) => 'text' in line)?.text ?? '') as string;
    await eventually(() => expect(written().length).toBeGreaterThan(3));
    await input.release();
    const error = await typing.catch((thrown: unknown) => thrown as { details: { typed: number } });
    expect(error).toMatchObject({ code: 'cancelled', delivered: 'yes', retry: 'no' });
    const { typed } = (error as { details: { typed: number } }).details;
    await eventually(() => expect(written()).toBe('日本語'.repeat(100).slice(0, typed)));
    await nothingLeft();
  });

  test('release while an app has not read a new symbol yet: the key gets its own back', async () => {
    await nothingLeft();
    await app.freeze();
    const typing = input.type('猫', { deadline: soon() });
    typing.catch(() => undefined); // Checked below.
    await eventually(async () => expect((await server.read()).symbols).not.toBe(clean.symbols));
    await input.release();
    await expect(typing).rejects.toMatchObject({ code: 'cancelled' });
    app.signal('SIGCONT');
    await nothingLeft();
  });

  test('a click that is called off lets go of the keys that were held for it', async () => {
    const gate: CheckpointGate = { ...OPEN_GATE, wants: () => true, pressed: async () => ({ x: 3, y: 3 }) };
    const click = input.click({ x: 500, y: 300 }, { modifiers: ['ctrl', 'shift'], deadline: soon() }, gate);
    await expect(click).rejects.toMatchObject({ code: 'not_ready', delivered: 'unknown', retry: 'no' });
    await nothingLeft();
  });

  test('typing asks before each chunk, and stops there', async () => {
    const request: number[] = [];
    const text = 'abcdefgh'.repeat(12);
    const pass = async (): Promise<void> => {
      if (request.push(request.length) === 3) throw new DesktopError('cancelled', 'Stopped.');
    };
    const gate: CheckpointGate = { ...OPEN_GATE, wants: () => true, pass };
    const stopped = { code: 'cancelled', delivered: 'yes', details: { typed: 64 } };
    await expect(input.type(text, { deadline: soon() }, gate)).rejects.toMatchObject(stopped);
    await eventually(() => expect(app.diary.at(-1)).toEqual({ text: text.slice(0, 64) }));
    expect(request).toHaveLength(3);
  });

  test('what is over before it begins does nothing', async () => {
    const from = app.diary.length;
    const over = Deadline.in(1000, AbortSignal.abort());
    await expect(input.type('no', { deadline: over })).rejects.toMatchObject({ code: 'cancelled', delivered: 'no' });
    await expect(input.click({ x: 5, y: 5 }, { deadline: over })).rejects.toMatchObject({ delivered: 'no' });
    await input.type('yes', { deadline: soon() });
    await eventually(() => expect(app.diary.at(-1)).toEqual({ text: 'yes' }));
    expect(app.diary.slice(from).filter((line) => 'text' in line)).toHaveLength(3);
  });

  test('Caps Lock of the user stays as it was, also after a stop', async () => {
    const user = await TestUser.sitDown(seat.env);
    try {
      await user.tap(KEY.capsLock);
      const typing = input.type('abcdef'.repeat(50), { delayMs: 10, deadline: soon() });
      typing.catch(() => undefined); // Checked below.
      await eventually(async () => expect((await server.read()).locked).toBe(0));
      await input.release();
      await expect(typing).rejects.toMatchObject({ code: 'cancelled' });
      expect((await server.read()).locked).toBe(2);
    } finally {
      await user.tap(KEY.capsLock);
      user.leave();
    }
    await nothingLeft();
  });

  test('replaces a watcher that was killed, and the new one works', async () => {
    const child = busy('slowly');
    await once(child.stdout!, 'data');
    const watcher = await eventually(async () => {
      const [first, ...more] = await watchersOf(child.pid!);
      expect(more).toEqual([]);
      return first!;
    });
    process.kill(watcher, 'SIGKILL');
    await eventually(async () => {
      const watchers = await watchersOf(child.pid!);
      expect(watchers).toHaveLength(1);
      expect(watchers).not.toContain(watcher);
    });
    await eventually(async () => expect(await server.read()).not.toEqual(clean));
    child.kill('SIGKILL');
    await nothingLeft();
  });
});

test('hands and watcher end with the server', async () => {
  const bare = await startBareX();
  const input = await openInputDevice(bare.env, soon());
  const before = await watchersOf(process.pid);
  await bare.stop();
  await expect(input.type('x', { deadline: soon() })).rejects.toMatchObject({ delivered: 'no' });
  await input.close();
  const after = await watchersOf(process.pid);
  expect(after.length).toBeLessThan(before.length);
});

/** Numbers of the watchers that a process has started. */
async function watchersOf(pid: number): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const [status, command] = await Promise.all(
      ['status', 'cmdline'].map((file) => readFile(`/proc/${name}/${file}`, 'utf8').catch(() => '')),
    );
    const alive = !/^State:\s+[ZX]/m.test(status!);
    if (alive && new RegExp(`^PPid:\\s+${pid}$`, 'm').test(status!) && command!.includes('release-guard-process')) {
      found.push(Number(name));
    }
  }
  return found;
}
