import { timingSafeEqual, createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface Door {
  port: number;
  token: string;
  /** Names under which this server may be addressed besides the loopback's own. */
  allowedHosts: readonly string[];
}

export interface Refusal {
  status: 401 | 403;
  says: string;
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Who may come in. A page in a browser can send requests here, under a name that it has bent to our address: so the
 * name must be ours, whoever has an origin is no program of the person's, and only the token proves anything.
 */
export function refusedAt({ port, token, allowedHosts }: Door, headers: IncomingHttpHeaders): Refusal | undefined {
  const ours = [...LOOPBACK.map((name) => `${name}:${port}`), ...(port === 80 ? LOOPBACK : []), ...allowedHosts];
  const host = headers.host?.toLowerCase();
  if (host === undefined || !ours.includes(host)) return { status: 403, says: 'This is not a name of this server.' };
  if (headers.origin !== undefined) return { status: 403, says: 'Pages may not call this server.' };
  const [, given] = /^Bearer ([^\s]+)$/.exec(headers.authorization ?? '') ?? [];
  if (given === undefined || !same(given, token)) {
    return { status: 401, says: 'The token is missing or wrong: Authorization: Bearer TOKEN.' };
  }
  return undefined;
}

/** In the same time wherever they differ, and however long they are. */
function same(a: string, b: string): boolean {
  const sum = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(sum(a), sum(b));
}
