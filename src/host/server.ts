import { chmodSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { DesktopError } from '../shared/index.js';
import type { HostHello } from './protocol.js';
import { Session, type Requests } from './session.js';

const MOST_CLIENTS = 128;

export interface ServerOptions {
  socket: string;
  hello: HostHello;
  requests: Requests;
  /** Called with the number of clients whenever it changes. */
  onClients?: (count: number) => void;
}

/** The door of a host. The socket is closed to others from its first moment: umask first, then bind. */
export class HostServer {
  private readonly sessions = new Set<Session>();

  private constructor(private readonly server: Server) {}

  static async listen(options: ServerOptions): Promise<HostServer> {
    const server = createServer();
    const host = new HostServer(server);
    server.on('connection', (socket) => {
      const session = new Session(socket, options.hello, options.requests, () => {
        if (host.sessions.delete(session)) options.onClients?.(host.sessions.size);
      });
      if (host.sessions.size >= MOST_CLIENTS) {
        session.end(new DesktopError('rate_limited', `${MOST_CLIENTS} clients use this desktop already.`));
        return;
      }
      host.sessions.add(session);
      options.onClients?.(host.sessions.size);
    });
    const before = process.umask(0o077);
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(options.socket, resolve);
      });
    } finally {
      process.umask(before);
    }
    chmodSync(options.socket, 0o600);
    return host;
  }

  get clients(): number {
    return this.sessions.size;
  }

  /** Every client learns the reason; the socket file goes with the server. */
  async close(reason: DesktopError): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const session of this.sessions) session.end(reason);
    await closed;
  }
}
