import { randomUUID } from 'node:crypto';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { RateLimit } from './request-guard.js';

const MAX_SESSIONS = 64;
export const MAX_REQUESTS_PER_SECOND = 100;
const IDLE_MS = 30 * 60_000;
const SWEEP_MS = 60_000;

interface Session {
  transport: StreamableHTTPServerTransport;
  server: Server;
  usedAt: number;
  rate: RateLimit;
}

/** The sessions of HTTP clients. Session ids are random but do not authenticate: every request needs the token. */
export class Sessions {
  private readonly open = new Map<string, Session>();
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

  /** Starts a session for a client that sends initialize. Undefined if there are too many. */
  async start(): Promise<StreamableHTTPServerTransport | undefined> {
    await this.sweep();
    if (this.open.size >= MAX_SESSIONS) return undefined;
    const id = randomUUID();
    const server = this.createServer(id);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessioninitialized: () =>
        void this.open.set(id, { transport, server, usedAt: this.now(), rate: new RateLimit(MAX_REQUESTS_PER_SECOND) }),
      onsessionclosed: () => this.end(id),
    });
    await server.connect(transport);
    return transport;
  }

  /** Closes a transport whose initialize request was refused, so that nothing remains of it. */
  async closeIfRefused(transport: StreamableHTTPServerTransport): Promise<void> {
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
