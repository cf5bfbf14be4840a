import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { noteDiary } from '../../evidence.js';

interface Answer {
  number: number;
  value?: unknown;
  error?: string;
}

const ANSWER_MS = 20_000;

/** Serves a page on 127.0.0.1 and asks it questions: the page's own word about itself, apart from any reader of ours. */
export class PageServer {
  private readonly pages: ServerResponse[] = [];
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private opened!: Promise<void>;
  private opening!: () => void;
  private last = 0;
  /** What pages of this server, frames included, say that was written into their fields. */
  readonly typed: string[] = [];
  private readonly hanging: ServerResponse[] = [];

  private constructor(private readonly server: Server) {
    this.waitForPage();
  }

  static async start(file: string): Promise<PageServer> {
    const html = await readFile(new URL(`../../fixture-apps/${file}`, import.meta.url));
    const server = createServer((request, response) => void pages.serve(request, response, html));
    const pages = new PageServer(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    noteDiary({ name: file, lines: () => pages.run("typeof diary === 'undefined' ? [] : diary") });
    return pages;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  /** What `code` gives in the page, after it was drawn. */
  async run<T = unknown>(code: string): Promise<T> {
    await this.within(this.opened, 'the page to open');
    const number = ++this.last;
    const answered = new Promise<Answer>((resolve) => this.waiting.set(number, resolve));
    this.pages.at(-1)!.write(`data: ${JSON.stringify({ number, code })}\n\n`);
    const { value, error } = await this.within(answered, code);
    if (error !== undefined) throw new Error(`the page says ${error} to ${code}`);
    return value as T;
  }

  /** A page that asked for `/hang` and waits for it, in the middle of whatever it does, goes on. */
  letGo(): void {
    for (const response of this.hanging.splice(0)) response.end();
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  private async serve(request: IncomingMessage, response: ServerResponse, html: Buffer): Promise<void> {
    if (request.url === '/commands') {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      response.write(':\n\n');
      this.pages.push(response);
      this.opening();
      // A page that was left takes no commands any more.
      response.on('close', () => {
        this.pages.splice(this.pages.indexOf(response), 1);
        if (this.pages.length === 0) this.waitForPage();
      });
    } else if (request.url === '/answers') {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      response.end();
      const answer = JSON.parse(Buffer.concat(chunks).toString()) as Answer;
      this.waiting.get(answer.number)?.(answer);
      this.waiting.delete(answer.number);
    } else if (request.url === '/typed') {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      this.typed.push(Buffer.concat(chunks).toString());
      response.end();
    } else if (request.url === '/hang') {
      this.hanging.push(response);
    } else response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  }

  private waitForPage(): void {
    this.opened = new Promise((resolve) => (this.opening = resolve));
  }

  private async within<T>(work: Promise<T>, what: string): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`${what} did not arrive in time`)), ANSWER_MS);
    });
    return Promise.race([work, late]).finally(() => clearTimeout(timer));
  }
}
