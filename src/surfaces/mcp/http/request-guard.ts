import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { platform } from '../../../platform/index.js';
import { DesktopError } from '../../../shared/index.js';

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

/** So many in any second, and no more: whoever asks faster waits or is refused. */
export class Pace {
  private readonly times: number[] = [];

  constructor(
    private readonly most: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Whether one more may pass. */
  pass(): boolean {
    const now = this.now();
    while (this.times.length > 0 && now - this.times[0]! >= 1_000) this.times.shift();
    if (this.times.length >= this.most) return false;
    this.times.push(now);
    return true;
  }
}

const SHORTEST = 32;

/** From a file that nobody else can read, or a new one for this run. */
export function tokenFor(file: string | undefined): string {
  if (file === undefined) return randomBytes(32).toString('hex');
  const wrong = (says: string, hint: string): DesktopError => new DesktopError('bad_arguments', says, { hint });
  let text: string;
  try {
    const stat = statSync(file);
    if (platform().isOpenToOthers(stat)) throw wrong(`Others can read ${file}.`, `chmod 600 ${file}`);
    if (!platform().isOwnedByUser(stat)) throw wrong(`${file} is not yours.`, 'write one of your own.');
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (error instanceof DesktopError) throw error;
    throw wrong(`${file} cannot be read.`, `make one: (umask 077; openssl rand -hex 32 > ${file})`);
  }
  if (text.length < SHORTEST || /\s/.test(text)) {
    throw wrong(`${file} holds no token: one word of at least ${SHORTEST} letters.`, `openssl rand -hex 32 > ${file}`);
  }
  return text;
}
