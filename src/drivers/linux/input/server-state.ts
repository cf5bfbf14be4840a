import type { ExtensionInfo, XEvent } from 'x11';
import { DesktopError } from '../../../shared/index.js';
import type { Point, Size } from '../../../tree/index.js';
import type { X11Client } from '../x11/client.js';
import { KeyboardMap } from './keyboard-map.js';
import {
  fakeInput,
  getKeyboardState,
  ignoreGrabs,
  KEY_RELEASE,
  useKeyboard,
  watchKeyboard,
  type Opcodes,
} from './xtest-requests.js';

export interface InputState {
  pointer: Point;
  /** A bit mask of the pressed buttons; the first button is 1. */
  buttons: number;
  screen: Size;
  /** Modifiers that are held, or latched for the next key. */
  held: number;
  locked: number;
  group: number;
}

/** The server's state of the pointer and the keyboard. */
export class ServerState {
  private map?: Promise<KeyboardMap>;

  private constructor(
    readonly client: X11Client,
    readonly opcodes: Opcodes,
    keyboardEvent: number,
  ) {
    // The only events that this connection selects report a new keyboard or new keysyms.
    client.raw.on('event', ({ type }: XEvent) => {
      if (type === keyboardEvent) this.map = undefined;
    });
  }

  static async open(client: X11Client): Promise<ServerState> {
    const [xtest, xkb] = await Promise.all([requireExtension(client, 'XTEST'), requireExtension(client, 'XKEYBOARD')]);
    const opcodes = { xtest: xtest.majorOpcode, xkb: xkb.majorOpcode };
    const state = new ServerState(client, opcodes, xkb.firstEvent);
    sendRequests(client, ignoreGrabs(opcodes));
    const answered = client.requestRaw(useKeyboard(opcodes), () => undefined);
    // A client that uses the XKB extension no longer receives the core MappingNotify event.
    sendRequests(client, watchKeyboard(opcodes));
    await answered;
    return state;
  }

  /** Reads the state in one round trip. */
  async readState(): Promise<InputState> {
    const { client } = this;
    const [keys, pointer, root] = await Promise.all([
      client.requestRaw(getKeyboardState(this.opcodes), (body) => ({
        base: body[1]!,
        latched: body[2]!,
        locked: body[3]!,
        group: body[4]!,
      })),
      client.request<{ rootX: number; rootY: number; keyMask: number }>((x, reply) =>
        x.QueryPointer(client.root, reply),
      ),
      client.request<Size>((x, reply) => x.GetGeometry(client.root, reply)),
    ]);
    return {
      pointer: { x: pointer.rootX, y: pointer.rootY },
      buttons: (pointer.keyMask >> 8) & 0x1f,
      screen: { width: root.width, height: root.height },
      held: keys.base | keys.latched,
      locked: keys.locked,
      group: keys.group,
    };
  }

  /**
   * The state and the mapping as they apply to our keys. Keyboards can have different layouts, and the server uses the
   * layout of the keyboard used last. Releasing a key that is not pressed makes ours the last one.
   */
  async readKeyboard(): Promise<{ state: InputState; map: KeyboardMap }> {
    sendRequests(this.client, fakeInput(this.opcodes, KEY_RELEASE, this.client.setup.max_keycode));
    const state = await this.readState();
    // Events about a changed mapping arrive before the reply above.
    this.map ??= this.readMap();
    return { state, map: await this.map };
  }

  private async readMap(): Promise<KeyboardMap> {
    const { min_keycode: first, max_keycode: last } = this.client.setup;
    const [rows, modifiers] = await Promise.all([
      this.client.request<number[][]>((x, reply) => x.GetKeyboardMapping(first, last - first + 1, reply)),
      this.client.request<number[][]>((x, reply) => x.GetModifierMapping(reply)),
    ]);
    return new KeyboardMap(first, rows, modifiers);
  }
}

/**
 * Sends one or several encoded requests that have no reply. Each must be counted, or replies would be matched to the
 * wrong request.
 */
export function sendRequests(client: X11Client, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) {
    const end = at + 4 * bytes.readUInt16LE(at + 2);
    client.sendRaw(bytes.subarray(at, end));
    at = end;
  }
}

async function requireExtension(client: X11Client, name: string): Promise<ExtensionInfo> {
  const info = await client.request<ExtensionInfo>((x, reply) => x.QueryExtension(name, reply));
  if (info.present) return info;
  throw new DesktopError(
    'not_supported',
    `Display ${client.name.text} does not support ${name}, so input cannot be injected.`,
    {
      hint: 'Start a private desktop: deskproof desktop start',
    },
  );
}
