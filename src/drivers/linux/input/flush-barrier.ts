import type { XEvent } from 'x11';
import { createWindow } from '../clipboard/requests.js';
import { internAtom } from '../x11/atoms.js';
import type { X11Client } from '../x11/client.js';
import { clientMessage } from './xtest-requests.js';

/** Substructure, as is agreed; structure, as Qt does it. */
const ANSWERS = 0x80000 | 0x20000;
const CLIENT_MESSAGE = 33;
const ATOM = 4;
const MAX_PARENTS = 12;
const STILL_THERE_MS = 200;

/**
 * Asks the app that has the keyboard, or the pointer, whether it has come to the end of what was sent to it. Every toolkit answers this
 * question (window managers ask it to find hung apps), and in its turn: after the keys before it.
 */
export class AppPing {
  private atoms?: Promise<{ protocols: number; ping: number }>;
  private stamp = 1;

  constructor(private readonly client: X11Client) {}

  /**
   * `yes`: it has dealt with all so far. `no`: it does not say so in time. `mute`: it never answers such questions.
   * `gone`: its window went away before it did.
   */
  async answered(
    timeoutMs: number,
    whose: 'keyboard' | 'pointer' = 'keyboard',
  ): Promise<'yes' | 'no' | 'mute' | 'gone'> {
    const { protocols, ping } = await (this.atoms ??= this.internAtoms());
    const window = await (whose === 'pointer' ? this.underPointer(protocols, ping) : this.askedWindow(protocols, ping));
    if (window === undefined) return 'mute';
    const stamp = this.stamp++;
    const { root, raw } = this.client;
    return new Promise((resolve) => {
      const done = (answer: 'yes' | 'no' | 'gone'): void => {
        clearTimeout(timer);
        clearInterval(looking);
        raw.removeListener('event', hear);
        this.client.tell((x) => x.ChangeWindowAttributes(root, { eventMask: 0 }));
        resolve(answer);
      };
      const hear = (event: XEvent): void => {
        const { type, message_type: message, data } = event;
        if (type === CLIENT_MESSAGE && message === protocols && data?.[0] === ping && data[1] === stamp) done('yes');
      };
      const timer = setTimeout(() => done('no'), timeoutMs);
      const looking = setInterval(() => {
        const tree = this.client.askGone<{ parent: number }>((x, reply) => x.QueryTree(window, reply));
        // A connection that is lost is told to whoever asks next; here the time runs out.
        void tree.then((there) => there ?? done('gone')).catch(() => undefined);
      }, STILL_THERE_MS);
      raw.on('event', hear);
      this.client.tell((x) => {
        x.ChangeWindowAttributes(root, { eventMask: ANSWERS });
        x.SendEvent(window, 0, 0, clientMessage(window, protocols, [ping, stamp, window]));
      });
    });
  }

  /** The window with the keyboard, or the one around it that says that it answers. */
  private async askedWindow(protocols: number, ping: number): Promise<number | undefined> {
    let { focus: window } = await this.client.ask<{ focus: number }>((x, reply) => x.GetInputFocus(reply));
    for (let level = 0; level < MAX_PARENTS && window > 1 && window !== this.client.root; level++) {
      const at = window;
      const [says, tree] = await Promise.all([
        this.says(at, protocols, ping),
        this.client.askGone<{ parent: number }>((x, reply) => x.QueryTree(at, reply)),
      ]);
      if (says) return at;
      if (!tree) return undefined;
      window = tree.parent;
    }
    return undefined;
  }

  /** The first window from the outside in that says that it answers. */
  private async underPointer(protocols: number, ping: number): Promise<number | undefined> {
    let window = this.client.root;
    for (let level = 0; level < MAX_PARENTS; level++) {
      const at = window;
      const pointed = await this.client.askGone<{ child: number }>((x, reply) => x.QueryPointer(at, reply));
      if (!pointed || pointed.child === 0) return undefined;
      window = pointed.child;
      if (await this.says(window, protocols, ping)) return window;
    }
    return undefined;
  }

  private async says(window: number, protocols: number, ping: number): Promise<boolean> {
    const property = await this.client.askGone<{ data: Buffer }>((x, reply) =>
      x.GetProperty(0, window, protocols, ATOM, 0, 64, reply),
    );
    return property !== undefined && words(property.data).includes(ping);
  }

  private async internAtoms(): Promise<{ protocols: number; ping: number }> {
    const [protocols, ping] = await Promise.all(
      ['WM_PROTOCOLS', '_NET_WM_PING'].map((name) => internAtom(this.client, name)),
    );
    return { protocols: protocols!, ping: ping! };
  }
}

const words = (data: Buffer): number[] =>
  Array.from({ length: data.length >> 2 }, (_, index) => data.readUInt32LE(index * 4));

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
