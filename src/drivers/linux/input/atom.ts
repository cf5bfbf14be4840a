import type { X11Client } from '../x/x11-client.js';

/** The number of a name; 0 when `known` is asked for and nobody has used that name yet. */
export function internAtom(client: X11Client, name: string, known = false): Promise<number> {
  const request = Buffer.alloc(8 + Math.ceil(name.length / 4) * 4);
  request[0] = 16;
  request[1] = known ? 1 : 0;
  request.writeUInt16LE(request.length / 4, 2);
  request.writeUInt16LE(name.length, 4);
  request.write(name, 8, 'latin1');
  return client.askRaw(request, (body) => body.readUInt32LE(0));
}
