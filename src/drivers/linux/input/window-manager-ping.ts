import type { XEvent } from 'x11';
import { createWindow } from '../clipboard/requests.js';
import type { X11Client } from '../x/x11-client.js';
import { internAtom } from './atom.js';
import { clientMessage } from './client-message.js';

/** Whom questions to the root window reach. */
const TO_THE_MANAGER = 0x100000 | 0x80000;
const PROPERTY_NEW = 0;

/**
 * Asks the window manager whether it has come to the end of what it was asked before: a window that an app wants to
 * show is up only when its manager got round to it. Every manager that can tell frames apart answers how wide a frame
 * would be, also around a window that nobody sees, and in its turn.
 */
export class WindowManagerPing {
  private atoms?: Promise<{ request: number; extents: number }>;
  /** Ours, which nobody sees. */
  window?: number;

  constructor(private readonly client: X11Client) {}

  /** False: it does not say so in time, or does not know the question. */
  async answered(timeoutMs: number): Promise<boolean> {
    const { request, extents } = await (this.atoms ??= this.internAtoms());
    const window = (this.window ??= this.makeWindow());
    const { root, raw } = this.client;
    return new Promise((resolve) => {
      const done = (answer: boolean): void => {
        clearTimeout(timer);
        raw.removeListener('event', hear);
        resolve(answer);
      };
      const hear = ({ name, wid, atom, state }: XEvent): void => {
        if (name === 'PropertyNotify' && wid === window && atom === extents && state === PROPERTY_NEW) done(true);
      };
      const timer = setTimeout(() => done(false), timeoutMs);
      raw.on('event', hear);
      this.client.tell((x) => x.SendEvent(root, 0, TO_THE_MANAGER, clientMessage(window, request)));
    });
  }

  private makeWindow(): number {
    const window = this.client.raw.AllocID();
    this.client.tellRaw(createWindow(window, this.client.root));
    return window;
  }

  private async internAtoms(): Promise<{ request: number; extents: number }> {
    const [request, extents] = await Promise.all(
      ['_NET_REQUEST_FRAME_EXTENTS', '_NET_FRAME_EXTENTS'].map((name) => internAtom(this.client, name)),
    );
    return { request: request!, extents: extents! };
  }
}
