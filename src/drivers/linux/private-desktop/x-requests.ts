import { createConnection, type Socket } from 'node:net';
import { DesktopError, type Deadline } from '../../../shared/index.js';
import { COOKIE_NAME, socketFile } from './services/display.js';

interface PendingReply {
  resolve: (reply: Buffer) => void;
  reject: (error: Error) => void;
}

const PROPERTY_NOTIFY = 28;

/**
 * A minimal X client with the few requests needed while a private desktop boots. npm `x11` has no RandR monitors, and
 * this client costs no start-up time. Little-endian, core protocol; the driver does not use it.
 */
export class BootXClient {
  root = 0;
  private bytes = Buffer.alloc(0);
  private sequence = 0;
  private isSetUp = false;
  private failure?: Error;
  private readonly pending = new Map<number, PendingReply>();
  private readonly propertyListeners = new Set<() => void>();

  private constructor(private readonly socket: Socket) {}

  static async connect(display: number, cookie: Buffer, deadline: Deadline): Promise<BootXClient> {
    const socket = createConnection(socketFile(display));
    const client = new BootXClient(socket);
    const ready = new Promise<Buffer>((resolve, reject) => client.pending.set(0, { resolve, reject }));
    socket.on('data', (chunk) => client.read(chunk));
    socket.on('error', (error) => client.fail(error));
    socket.on('close', () => client.fail(new Error('the X server closed the connection')));
    socket.write(connectionSetup(cookie));
    try {
      const setup = await deadline.race(ready, 'Opening the new display');
      const vendorLength = setup.readUInt16LE(24);
      const formats = setup[29] ?? 0;
      client.root = setup.readUInt32LE(40 + pad(vendorLength) + 8 * formats);
      return client;
    } catch (error) {
      socket.destroy();
      if (error instanceof DesktopError) throw error;
      throw new DesktopError('driver_unavailable', 'The new display rejected our connection.', {
        cause: error,
      });
    }
  }

  /** `data` is the request after its 4-byte header; this method pads it. */
  send(opcode: number, detail: number, data: Buffer): void {
    const header = Buffer.alloc(4);
    header[0] = opcode;
    header[1] = detail;
    header.writeUInt16LE((4 + pad(data.length)) / 4, 2);
    this.sequence = (this.sequence + 1) & 0xffff;
    this.socket.write(Buffer.concat([header, data, Buffer.alloc(pad(data.length) - data.length)]));
  }

  request(opcode: number, detail: number, data: Buffer): Promise<Buffer> {
    if (this.failure) return Promise.reject(this.failure);
    this.send(opcode, detail, data);
    return new Promise((resolve, reject) => this.pending.set(this.sequence, { resolve, reject }));
  }

  async atom(name: string): Promise<number> {
    return (await this.request(16, 0, Buffer.concat([uint16s(name.length, 0), Buffer.from(name)]))).readUInt32LE(8);
  }

  /** Resolves when `test` returns true. Tests again whenever a property of the root window changes. */
  async waitForRootProperty(test: () => Promise<boolean>, deadline: Deadline, what: string): Promise<void> {
    this.send(2, 0, uint32s(this.root, 0x800, 0x400000)); // ChangeWindowAttributes: event mask PropertyChange
    let changed = (): void => undefined;
    this.propertyListeners.add(() => changed());
    for (;;) {
      const change = new Promise<void>((resolve) => (changed = resolve));
      if (await deadline.race(test(), what)) return;
      await deadline.race(change, what);
    }
  }

  /** Resolves when the server has executed everything sent so far. */
  async sync(): Promise<void> {
    await this.request(43, 0, Buffer.alloc(0)); // GetInputFocus
  }

  close(): void {
    this.socket.destroy();
  }

  private read(chunk: Buffer): void {
    this.bytes = Buffer.concat([this.bytes, chunk]);
    for (;;) {
      const size = this.messageSize();
      if (size === undefined || this.bytes.length < size) return;
      const message = this.bytes.subarray(0, size);
      this.bytes = this.bytes.subarray(size);
      this.handleMessage(message);
    }
  }

  private messageSize(): number | undefined {
    if (this.bytes.length < 8) return undefined;
    if (!this.isSetUp) return 8 + 4 * this.bytes.readUInt16LE(6);
    return 32 + (this.bytes[0] === 1 ? 4 * this.bytes.readUInt32LE(4) : 0);
  }

  private handleMessage(message: Buffer): void {
    if (!this.isSetUp) {
      this.isSetUp = true;
      if (message[0] === 1) this.resolveReply(0, message);
      else this.fail(new Error(`refused: ${message.subarray(8, 8 + (message[1] ?? 0)).toString('latin1')}`));
    } else if (message[0] === 0) {
      this.rejectReply(message.readUInt16LE(2), new Error(`X error ${message[1]} on request ${message[10]}`));
    } else if (message[0] === 1) {
      this.resolveReply(message.readUInt16LE(2), message);
    } else if ((message[0] ?? 0) % 128 === PROPERTY_NOTIFY) {
      for (const listener of this.propertyListeners) listener();
    }
  }

  private resolveReply(sequence: number, message: Buffer): void {
    this.pending.get(sequence)?.resolve(Buffer.from(message));
    this.pending.delete(sequence);
  }

  private rejectReply(sequence: number, error: Error): void {
    this.pending.get(sequence)?.reject(error);
    this.pending.delete(sequence);
  }

  private fail(error: Error): void {
    this.failure = error;
    for (const sequence of [...this.pending.keys()]) this.rejectReply(sequence, error);
  }
}

export const pad = (length: number): number => Math.ceil(length / 4) * 4;

export function uint32s(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32LE(value, index * 4));
  return bytes;
}

export function uint16s(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => bytes.writeUInt16LE(value, index * 2));
  return bytes;
}

function connectionSetup(cookie: Buffer): Buffer {
  const name = Buffer.alloc(pad(COOKIE_NAME.length));
  name.write(COOKIE_NAME);
  return Buffer.concat([
    Buffer.from('l\0'),
    uint16s(11, 0, COOKIE_NAME.length, cookie.length, 0),
    name,
    cookie,
    Buffer.alloc(pad(cookie.length) - cookie.length),
  ]);
}
