import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { createServer, type IncomingMessage, type Server as NodeServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MAX_DEPTH, jsonDepth } from '../stdio-transport.js';
import { type GuardOptions, RateLimit, findRefusal } from './request-guard.js';
import { MAX_REQUESTS_PER_SECOND, MAX_SESSIONS_PER_ADDRESS, type Sessions } from './sessions.js';

const PATH = '/mcp';
const REQUEST_TIMEOUT_MS = 30_000;
const HEADER_BYTES = 16 * 1024;
/** Of all clients together: a limit for the process, far above what one session may use. */
const MAX_REQUESTS_OF_ALL = 2_000;
/** Requests that belong to no session, such as initialize. */
const MAX_STARTS_PER_SECOND = 100;
const METHODS = 'GET, POST, DELETE';

interface HttpOptions extends GuardOptions {
  sessions: Sessions;
}

/** MCP over HTTP. Every request is authenticated (request-guard.ts), whatever came before on the same connection. */
export class HttpServer {
  private readonly all = new RateLimit(MAX_REQUESTS_OF_ALL);
  private readonly starts = new RateLimit(MAX_STARTS_PER_SECOND);

  private constructor(
    private readonly server: NodeServer,
    private readonly options: HttpOptions,
  ) {
    server.on('request', (request, response) => {
      this.answer(request, response).catch(() => {
        // The client disconnected or the answer cannot be completed.
        response.destroy();
      });
    });
  }

  static async listen(options: HttpOptions): Promise<HttpServer> {
    const limits = {
      maxHeaderSize: HEADER_BYTES,
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: REQUEST_TIMEOUT_MS,
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
    const refused = findRefusal({ address, port: this.port, token, allowedHosts }, request.headers, request.rawHeaders);
    if (refused) {
      const challenge: Record<string, string> = refused.status === 401 ? { 'www-authenticate': 'Bearer' } : {};
      return sendError(response, refused.status, refused.message, challenge);
    }
    const id = request.headers['mcp-session-id'];
    const isKnown = typeof id === 'string' && sessions.has(id);
    if (!this.all.tryAcquire() || (!isKnown && !this.starts.tryAcquire())) return sendTooMany(response);
    const known = isKnown ? sessions.find(id) : undefined;
    if (known === 'busy') return sendTooMany(response);
    if (request.url !== PATH) return sendError(response, 404, `Not found. Use ${PATH}.`);
    if (!METHODS.split(', ').includes(request.method ?? '')) {
      return sendError(response, 405, `${PATH} accepts ${METHODS}.`, { allow: METHODS });
    }
    const body = request.method === 'POST' ? await readBody(request) : { value: undefined };
    if ('status' in body) return sendError(response, body.status, body.message);
    const begins = id === undefined && [body.value].flat().some(isInitializeRequest);
    const transport = known ?? (begins ? await sessions.start(request.socket.remoteAddress) : undefined);
    if (transport === 'full') return sendError(response, 503, 'Too many clients are connected.');
    if (transport === 'too-many') {
      const limit = `At most ${MAX_SESSIONS_PER_ADDRESS} sessions are allowed from one address.`;
      return sendError(response, 429, `${limit} End one with DELETE, or wait until it is idle for 30 minutes.`);
    }
    if (transport) {
      try {
        return await transport.handleRequest(request, response, body.value);
      } finally {
        if (begins) await sessions.closeIfRefused(transport);
      }
    }
    if (id === undefined)
      return sendError(response, 400, 'Send initialize first, then the mcp-session-id header with every request.');
    return sendError(response, 404, 'The session does not exist. Start again with initialize.');
  }
}

function sendTooMany(response: ServerResponse): void {
  const message = `At most ${MAX_REQUESTS_PER_SECOND} requests per second are allowed in a session.`;
  sendError(response, 429, message, { 'retry-after': '1' });
}

/** Answers with a JSON-RPC error, which clients can show. */
function sendError(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Record<string, string> = {},
): void {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null });
  // Closes the connection: the unread rest of the request would be taken for the next one.
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers }).end(body);
}

export const MAX_BODY_BYTES = 4 * 1024 * 1024;

type Body = { value: unknown } | { status: 400 | 413; message: string };

/** Parses the body as JSON or returns why it is refused. Bytes above the limit are not kept. */
export async function readBody(request: IncomingMessage): Promise<Body> {
  const tooLong: Body = { status: 413, message: `A request may have at most ${MAX_BODY_BYTES} bytes.` };
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return tooLong;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return tooLong;
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  if (jsonDepth(text) > MAX_DEPTH)
    return { status: 400, message: `A request may be nested at most ${MAX_DEPTH} levels deep.` };
  try {
    return { value: JSON.parse(text) };
  } catch {
    // The parser's message would quote the request, so it is not passed on.
    return { status: 400, message: 'The request is not valid JSON.' };
  }
}
