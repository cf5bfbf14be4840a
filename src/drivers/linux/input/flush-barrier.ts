import type { XEvent } from 'x11';
import { internAtom } from '../x11/atoms.js';
import type { X11Client } from '../x11/client.js';
import { clientMessage, createUnmappedWindow, sendEvent, WINDOW_MANAGER_MASK } from '../x11/wire.js';

/** The reply arrives with SubstructureNotify, as the specification says, or with StructureNotify, as Qt sends it. */
const REPLY_EVENT_MASK = 0x80000 | 0x20000;
const CLIENT_MESSAGE = 33;
const ATOM = 4;
const MAX_PARENTS = 12;
const WINDOW_POLL_MS = 200;

/**
 * Waits until the app with the keyboard focus, or the app under the pointer, has processed all input sent to it so far.
 * It uses _NET_WM_PING, which window managers use to find hung apps. Every toolkit answers it in event order, so after
 * the keys sent before it.
 */
export class AppPing {
  private atoms?: Promise<{ protocols: number; ping: number }>;
  private stamp = 1;

  constructor(private readonly client: X11Client) {}

  /**
   * `answered`: the app has processed all earlier input. `timeout`: no answer in time. `unsupported`: the app does not
   * answer pings. `gone`: its window was destroyed before it answered.
   */
  async waitForAnswer(
    timeoutMs: number,
    whose: 'keyboard' | 'pointer' | { window: number } = 'keyboard',
  ): Promise<'answered' | 'timeout' | 'unsupported' | 'gone'> {
    const { protocols, ping } = await (this.atoms ??= this.internAtoms());
    const window = await this.windowOf(whose, protocols, ping);
    if (window === undefined) return 'unsupported';
    const stamp = this.stamp++;
    const { root, raw } = this.client;
    return new Promise((resolve) => {
      const done = (answer: 'answered' | 'timeout' | 'gone'): void => {
        clearTimeout(timer);
        clearInterval(poll);
        raw.removeListener('event', onEvent);
        this.client.send((x) => x.ChangeWindowAttributes(root, { eventMask: 0 }));
        resolve(answer);
      };
      const onEvent = (event: XEvent): void => {
        const { type, message_type: message, data } = event;
        if (type === CLIENT_MESSAGE && message === protocols && data?.[0] === ping && data[1] === stamp)
          done('answered');
      };
      const timer = setTimeout(() => done('timeout'), timeoutMs);
      const poll = setInterval(() => {
        const tree = this.client.requestIfExists<{ parent: number }>((x, reply) => x.QueryTree(window, reply));
        // The next request reports a lost connection. Here the timeout ends the wait.
        void tree.then((found) => found ?? done('gone')).catch(() => undefined);
      }, WINDOW_POLL_MS);
      raw.on('event', onEvent);
      this.client.send((x) => {
        x.ChangeWindowAttributes(root, { eventMask: REPLY_EVENT_MASK });
        x.SendEvent(window, 0, 0, clientMessage(window, protocols, [ping, stamp, window]));
      });
    });
  }

  private async windowOf(
    whose: 'keyboard' | 'pointer' | { window: number },
    protocols: number,
    ping: number,
  ): Promise<number | undefined> {
    if (whose === 'pointer') return this.windowUnderPointer(protocols, ping);
    if (whose === 'keyboard') return this.focusedWindow(protocols, ping);
    return (await this.supportsPing(whose.window, protocols, ping)) ? whose.window : undefined;
  }

  /** The focused window, or its nearest ancestor that supports the ping. */
  private async focusedWindow(protocols: number, ping: number): Promise<number | undefined> {
    let { focus: window } = await this.client.request<{ focus: number }>((x, reply) => x.GetInputFocus(reply));
    for (let level = 0; level < MAX_PARENTS && window > 1 && window !== this.client.root; level++) {
      const at = window;
      const [isSupported, tree] = await Promise.all([
        this.supportsPing(at, protocols, ping),
        this.client.requestIfExists<{ parent: number }>((x, reply) => x.QueryTree(at, reply)),
      ]);
      if (isSupported) return at;
      if (!tree) return undefined;
      window = tree.parent;
    }
    return undefined;
  }

  /** The outermost window under the pointer that supports the ping. */
  private async windowUnderPointer(protocols: number, ping: number): Promise<number | undefined> {
    let window = this.client.root;
    for (let level = 0; level < MAX_PARENTS; level++) {
      const at = window;
      const pointed = await this.client.requestIfExists<{ child: number }>((x, reply) => x.QueryPointer(at, reply));
      if (!pointed || pointed.child === 0) return undefined;
      window = pointed.child;
      if (await this.supportsPing(window, protocols, ping)) return window;
    }
    return undefined;
  }

  private async supportsPing(window: number, protocols: number, ping: number): Promise<boolean> {
    const property = await this.client.requestIfExists<{ data: Buffer }>((x, reply) =>
      x.GetProperty(0, window, protocols, ATOM, 0, 64, reply),
    );
    return property !== undefined && readCard32s(property.data).includes(ping);
  }

  private async internAtoms(): Promise<{ protocols: number; ping: number }> {
    const [protocols, ping] = await Promise.all(
      ['WM_PROTOCOLS', '_NET_WM_PING'].map((name) => internAtom(this.client, name)),
    );
    return { protocols: protocols!, ping: ping! };
  }
}

const readCard32s = (data: Buffer): number[] =>
  Array.from({ length: data.length >> 2 }, (_, index) => data.readUInt32LE(index * 4));

const PROPERTY_NEW_VALUE = 0;

/**
 * Waits until the window manager has processed all earlier requests: a window that an app maps is shown only after its
 * window manager handled it. The ping is _NET_REQUEST_FRAME_EXTENTS. Every window manager with frames answers it in
 * order, also for a window that was never mapped.
 */
export class WindowManagerPing {
  private atoms?: Promise<{ request: number; extents: number }>;
  /** Our own window; it is never mapped. */
  window?: number;

  constructor(private readonly client: X11Client) {}

  /** False: no answer in time, or the window manager does not support the request. */
  async waitForAnswer(timeoutMs: number): Promise<boolean> {
    const { request, extents } = await (this.atoms ??= this.internAtoms());
    const window = (this.window ??= this.makeWindow());
    const { root, raw } = this.client;
    return new Promise((resolve) => {
      const done = (answer: boolean): void => {
        clearTimeout(timer);
        raw.removeListener('event', onEvent);
        resolve(answer);
      };
      const onEvent = ({ name, wid, atom, state }: XEvent): void => {
        if (name === 'PropertyNotify' && wid === window && atom === extents && state === PROPERTY_NEW_VALUE) done(true);
      };
      const timer = setTimeout(() => done(false), timeoutMs);
      raw.on('event', onEvent);
      this.client.sendRaw(sendEvent(root, WINDOW_MANAGER_MASK, clientMessage(window, request)));
    });
  }

  private makeWindow(): number {
    const window = this.client.raw.AllocID();
    this.client.sendRaw(createUnmappedWindow(window, this.client.root));
    return window;
  }

  private async internAtoms(): Promise<{ request: number; extents: number }> {
    const [request, extents] = await Promise.all(
      ['_NET_REQUEST_FRAME_EXTENTS', '_NET_FRAME_EXTENTS'].map((name) => internAtom(this.client, name)),
    );
    return { request: request!, extents: extents! };
  }
}
