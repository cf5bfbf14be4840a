import { Socket } from 'node:net';
import type { DesktopError } from '../../shared/index.js';
import type { Readiness } from '../client/start-host.js';

const LEASH_FILE = 3;

/** The host's end of the leash: reports there once, and learns when the process that started it is gone. */
export class ParentLink {
  readonly gone: Promise<void>;
  private readonly socket: Socket;
  private dropped = false;

  constructor(fd = LEASH_FILE) {
    this.socket = new Socket({ fd, readable: true, writable: true });
    this.gone = new Promise((resolve) => {
      const end = () => {
        if (!this.dropped) resolve();
      };
      this.socket.on('end', end).on('close', end);
    });
    this.socket.on('error', () => undefined); // 'close' follows and says the same.
    this.socket.resume();
  }

  ready(): void {
    this.report({ ready: true });
  }

  failed(error: DesktopError): Promise<void> {
    return new Promise((resolve) => this.socket.end(line({ failed: error.toJSON() }), () => resolve()));
  }

  /** From now on this host lives on its own. */
  drop(): void {
    this.dropped = true;
    this.socket.end();
  }

  private report(message: Readiness): void {
    this.socket.write(line(message));
  }
}

const line = (message: Readiness): string => `${JSON.stringify(message)}\n`;
