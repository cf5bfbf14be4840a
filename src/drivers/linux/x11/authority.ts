import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COOKIE_PROTOCOL } from './wire.js';

/** One entry of an Xauthority file. */
interface AuthEntry {
  family: number;
  address: Buffer;
  /** Display number as text; empty means every display. */
  number: string;
  name: string;
  data: Buffer;
}

/** The display that needs a cookie. */
interface AuthTarget {
  number: number;
  /** This machine's name. Local displays and loopback displays are stored under it. */
  hostname: string;
  /** Address of a display on another machine. */
  address?: Buffer;
}

export const FAMILY = { internet: 0, internet6: 6, local: 256, wild: 65535 } as const;
const MAX_BYTES = 1 << 20;

/** Entries up to the first incomplete one: another program may be writing the file at the same time. */
export function parseXauthority(bytes: Buffer): AuthEntry[] {
  const entries: AuthEntry[] = [];
  let at = 0;
  const field = (): Buffer | undefined => {
    if (at + 2 > bytes.length) return undefined;
    const end = at + 2 + bytes.readUInt16BE(at);
    if (end > bytes.length) return undefined;
    const value = bytes.subarray(at + 2, end);
    at = end;
    return value;
  };
  while (at + 2 <= bytes.length) {
    const family = bytes.readUInt16BE(at);
    at += 2;
    const [address, number, name, data] = [field(), field(), field(), field()];
    if (!address || !number || !name || !data) break;
    entries.push({ family, address, number: number.toString('latin1'), name: name.toString('latin1'), data });
  }
  return entries;
}

/** The first matching entry, as every X client chooses it. Only cookies are considered, the one protocol in use. */
export function cookieFor(entries: readonly AuthEntry[], target: AuthTarget): Buffer | undefined {
  return entries.find((entry) => {
    if (entry.name !== COOKIE_PROTOCOL || (entry.number !== '' && entry.number !== String(target.number))) return false;
    if (entry.family === FAMILY.wild) return true;
    if (!target.address) return entry.family === FAMILY.local && entry.address.toString() === target.hostname;
    const family = target.address.length === 4 ? FAMILY.internet : FAMILY.internet6;
    return entry.family === family && entry.address.equals(target.address);
  })?.data;
}

export interface AuthFile {
  path?: string;
  entries: AuthEntry[];
  /** Why the file could not be used. A missing file alone is not an error. */
  problem?: 'missing' | 'unreadable';
}

export async function readAuthFile(env: Record<string, string | undefined>): Promise<AuthFile> {
  const path = env.XAUTHORITY || (env.HOME ? join(env.HOME, '.Xauthority') : undefined);
  if (!path) return { entries: [], problem: 'missing' };
  try {
    const bytes = await readFile(path);
    return { path, entries: parseXauthority(bytes.subarray(0, MAX_BYTES)) };
  } catch (error) {
    return {
      path,
      entries: [],
      problem: (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : 'unreadable',
    };
  }
}

/** The authorization part of the connection setup; empty without a cookie. */
export function authOption(cookie: Buffer | undefined): { name: string; data: string } {
  return cookie ? { name: COOKIE_PROTOCOL, data: cookie.toString('latin1') } : { name: '', data: '' };
}
