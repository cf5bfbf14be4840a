import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** A line, or a marker for one that was too long. */
export type Line = string | typeof TOO_LONG;
export const TOO_LONG = Symbol('a line that was too long');

/**
 * Splits a stream into lines. Nothing is kept of a line that is too long, however long it gets; the next line is read
 * normally.
 */
export class BoundedLines {
  private decoder = new StringDecoder('utf8');
  private pieces: string[] = [];
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** Returns the lines that `chunk` completes. */
  push(chunk: Buffer): Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      this.add(chunk.subarray(from, at));
      lines.push(this.bytes > this.maxBytes ? TOO_LONG : this.pieces.join('') + this.decoder.end());
      [this.pieces, this.bytes, this.decoder] = [[], 0, new StringDecoder('utf8')];
      from = at + 1;
    }
    this.add(chunk.subarray(from));
    return lines;
  }

  private add(part: Buffer): void {
    this.bytes += part.length;
    if (this.bytes > this.maxBytes) this.pieces = [];
    else if (part.length > 0) this.pieces.push(this.decoder.write(part));
  }
}

const MAX_LINE_BYTES = 4 * 1024 * 1024;
/** A client that does not read its answers is disconnected before it fills our memory. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;

/**
 * JSON lines to and from the client that started us. Invalid input is answered with an error, and the next line is read
 * normally.
 */
export class LineTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  private readonly lines = new BoundedLines(MAX_LINE_BYTES);
  private isClosed = false;

  constructor(
    private readonly input: Readable,
    private readonly output: Writable,
  ) {}

  async start(): Promise<void> {
    this.input.on('data', (chunk: Buffer) => {
      for (const line of this.lines.push(chunk)) if (!this.isClosed) this.handleLine(line);
    });
    const end = (): void => void this.close();
    // Closed input or closed output: either way the client is gone.
    this.input.once('end', end).once('close', end).on('error', end);
    this.output.once('close', end).on('error', end);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.write(message);
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.input.pause();
    this.onclose?.();
  }

  private handleLine(line: Line): void {
    if (line === TOO_LONG)
      return this.replyError(ErrorCode.ParseError, `A message may have at most ${MAX_LINE_BYTES} bytes.`);
    if (line.trim() === '') return;
    if (jsonDepth(line) > MAX_DEPTH) {
      return this.replyError(ErrorCode.ParseError, `A message may be nested at most ${MAX_DEPTH} levels deep.`);
    }
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      // The parser's message would quote the line, so it is not passed on.
      return this.replyError(ErrorCode.ParseError, 'The message is not valid JSON.');
    }
    const parsed = JSONRPCMessageSchema.safeParse(value);
    if (parsed.success) this.onmessage?.(parsed.data);
    else this.replyError(ErrorCode.InvalidRequest, 'This is not a JSON-RPC 2.0 message.', value);
  }

  private replyError(code: ErrorCode, message: string, of?: unknown): void {
    const { id } = (of ?? {}) as { id?: unknown };
    const known = typeof id === 'string' || typeof id === 'number' ? id : null;
    // A client that disconnected needs no answer.
    this.write({ jsonrpc: '2.0', id: known, error: { code, message } }).catch(() => undefined);
  }

  private write(message: object): Promise<void> {
    if (this.isClosed) return Promise.reject(new Error('the client has disconnected'));
    if (this.output.writableLength > MAX_UNREAD_BYTES) {
      void this.close();
      return Promise.reject(new Error('the client does not read its answers'));
    }
    // A failed write closes the transport through the `error` event.
    return new Promise((resolve) => this.output.write(`${JSON.stringify(message)}\n`, () => resolve()));
  }
}

/** Maximum nesting of a message. */
export const MAX_DEPTH = 64;

/** Nesting depth of brackets outside strings. It is counted before anything is parsed. */
export function jsonDepth(json: string): number {
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
