import { createConnection, type Socket } from 'node:net';
import { DesktopError, type Deadline } from '../../../shared/index.js';
import {
  connectionSetup,
  CW_EVENT_MASK,
  encodeRequest,
  MessageSplitter,
  padded,
  PROPERTY_CHANGE_MASK,
} from '../x11/wire.js';
import { socketFile } from './services/display.js';

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
  private readonly messages = new MessageSplitter();
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
      client.root = setup.readUInt32LE(40 + padded(vendorLength) + 8 * formats);
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
    const bytes = encodeRequest(opcode, detail, 4 + padded(data.length));
    data.copy(bytes, 4);
    this.sequence = (this.sequence + 1) & 0xffff;
    this.socket.write(bytes);
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
    this.send(2, 0, uint32s(this.root, CW_EVENT_MASK, PROPERTY_CHANGE_MASK)); // ChangeWindowAttributes
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
    for (const message of this.messages.push(chunk)) this.handleMessage(message);
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
