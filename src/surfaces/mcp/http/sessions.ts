import { randomUUID } from 'node:crypto';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { RateLimit } from './request-guard.js';

const MAX_SESSIONS = 64;
/** One client cannot take all sessions. Clients are told apart by address: all of them have the same token. */
export const MAX_SESSIONS_PER_ADDRESS = 32;
export const MAX_REQUESTS_PER_SECOND = 100;
const IDLE_MS = 30 * 60_000;
const SWEEP_MS = 60_000;

interface Session {
  transport: StreamableHTTPServerTransport;
  server: Server;
  address: string;
  usedAt: number;
  rate: RateLimit;
}

/** The sessions of HTTP clients. Session ids are random but do not authenticate: every request needs the token. */
export class Sessions {
  private readonly open = new Map<string, Session>();
  /** The addresses of clients whose initialize request is being answered: they count as sessions. */
  private readonly starting = new Map<StreamableHTTPServerTransport, string>();
  private readonly sweepTimer: NodeJS.Timeout;

  constructor(
    private readonly createServer: (id: string) => Server,
    private readonly now: () => number = Date.now,
  ) {
    this.sweepTimer = setInterval(() => void this.sweep(), SWEEP_MS);
    this.sweepTimer.unref();
  }

  get size(): number {
    return this.open.size;
  }

  has(id: string): boolean {
    return this.open.has(id);
  }

  /** `busy`: this session has sent too many requests in the last second. Others are not affected. */
  find(id: string): StreamableHTTPServerTransport | 'busy' | undefined {
    const session = this.open.get(id);
    if (session && !session.rate.tryAcquire()) return 'busy';
    if (session) session.usedAt = this.now();
    return session?.transport;
  }

  /**
   * Starts a session for a client that sends initialize. `full`: there are too many in all; `too-many`: this client has
   * too many, and others still get one.
   */
  async start(remoteAddress = ''): Promise<StreamableHTTPServerTransport | 'full' | 'too-many'> {
    await this.sweep();
    const address = networkOf(remoteAddress);
    const taken = [...[...this.open.values()].map((one) => one.address), ...this.starting.values()];
    if (taken.filter((one) => one === address).length >= MAX_SESSIONS_PER_ADDRESS) return 'too-many';
    if (taken.length >= MAX_SESSIONS) return 'full';
    const id = randomUUID();
    const server = this.createServer(id);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessioninitialized: () => {
        const rate = new RateLimit(MAX_REQUESTS_PER_SECOND);
        this.open.set(id, { transport, server, address, usedAt: this.now(), rate });
        this.starting.delete(transport);
      },
      onsessionclosed: () => this.end(id),
    });
    this.starting.set(transport, address);
    await server.connect(transport);
    return transport;
  }

  /** Closes a transport whose initialize request was refused, so that nothing remains of it. */
  async closeIfRefused(transport: StreamableHTTPServerTransport): Promise<void> {
    this.starting.delete(transport);
    if (transport.sessionId === undefined) await transport.close();
  }

  async close(): Promise<void> {
    clearInterval(this.sweepTimer);
    await Promise.all([...this.open.keys()].map((id) => this.end(id)));
  }

  /** Ends sessions that were idle for too long. */
  async sweep(): Promise<void> {
    const idle = [...this.open].filter(([, { usedAt }]) => this.now() - usedAt >= IDLE_MS);
    await Promise.all(idle.map(([id]) => this.end(id)));
  }

  private async end(id: string): Promise<void> {
    const session = this.open.get(id);
    this.open.delete(id);
    await session?.server.close();
  }
}

/** IPv4 in IPv6 is the same client, and a machine with IPv6 usually has a whole /64. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('%')[0]!.split('::');
  const [first, last] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean));
  const zeros = tail === undefined ? 0 : 8 - first!.length - last!.length;
  return [...first!, ...Array<string>(Math.max(0, zeros)).fill('0'), ...last!].slice(0, 4).join(':');
}
