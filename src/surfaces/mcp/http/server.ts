import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { createServer, type IncomingMessage, type Server as NodeServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DEEPEST, depthOf } from '../stdio-transport.js';
import { type Door, Pace, refusedAt } from './request-guard.js';
import type { Sessions } from './sessions.js';

const PATH = '/mcp';
const ARRIVES_WITHIN_MS = 30_000;
const HEADER_BYTES = 16 * 1024;
const PER_SECOND = 100;
const METHODS = 'GET, POST, DELETE';

export interface HttpOptions extends Door {
  sessions: Sessions;
}

/** MCP by HTTP. Each request is let in by itself (door.ts), whatever came before it on the same connection. */
export class HttpServer {
  private readonly pace = new Pace(PER_SECOND);

  private constructor(
    private readonly server: NodeServer,
    private readonly options: HttpOptions,
  ) {
    server.on('request', (request, response) => {
      this.answer(request, response).catch(() => {
        // The client has gone, or the answer cannot be finished: there is nobody left to tell.
        response.destroy();
      });
    });
  }

  static async listen(options: HttpOptions): Promise<HttpServer> {
    const limits = {
      maxHeaderSize: HEADER_BYTES,
      requestTimeout: ARRIVES_WITHIN_MS,
      headersTimeout: ARRIVES_WITHIN_MS,
    };
    const server = createServer(limits);
    const http = new HttpServer(server, options);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(options.port, options.address, resolve);
    });
    return http;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    await this.options.sessions.close();
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { address, token, allowedHosts, sessions } = this.options;
    const refused = refusedAt({ address, port: this.port, token, allowedHosts }, request.headers);
    if (refused) {
      const challenge: Record<string, string> = refused.status === 401 ? { 'www-authenticate': 'Bearer' } : {};
      return say(response, refused.status, refused.says, challenge);
    }
    if (!this.pace.pass()) {
      return say(response, 429, `At most ${PER_SECOND} requests a second.`, { 'retry-after': '1' });
    }
    if (request.url !== PATH) return say(response, 404, `There is only ${PATH}.`);
    if (!METHODS.split(', ').includes(request.method ?? '')) {
      return say(response, 405, `${PATH} takes ${METHODS}.`, { allow: METHODS });
    }
    const body = request.method === 'POST' ? await readBody(request) : { value: undefined };
    if ('status' in body) return say(response, body.status, body.says);
    const id = request.headers['mcp-session-id'];
    const begins = id === undefined && [body.value].flat().some(isInitializeRequest);
    const transport = typeof id === 'string' ? sessions.find(id) : begins ? await sessions.begin() : undefined;
    if (transport) {
      await transport.handleRequest(request, response, body.value);
      return begins ? sessions.settle(transport) : undefined;
    }
    if (begins) return say(response, 503, 'Too many clients are here already.');
    if (id === undefined) return say(response, 400, 'The first request is initialize; later ones name their session.');
    return say(response, 404, 'There is no such session: begin again with initialize.');
  }
}

/** As JSON-RPC says that something is wrong, so that clients can show it. */
function say(response: ServerResponse, status: number, message: string, headers: Record<string, string> = {}): void {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null });
  // A request that was not read to its end would be taken for the next one.
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers }).end(body);
}

export const MOST_BYTES = 4 * 1024 * 1024;

export type Body = { value: unknown } | { status: 400 | 413; says: string };

/** The request's JSON, or why it is none. More than is taken is not kept. */
export async function readBody(request: IncomingMessage): Promise<Body> {
  const tooLong: Body = { status: 413, says: `A request has at most ${MOST_BYTES} bytes.` };
  if (Number(request.headers['content-length'] ?? 0) > MOST_BYTES) return tooLong;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) return tooLong;
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  if (depthOf(text) > DEEPEST) return { status: 400, says: `A request is nested at most ${DEEPEST} deep.` };
  try {
    return { value: JSON.parse(text) };
  } catch {
    // What a parser says of it quotes the request; that it is no JSON is all there is to know.
    return { status: 400, says: 'The request is no JSON.' };
  }
}
