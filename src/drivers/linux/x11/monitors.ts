import { intersect, type Box } from '../../../tree/index.js';
import type { X11Client } from './client.js';
import { encodeNumbers } from './wire.js';

export interface Monitor {
  /** Starts at 1, in the server's order. */
  number: number;
  bounds: Box;
  primary: boolean;
  /** X has one coordinate space, in physical pixels. */
  scale: 1;
}

/** How this server reports its monitors; determined once per connection. */
export type MonitorSource = { kind: 'randr' | 'xinerama'; opcode: number } | { kind: 'screen' };

export async function findMonitorSource(client: X11Client): Promise<MonitorSource> {
  const [randr, xinerama] = await Promise.all([queryExtension(client, 'RANDR'), queryExtension(client, 'XINERAMA')]);
  if (randr.present) {
    const version = encodeNumbers(randr.majorOpcode, 0, 1, 5);
    const [major, minor] = await client.requestRaw(
      version,
      (body) => [body.readUInt32LE(0), body.readUInt32LE(4)] as const,
    );
    if (major > 1 || minor >= 5) return { kind: 'randr', opcode: randr.majorOpcode };
  }
  return xinerama.present ? { kind: 'xinerama', opcode: xinerama.majorOpcode } : { kind: 'screen' };
}

export async function readMonitors(client: X11Client, source: MonitorSource): Promise<Monitor[]> {
  const found = source.kind === 'screen' ? [] : await requestMonitors(client, source);
  if (found.length) return found;
  const bounds = { x: 0, y: 0, width: client.screen.pixel_width, height: client.screen.pixel_height };
  return [{ number: 1, bounds, primary: true, scale: 1 }];
}

function requestMonitors(client: X11Client, source: Exclude<MonitorSource, { kind: 'screen' }>): Promise<Monitor[]> {
  if (source.kind === 'xinerama') return client.requestRaw(encodeNumbers(source.opcode, 5), unpackXinerama);
  return client.requestRaw(encodeNumbers(source.opcode, 42, client.root, 1), unpackRandr);
}

/** The reply of RandR 1.5 GetMonitors without its first 8 bytes. */
export function unpackRandr(body: Buffer): Monitor[] {
  const monitors: Monitor[] = [];
  const count = body.readUInt32LE(4);
  for (let index = 0, at = 24; index < count && at + 24 <= body.length; index += 1) {
    monitors.push({ number: index + 1, bounds: boxAt(body, at + 8), primary: body[at + 4] === 1, scale: 1 });
    at += 24 + 4 * body.readUInt16LE(at + 6);
  }
  return withPrimary(monitors);
}

function unpackXinerama(body: Buffer): Monitor[] {
  const monitors: Monitor[] = [];
  const count = body.readUInt32LE(0);
  for (let index = 0; index < count; index += 1) {
    monitors.push({ number: index + 1, bounds: boxAt(body, 24 + index * 8), primary: false, scale: 1 });
  }
  return withPrimary(monitors);
}

function withPrimary(monitors: Monitor[]): Monitor[] {
  if (monitors[0] && !monitors.some((monitor) => monitor.primary)) monitors[0].primary = true;
  return monitors;
}

/** The number of the monitor that contains most of the box. */
export function monitorOf(box: Box, monitors: readonly Monitor[]): number | undefined {
  let best: number | undefined;
  let most = 0;
  for (const monitor of monitors) {
    const part = intersect(box, monitor.bounds);
    const area = part ? part.width * part.height : 0;
    if (area > most) [best, most] = [monitor.number, area];
  }
  return best;
}

function boxAt(body: Buffer, at: number): Box {
  return {
    x: body.readInt16LE(at),
    y: body.readInt16LE(at + 2),
    width: body.readUInt16LE(at + 4),
    height: body.readUInt16LE(at + 6),
  };
}

function queryExtension(client: X11Client, name: string) {
  return client.request<{ present: number; majorOpcode: number }>((x, reply) => x.QueryExtension(name, reply));
}
