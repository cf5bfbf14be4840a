import { timingSafeEqual, createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface Door {
  /** Where it listens. */
  address: string;
  port: number;
  token: string;
  /** Names under which this server may be addressed besides its own. */
  allowedHosts: readonly string[];
}

export interface Refusal {
  status: 401 | 403;
  says: string;
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];
/** They mean every address of the machine, and name none. */
const EVERYWHERE = ['0.0.0.0', '::'];

/**
 * Who may come in. A page in a browser can send requests here, under a name that it has bent to our address: so the
 * name must be ours, an origin must be that very name (we serve no pages, so no page has it), and only the token proves
 * anything.
 */
export function refusedAt(
  { address, port, token, allowedHosts }: Door,
  headers: IncomingHttpHeaders,
): Refusal | undefined {
  const names = [...LOOPBACK, ...(EVERYWHERE.includes(address) ? [] : [inUrl(address)])];
  const ours = [...names.map((name) => `${name}:${port}`), ...(port === 80 ? names : []), ...allowedHosts];
  const host = headers.host?.toLowerCase();
  if (host === undefined || !ours.some((name) => name.toLowerCase() === host))
    return { status: 403, says: 'This is not a name of this server.' };
  if (headers.origin !== undefined && headers.origin !== `http://${host}`)
    return { status: 403, says: 'Pages may not call this server.' };
  const [, given] = /^Bearer ([^\s]+)$/i.exec(headers.authorization ?? '') ?? [];
  if (given === undefined || !same(given, token)) {
    return { status: 401, says: 'The token is missing or wrong: Authorization: Bearer TOKEN.' };
  }
  return undefined;
}

/** An address as it stands in a URL. */
export const inUrl = (address: string): string => (address.includes(':') ? `[${address}]` : address);

/** In the same time wherever they differ, and however long they are. */
function same(a: string, b: string): boolean {
  const sum = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(sum(a), sum(b));
}
