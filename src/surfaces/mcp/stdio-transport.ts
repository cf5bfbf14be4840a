import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** A line, or that there was one which is longer than is taken. */
export type Line = string | typeof TOO_LONG;
export const TOO_LONG = Symbol('a line that was too long');

/** Splits a stream into lines. Of one that is too long nothing is kept, however long it gets; the next one counts. */
export class BoundedLines {
  private decoder = new StringDecoder('utf8');
  private pieces: string[] = [];
  private bytes = 0;

  constructor(private readonly most: number) {}

  /** The lines that `chunk` completes. */
  push(chunk: Buffer): Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      this.add(chunk.subarray(from, at));
      lines.push(this.bytes > this.most ? TOO_LONG : this.pieces.join('') + this.decoder.end());
      [this.pieces, this.bytes, this.decoder] = [[], 0, new StringDecoder('utf8')];
      from = at + 1;
    }
    this.add(chunk.subarray(from));
    return lines;
  }

  private add(part: Buffer): void {
    this.bytes += part.length;
    if (this.bytes > this.most) this.pieces = [];
    else if (part.length > 0) this.pieces.push(this.decoder.write(part));
  }
}

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

/** No message is nested deeper. */
export const DEEPEST = 64;

/** Of brackets outside of strings; counted before anything is built. */
export function depthOf(json: string): number {
  let [depth, deepest, inString] = [0, 0, false];
  for (let at = 0; at < json.length; at++) {
    const letter = json[at];
    if (inString) {
      if (letter === '\\') at += 1;
      else if (letter === '"') inString = false;
    } else if (letter === '"') inString = true;
    else if (letter === '{' || letter === '[') deepest = Math.max(deepest, ++depth);
    else if (letter === '}' || letter === ']') depth -= 1;
  }
  return deepest;
}
