import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const MOST_BYTES = 100_000;

/** Shows a form on 127.0.0.1 and keeps what was sent with it, as it arrived. */
export class FormServer {
  readonly received: URLSearchParams[] = [];

  private constructor(private readonly server: Server) {}

  static async start(form: string): Promise<FormServer> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      request.on('data', (chunk: Buffer) => {
        if ((size += chunk.length) <= MOST_BYTES) chunks.push(chunk);
      });
      request.on('end', () => {
        const sent = request.method === 'POST';
        if (sent) forms.received.push(new URLSearchParams(Buffer.concat(chunks).toString()));
        response.setHeader('content-type', 'text/html; charset=utf-8');
        response.end(sent ? page('Thank you', '<h1>Thank you</h1>') : page('New account', form));
      });
    });
    const forms = new FormServer(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return forms;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }
}

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body>${body}</body></html>`;
