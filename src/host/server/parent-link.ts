import { Socket } from 'node:net';
import type { DesktopError } from '../../shared/index.js';
import type { StartReport } from '../client/start-host.js';

const PARENT_LINK_FD = 3;

/** The host's end of the parent link: reports once, and notices when the process that started the host has ended. */
export class ParentLink {
  readonly parentEnded: Promise<void>;
  private readonly socket: Socket;
  private detached = false;

  constructor(fd = PARENT_LINK_FD) {
    this.socket = new Socket({ fd, readable: true, writable: true });
    this.parentEnded = new Promise((resolve) => {
      const end = () => {
        if (!this.detached) resolve();
      };
      this.socket.on('end', end).on('close', end);
    });
    this.socket.on('error', () => undefined); // 'close' follows and is handled.
    this.socket.resume();
  }

  ready(): void {
    this.report({ ready: true });
  }

  failed(error: DesktopError): Promise<void> {
    return new Promise((resolve) => this.socket.end(line({ failed: error.toJSON() }), () => resolve()));
  }

  /** From now on the host runs on its own. */
  detach(): void {
    this.detached = true;
    this.socket.end();
  }

  private report(message: StartReport): void {
    this.socket.write(line(message));
  }
}

const line = (message: StartReport): string => `${JSON.stringify(message)}\n`;
