import { randomUUID } from 'node:crypto';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';

const MOST = 64;
const IDLE_MS = 30 * 60_000;
const SWEEP_MS = 60_000;

interface Session {
  transport: StreamableHTTPServerTransport;
  server: Server;
  usedAt: number;
}

/** The clients that came in by HTTP. An id is random, and proof of nothing: the token is asked for each time. */
export class Sessions {
  private readonly open = new Map<string, Session>();
  private readonly sweeping: NodeJS.Timeout;

  constructor(
    private readonly make: (id: string) => Server,
    private readonly now: () => number = Date.now,
  ) {
    this.sweeping = setInterval(() => void this.sweep(), SWEEP_MS);
    this.sweeping.unref();
  }

  get size(): number {
    return this.open.size;
  }

  find(id: string): StreamableHTTPServerTransport | undefined {
    const session = this.open.get(id);
    if (session) session.usedAt = this.now();
    return session?.transport;
  }

  /** For a client that introduces itself; undefined when there are too many. */
  async begin(): Promise<StreamableHTTPServerTransport | undefined> {
    await this.sweep();
    if (this.open.size >= MOST) return undefined;
    const id = randomUUID();
    const server = this.make(id);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessioninitialized: () => void this.open.set(id, { transport, server, usedAt: this.now() }),
      onsessionclosed: () => this.end(id),
    });
    await server.connect(transport);
    return transport;
  }

  /** After its first request: a client whose introduction was refused has no session, and leaves nothing. */
  async settle(transport: StreamableHTTPServerTransport): Promise<void> {
    if (transport.sessionId === undefined) await transport.close();
  }

  async close(): Promise<void> {
    clearInterval(this.sweeping);
    await Promise.all([...this.open.keys()].map((id) => this.end(id)));
  }

  /** What nobody has used for long is ended. */
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
