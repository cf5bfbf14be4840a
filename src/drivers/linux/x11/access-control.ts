import { type Deadline, DesktopError } from '../../../shared/index.js';
import { X11Client } from './client.js';

/** Who may open the display besides those who have its cookie. */
export interface OpenDoor {
  who: string;
  fix: string;
}

const FAMILY_LOCAL_HOST = 252;
const FAMILY_INTERPRETED = 5;

interface Host {
  family: number;
  address: string;
}

/**
 * A display that lets others in lets them read keys and pixels of everything on it. What the server's list does not
 * tell (a server that was started without a cookie at all) is found out by knocking without one.
 */
export async function openDoor(client: X11Client, deadline: Deadline): Promise<OpenDoor | undefined> {
  const { enabled, hosts } = await client.askRaw(Buffer.from([110, 0, 1, 0]), unpackHosts);
  if (!enabled) return { who: 'everybody who can reach it', fix: 'xhost -' };
  if (hosts.some((host) => host.family === FAMILY_LOCAL_HOST)) {
    return { who: 'every user of this machine', fix: 'xhost -local:' };
  }
  const named = hosts.find((host) => host.family !== FAMILY_INTERPRETED);
  if (named)
    return { who: 'everybody on machines that were let in with xhost', fix: 'xhost, then xhost -NAME for each' };
  const mine = hosts.some((host) => host.family === FAMILY_INTERPRETED && host.address.startsWith('localuser'));
  if (mine || !client.local) return undefined;
  try {
    (await X11Client.connect(client.name, { entries: [] }, deadline.atMost(1000))).close();
  } catch (error) {
    if (error instanceof DesktopError) return undefined; // refused, as it should be
    throw error;
  }
  return {
    who: 'every user of this machine: it was started without a cookie',
    fix: 'start its server with -auth FILE',
  };
}

/** Reply of ListHosts without its first 8 bytes; `mode` is the second of those. */
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
