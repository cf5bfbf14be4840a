import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { platform } from '../../../platform/index.js';
import { DesktopError } from '../../../shared/index.js';

export interface GuardOptions {
  /** The address that the server listens on. */
  address: string;
  port: number;
  token: string;
  /** Host names under which this server may be addressed, in addition to its own. */
  allowedHosts: readonly string[];
}

interface Refusal {
  status: 401 | 403;
  message: string;
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];
/** Wildcard addresses, which are not valid as a host name. */
const WILDCARD_ADDRESSES = ['0.0.0.0', '::'];
/** Absent: the client is no browser. `none`: the user typed the address. */
const OWN_FETCH_SITES = [undefined, 'none', 'same-origin'];

/**
 * Returns why a request is refused. A web page can send requests here, also under a DNS name that it has rebound to our
 * address. So the Host header must be one of our names, an Origin must be that same name (we serve no pages, so no page
 * has it), and only the token authenticates.
 */
export function findRefusal(
  { address, port, token, allowedHosts }: GuardOptions,
  headers: IncomingHttpHeaders,
  /** Names and values as received. Of a repeated Host header, Node keeps only the first in `headers`. */
  rawHeaders: readonly string[] = [],
): Refusal | undefined {
  const names = [...LOOPBACK, ...(WILDCARD_ADDRESSES.includes(address) ? [] : [hostInUrl(address)])];
  const ours = [...names.map((name) => `${name}:${port}`), ...(port === 80 ? names : []), ...allowedHosts];
  const host = headers.host?.toLowerCase();
  if (host === undefined || !ours.some((name) => name.toLowerCase() === host))
    return { status: 403, message: 'Host is not a name of this server.' };
  if (rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length > 1)
    return { status: 403, message: 'The Host header is repeated.' };
  // Browsers send this header and pages cannot change it. We serve no pages, so every other value names a foreign page.
  if (!OWN_FETCH_SITES.includes(headers['sec-fetch-site']))
    return { status: 403, message: 'Web pages may not call this server.' };
  if (headers.origin !== undefined && headers.origin !== `http://${host}`)
    return { status: 403, message: 'Web pages may not call this server.' };
  const [, given] = /^Bearer ([^\s]+)$/i.exec(headers.authorization ?? '') ?? [];
  if (given === undefined || !constantTimeEqual(given, token)) {
    return { status: 401, message: 'The token is missing or wrong. Send the header Authorization: Bearer TOKEN.' };
  }
  return undefined;
}

/** Formats an address for a URL. */
export const hostInUrl = (address: string): string => (address.includes(':') ? `[${address}]` : address);

/** Compares in constant time, whatever the contents and lengths. */
function constantTimeEqual(a: string, b: string): boolean {
  const sum = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(sum(a), sum(b));
}

/** Limits the number of requests in any second. */
export class RateLimit {
  private readonly times: number[] = [];

  constructor(
    private readonly perSecond: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Whether one more request may pass. */
  tryAcquire(): boolean {
    const now = this.now();
    while (this.times.length > 0 && now - this.times[0]! >= 1_000) this.times.shift();
    if (this.times.length >= this.perSecond) return false;
    this.times.push(now);
    return true;
  }
}

const MIN_TOKEN_LENGTH = 32;

/** Reads the token from a private file, or creates one for this run. */
export function loadToken(file: string | undefined): string {
  if (file === undefined) return randomBytes(32).toString('hex');
  const wrong = (message: string, hint: string): DesktopError => new DesktopError('bad_arguments', message, { hint });
  let text: string;
  try {
    const stat = statSync(file);
    if (platform().isOpenToOthers(stat)) throw wrong(`Other users can read ${file}.`, `Run: chmod 600 ${file}`);
    if (!platform().isOwnedByUser(stat))
      throw wrong(`${file} belongs to another user.`, 'Create a token file of your own.');
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (error instanceof DesktopError) throw error;
    throw wrong(`${file} cannot be read.`, `Create one: (umask 077; openssl rand -hex 32 > ${file})`);
  }
  if (text.length < MIN_TOKEN_LENGTH || /\s/.test(text)) {
    throw wrong(
      `${file} does not contain a token. A token is one word of at least ${MIN_TOKEN_LENGTH} characters.`,
      `Create one: openssl rand -hex 32 > ${file}`,
    );
  }
  return text;
}
