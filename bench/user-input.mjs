// How soon user input is detected, and how soon Escape twice has ended a drag: the server's own mouse and keyboard are
// used, not those for injection.
import { readDevices, watchUserInput } from '../dist/drivers/linux/input/user-input.js';
import { connect } from '../dist/drivers/linux/input/input-device.js';
import { sendRequests } from '../dist/drivers/linux/input/server-state.js';
import { Deadline } from './house.mjs';
import { statistics } from './numbers.mjs';

const SLAVE_POINTER = 3;
const SLAVE_KEYBOARD = 4;
const ESCAPE = 9;
/** Counted from the first event of the extension. */
const EVENT = { keyDown: 1, keyUp: 2, motion: 5 };
const MORE_EVENTS = 0x80;

export async function noticing(env, rounds) {
  const client = await connect(env, Deadline.in(10_000));
  const { move } = await userAt(client);
  const end = new AbortController();
  const events = watchUserInput(env, { signal: end.signal });
  await events.ready;
  const seen = events[Symbol.asyncIterator]();
  const took = [];
  for (let round = 0; round < rounds; round++) {
    await pause(60); // Longer than motions that belong together.
    const began = performance.now();
    move(round % 2 ? 10 : -10);
    await seen.next();
    took.push(performance.now() - began);
  }
  end.abort();
  client.close();
  return statistics(took);
}

/** From the second Escape until the drag is called off, its button up and the call answered. */
export async function stopping({ desktop, seat }, rounds) {
  const client = await connect(seat.env, Deadline.in(10_000));
  const { escape } = await userAt(client);
  const { input } = desktop.driver;
  const took = [];
  for (let round = 0; round < rounds; round++) {
    await desktop.user.startWatching(Deadline.in(10_000));
    const drag = (signal) =>
      input.drag({ x: 5, y: 5 }, { x: 305, y: 205 }, { steps: 900, stepMs: 10, deadline: Deadline.in(20_000, signal) });
    const ended = desktop.emergencyStop.guard('ui_drag', undefined, drag).then(
      () => Promise.reject(new Error('the drag was not stopped')),
      () => performance.now(),
    );
    while ((await input.pointer({ deadline: Deadline.in(10_000) })).x < 8) await pause(5);
    escape();
    await client.sync();
    const began = performance.now();
    escape();
    took.push((await ended) - began);
    desktop.resume();
  }
  client.close();
  return statistics(took);
}

async function userAt(client) {
  const extension = await client.extension('xinput');
  const xtest = await client.request((x, reply) => x.QueryExtension('XTEST', reply));
  const devices = await client.request((_, reply) => extension.XIQueryDevice(extension.AllDevices, reply));
  const { injected } = await readDevices(client, extension);
  const own = (use) => devices.find((device) => device.use === use && !injected.has(device.deviceId)).deviceId;
  const [mouse, keyboard] = [own(SLAVE_POINTER), own(SLAVE_KEYBOARD)];
  const fake = (event, detail, device, more = Buffer.alloc(0)) => {
    const bytes = Buffer.alloc(36 + more.length);
    bytes.set([xtest.majorOpcode, 2, bytes.length / 4, 0, extension.firstEvent + event, detail]);
    bytes[35] = device;
    more.copy(bytes, 36);
    sendRequests(client, bytes);
  };
  return {
    move(dx) {
      // An injected motion that names the device, and behind it how far that one went.
      const valuators = Buffer.alloc(32);
      valuators.set([extension.firstEvent, mouse, 0, 0, 0, 0, 2]);
      valuators.writeInt32LE(dx, 8);
      fake(EVENT.motion, 1, mouse | MORE_EVENTS, valuators);
    },
    escape() {
      fake(EVENT.keyDown, ESCAPE, keyboard);
      fake(EVENT.keyUp, ESCAPE, keyboard);
    },
  };
}

const pause = (ms) => new Promise((wake) => setTimeout(wake, ms));
