import { type Deadline, DesktopError } from '../../../shared/index.js';
import { X11Client } from './client.js';
import { encodeNumbers } from './wire.js';

/** Clients that may open the display without its cookie. */
interface DisplayAccess {
  who: string;
  fix: string;
}

const LIST_HOSTS = 110;
const FAMILY_LOCAL_HOST = 252;
const FAMILY_INTERPRETED = 5;

interface Host {
  family: number;
  address: string;
}

/**
 * Any client that may connect can read the keys and pixels of every app on the display. The server's list does not show
 * a server that was started without a cookie, so this also tries to connect without one.
 */
export async function openAccess(client: X11Client, deadline: Deadline): Promise<DisplayAccess | undefined> {
  const { enabled, hosts } = await client.requestRaw(encodeNumbers(LIST_HOSTS, 0), unpackHosts);
  if (!enabled) return { who: 'every client that can reach it', fix: 'xhost -' };
  if (hosts.some((host) => host.family === FAMILY_LOCAL_HOST)) {
    return { who: 'every user of this machine', fix: 'xhost -local:' };
  }
  const named = hosts.find((host) => host.family !== FAMILY_INTERPRETED);
  if (named)
    return {
      who: 'all users of the hosts that xhost allowed',
      fix: 'list them with xhost, then run xhost -NAME for each',
    };
  const hasLocalUser = hosts.some((host) => host.family === FAMILY_INTERPRETED && host.address.startsWith('localuser'));
  if (hasLocalUser || !client.local) return undefined;
  try {
    (await X11Client.connect(client.name, { entries: [] }, deadline.atMost(1000))).close();
  } catch (error) {
    if (error instanceof DesktopError) return undefined; // refused, as it should be
    throw error;
  }
  return {
    who: 'every user of this machine, because the server was started without a cookie',
    fix: 'start its server with -auth FILE',
  };
}

/** The reply of ListHosts without its first 8 bytes; `mode` is the second of those. */
export function unpackHosts(body: Buffer, mode: number): { enabled: boolean; hosts: Host[] } {
  const hosts: Host[] = [];
  const count = body.readUInt16LE(0);
  for (let index = 0, at = 24; index < count && at + 4 <= body.length; index += 1) {
    const length = body.readUInt16LE(at + 2);
    hosts.push({ family: body[at]!, address: body.toString('latin1', at + 4, at + 4 + length) });
    at += 4 + Math.ceil(length / 4) * 4;
  }
  return { enabled: mode !== 0, hosts };
}
