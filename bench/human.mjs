// How soon a person at the mouse is noticed: the server's own mouse is moved, not the one for injection.
import { watchHumans } from '../dist/drivers/linux/input/index.js';
import { readDevices } from '../dist/drivers/linux/input/input-devices.js';
import { connect } from '../dist/drivers/linux/input/open-hands.js';
import { send } from '../dist/drivers/linux/input/server-state.js';
import { Deadline } from '../dist/index.js';
import { statistics } from './numbers.mjs';

const SLAVE_POINTER = 3;

export async function noticing(env, rounds) {
  const client = await connect(env, Deadline.in(10_000));
  const move = await mouseOf(client);
  const end = new AbortController();
  const events = watchHumans(env, { signal: end.signal });
  await events.ready;
  const seen = events[Symbol.asyncIterator]();
  const took = [];
  for (let round = 0; round < rounds; round++) {
    await new Promise((wake) => setTimeout(wake, 60)); // Longer than motions that belong together.
    const began = performance.now();
    move(round % 2 ? 10 : -10);
    await seen.next();
    took.push(performance.now() - began);
  }
  end.abort();
  client.close();
  return statistics(took);
}

async function mouseOf(client) {
  const extension = await client.extension('xinput');
  const xtest = await client.ask((x, reply) => x.QueryExtension('XTEST', reply));
  const devices = await client.ask((_, reply) => extension.XIQueryDevice(extension.AllDevices, reply));
  const { injected } = await readDevices(client, extension);
  const { deviceId } = devices.find((device) => device.use === SLAVE_POINTER && !injected.has(device.deviceId));
  return (dx) => {
    // An injected motion that names the device, and behind it how far that one went.
    const bytes = Buffer.alloc(68);
    bytes.set([xtest.majorOpcode, 2, bytes.length / 4, 0, extension.firstEvent + 5, 1]);
    bytes.set([deviceId | 0x80, extension.firstEvent, deviceId, 0, 0, 0, 0, 2], 35);
    bytes.writeInt32LE(dx, 44);
    send(client, bytes);
  };
}
