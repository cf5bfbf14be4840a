import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, JSONRPCMessageSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { BoundedLines, TOO_LONG, type Line } from './bounded-lines.js';
import { DEEPEST, depthOf } from './json-depth.js';

const LONGEST = 4 * 1024 * 1024;
/** A client that does not read what it asked for is let go before it fills our memory. */
const MOST_UNREAD = 64 * 1024 * 1024;

/** JSON lines to and from the client that started us. What is no message is answered as such, and the next one counts. */
export class LineTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  private readonly lines = new BoundedLines(LONGEST);
  private over = false;

  constructor(
    private readonly input: Readable,
    private readonly output: Writable,
  ) {}

  async start(): Promise<void> {
    this.input.on('data', (chunk: Buffer) => {
      for (const line of this.lines.push(chunk)) if (!this.over) this.take(line);
    });
    const end = (): void => void this.close();
    // Nobody writes to us any more, or nobody reads us: either way the client has gone.
    this.input.once('end', end).once('close', end).on('error', end);
    this.output.once('close', end).on('error', end);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.write(message);
  }

  async close(): Promise<void> {
    if (this.over) return;
    this.over = true;
    this.input.pause();
    this.onclose?.();
  }

  private take(line: Line): void {
    if (line === TOO_LONG) return this.refuse(ErrorCode.ParseError, `A message has at most ${LONGEST} bytes.`);
    if (line.trim() === '') return;
    if (depthOf(line) > DEEPEST) {
      return this.refuse(ErrorCode.ParseError, `A message is nested at most ${DEEPEST} deep.`);
    }
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      // What a parser says of it quotes the line; that it is no JSON is all there is to know.
      return this.refuse(ErrorCode.ParseError, 'That is no JSON.');
    }
    const parsed = JSONRPCMessageSchema.safeParse(value);
    if (parsed.success) this.onmessage?.(parsed.data);
    else this.refuse(ErrorCode.InvalidRequest, 'That is no message of JSON-RPC 2.0.', value);
  }

  private refuse(code: ErrorCode, message: string, of?: unknown): void {
    const { id } = (of ?? {}) as { id?: unknown };
    const known = typeof id === 'string' || typeof id === 'number' ? id : null;
    // Whoever has gone needs no answer.
    this.write({ jsonrpc: '2.0', id: known, error: { code, message } }).catch(() => undefined);
  }

  private write(message: object): Promise<void> {
    if (this.over) return Promise.reject(new Error('the client has gone'));
    if (this.output.writableLength > MOST_UNREAD) {
      void this.close();
      return Promise.reject(new Error('the client does not read'));
    }
    // What cannot be written ends the transport by itself.
    return new Promise((resolve) => this.output.write(`${JSON.stringify(message)}\n`, () => resolve()));
  }
}
