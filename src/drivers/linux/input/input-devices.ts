import type { InputDevice, InputExtension } from 'x11';
import { XRequestError, type X11Client } from '../x/x11-client.js';
import { internAtom } from './atom.js';
import type { Axis } from './human-signs.js';

const VALUATOR = 2;
const ABSOLUTE = 1;

/** The devices through which programs inject input, and how all others move. */
export interface Devices {
  injected: ReadonlySet<number>;
  axes: ReadonlyMap<number, (Axis | undefined)[]>;
}

export async function readDevices(client: X11Client, extension: InputExtension): Promise<Devices> {
  const [devices, mark] = await Promise.all([
    client.ask<InputDevice[]>((_, reply) => extension.XIQueryDevice(extension.AllDevices, reply)),
    // Set by the server on its own devices for injection. Their names say it too, but any device can have any name.
    internAtom(client, 'XTEST Device', true),
  ]);
  const marked = await Promise.all(devices.map(({ deviceId }) => isMarked(client, extension, deviceId, mark)));
  return {
    injected: new Set(devices.filter((_, index) => marked[index]).map(({ deviceId }) => deviceId)),
    axes: new Map(devices.map((device) => [device.deviceId, axesOf(device)])),
  };
}

async function isMarked(
  client: X11Client,
  { majorOpcode }: InputExtension,
  id: number,
  mark: number,
): Promise<boolean> {
  if (mark === 0) return false;
  const request = Buffer.alloc(24);
  request[0] = majorOpcode;
  request[1] = 59; // XIGetProperty
  request.writeUInt16LE(6, 2);
  request.writeUInt16LE(id, 4);
  request.writeUInt32LE(mark, 8);
  request.writeUInt32LE(1, 20);
  try {
    return await client.askRaw(request, (body) => body.readUInt32LE(8) > 0 && body[24] === 1);
  } catch (error) {
    if (error instanceof XRequestError) return false; // Unplugged in the meantime: it reports nothing any more.
    throw error;
  }
}

function axesOf({ classes }: InputDevice): (Axis | undefined)[] {
  const axes: (Axis | undefined)[] = [];
  for (const { type, number, mode, min = 0, max = 0, value = 0 } of classes) {
    if (type === VALUATOR && number !== undefined && number < 2) {
      axes[number] = { absolute: mode === ABSOLUTE, min, max, value };
    }
  }
  return axes;
}
