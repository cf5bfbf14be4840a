import { createConnection, type Socket } from 'node:net';
import { connectionSetup, getGeometry, getInputFocus, MessageSplitter } from '../x11/wire.js';

/** Where the server listens, and the cookie it requires. */
export interface ServerAddress {
  /** A local socket; if absent, host and port are used. */
  socket?: string;
  host?: string;
  port?: number;
  /** Base64; absent if the server requires no authorization. */
  cookie?: string;
}

const GET_GEOMETRY = 14;

/**
 * A minimal X client: connects, sends prepared bytes and reads replies. It is for a process that must start quickly, so
 * it loads nothing but the encoders. Little-endian.
 */
export class MinimalXClient {
  private readonly messages = new MessageSplitter();
  private connected = false;
  private resolveReply: (reply: 'reply' | 'error') => void = () => undefined;
  private rejectReply: (error: Error) => void = () => undefined;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => this.read(chunk));
  }

  /** `onClosed` is called when the connection ends, also before the server has answered. */
  static async connect(address: ServerAddress, onClosed: () => void): Promise<MinimalXClient> {
    const socket = address.socket
      ? createConnection(address.socket)
      : createConnection({ host: address.host, port: address.port ?? 6000, noDelay: true });
    const x = new MinimalXClient(socket);
    socket.on('error', () => undefined); // 'close' follows.
    socket.on('close', onClosed);
    const answer = x.nextReply();
    socket.write(connectionSetup(Buffer.from(address.cookie ?? '', 'base64')));
    await answer;
    return x;
  }

  send(bytes: Buffer): void {
    if (bytes.length > 0) this.socket.write(bytes);
  }

  /** Sends a request that has a reply. Requests passed to `send` must have none. */
  request(bytes: Buffer): Promise<'reply' | 'error'> {
    const answer = this.nextReply();
    this.socket.write(bytes);
    return answer;
  }

  /** Whether another client's drawable still exists. The server destroys it when that client's connection ends. */
  async exists(drawable: number): Promise<boolean> {
    return (await this.request(getGeometry(drawable))) === 'reply';
  }

  async sync(): Promise<void> {
    await this.request(getInputFocus());
  }

  private nextReply(): Promise<'reply' | 'error'> {
    return new Promise((resolve, reject) => {
      this.resolveReply = resolve;
      this.rejectReply = reject;
    });
  }

  private read(chunk: Buffer): void {
    for (const message of this.messages.push(chunk)) this.handleMessage(message);
  }

  private handleMessage(message: Buffer): void {
    if (!this.connected) {
      this.connected = true;
      if (message[0] === 1) this.resolveReply('reply');
      else this.rejectReply(new Error('the X server refused the connection'));
    } else if (message[0] === 1) {
      this.resolveReply('reply');
    } else if (message[0] === 0 && message[10] === GET_GEOMETRY) {
      this.resolveReply('error');
    }
  }
}
