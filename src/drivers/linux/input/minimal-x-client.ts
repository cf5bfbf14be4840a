import { createConnection, type Socket } from 'node:net';

/** Where a server listens and what it wants to be shown. */
export interface Door {
  /** Of this machine; otherwise host and port. */
  socket?: string;
  host?: string;
  port?: number;
  /** Base64; none when the door is open. */
  cookie?: string;
}

const COOKIE = 'MIT-MAGIC-COOKIE-1';
const GET_GEOMETRY = 14;
const GET_INPUT_FOCUS = 43;

/**
 * The least that speaks X: it opens the door, sends bytes that others made, and hears answers. For a process that must
 * start in no time; it loads nothing else. Little-endian.
 */
export class BareX {
  private bytes = Buffer.alloc(0);
  private open = false;
  private heard: (answer: 'reply' | 'error') => void = () => undefined;
  private failed: (error: Error) => void = () => undefined;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => this.read(chunk));
  }

  /** `onGone` is told when the server goes, also before it has answered. */
  static async connect(door: Door, onGone: () => void): Promise<BareX> {
    const socket = door.socket
      ? createConnection(door.socket)
      : createConnection({ host: door.host, port: door.port ?? 6000, noDelay: true });
    const x = new BareX(socket);
    socket.on('error', () => undefined); // 'close' follows.
    socket.on('close', onGone);
    const answer = x.next();
    socket.write(setup(Buffer.from(door.cookie ?? '', 'base64')));
    await answer;
    return x;
  }

  send(bytes: Buffer): void {
    if (bytes.length > 0) this.socket.write(bytes);
  }

  /** Sends a request that is answered; all others so far are not. */
  ask(bytes: Buffer): Promise<'reply' | 'error'> {
    const answer = this.next();
    this.socket.write(bytes);
    return answer;
  }

  /** Whether a drawable of another program is still there: with its connection it goes. */
  async exists(drawable: number): Promise<boolean> {
    const bytes = Buffer.from([GET_GEOMETRY, 0, 2, 0, 0, 0, 0, 0]);
    bytes.writeUInt32LE(drawable, 4);
    return (await this.ask(bytes)) === 'reply';
  }

  async sync(): Promise<void> {
    await this.ask(Buffer.from([GET_INPUT_FOCUS, 0, 1, 0]));
  }

  private next(): Promise<'reply' | 'error'> {
    return new Promise((resolve, reject) => {
      this.heard = resolve;
      this.failed = reject;
    });
  }

  private read(chunk: Buffer): void {
    this.bytes = Buffer.concat([this.bytes, chunk]);
    for (;;) {
      const size = this.size();
      if (size === undefined || this.bytes.length < size) return;
      const message = this.bytes.subarray(0, size);
      this.bytes = this.bytes.subarray(size);
      this.take(message);
    }
  }

  private size(): number | undefined {
    if (this.bytes.length < 8) return undefined;
    if (!this.open) return 8 + 4 * this.bytes.readUInt16LE(6);
    const longer = this.bytes[0] === 1 || this.bytes[0] === 35;
    return 32 + (longer ? 4 * this.bytes.readUInt32LE(4) : 0);
  }

  private take(message: Buffer): void {
    if (!this.open) {
      this.open = true;
      if (message[0] === 1) this.heard('reply');
      else this.failed(new Error('the X server does not let us in'));
    } else if (message[0] === 1) {
      this.heard('reply');
    } else if (message[0] === 0 && message[10] === GET_GEOMETRY) {
      this.heard('error');
    }
  }
}

function setup(cookie: Buffer): Buffer {
  const name = cookie.length > 0 ? COOKIE : '';
  const padded = (length: number): number => Math.ceil(length / 4) * 4;
  const bytes = Buffer.alloc(12 + padded(name.length) + padded(cookie.length));
  bytes.write('l');
  bytes.writeUInt16LE(11, 2);
  bytes.writeUInt16LE(name.length, 6);
  bytes.writeUInt16LE(cookie.length, 8);
  bytes.write(name, 12);
  cookie.copy(bytes, 12 + padded(name.length));
  return bytes;
}
