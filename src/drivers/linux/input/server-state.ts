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

export interface State {
  pointer: Point;
  /** Bits of the buttons that are down, the first is 1. */
  buttons: number;
  screen: Size;
  /** Modifiers that are held or wait for the next key. */
  held: number;
  locked: number;
  group: number;
}

/** What the server says about pointer and keyboard. */
export class ServerState {
  private map?: Promise<KeyboardMap>;

  private constructor(
    readonly client: X11Client,
    readonly opcodes: Opcodes,
    keyboardEvent: number,
  ) {
    // Only news of a new keyboard or new symbols are asked for.
    client.raw.on('event', ({ type }: XEvent) => {
      if (type === keyboardEvent) this.map = undefined;
    });
  }

  static async open(client: X11Client): Promise<ServerState> {
    const [xtest, xkb] = await Promise.all([extension(client, 'XTEST'), extension(client, 'XKEYBOARD')]);
    const opcodes = { xtest: xtest.majorOpcode, xkb: xkb.majorOpcode };
    const state = new ServerState(client, opcodes, xkb.firstEvent);
    send(client, ignoreGrabs(opcodes));
    const answered = client.askRaw(useKeyboard(opcodes), () => undefined);
    // A program that has said this much is not told of changes in the old way any more.
    send(client, watchKeyboard(opcodes));
    await answered;
    return state;
  }

  /** One round trip. */
  async look(): Promise<State> {
    const { client } = this;
    const [keys, pointer, root] = await Promise.all([
      client.askRaw(getKeyboardState(this.opcodes), (body) => ({
        base: body[1]!,
        latched: body[2]!,
        locked: body[3]!,
        group: body[4]!,
      })),
      client.ask<{ rootX: number; rootY: number; keyMask: number }>((x, reply) => x.QueryPointer(client.root, reply)),
      client.ask<Size>((x, reply) => x.GetGeometry(client.root, reply)),
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
   * The state and the table of keys as they will be for keys that we strike. Keyboards may have different layouts, and
   * the server changes to that of the one that was used last: with a key that nobody holds being let go, that is ours.
   */
  async lookAtKeys(): Promise<{ state: State; map: KeyboardMap }> {
    send(this.client, fakeInput(this.opcodes, KEY_RELEASE, this.client.setup.max_keycode));
    const state = await this.look();
    // News about the table come before the answer above.
    this.map ??= this.readMap();
    return { state, map: await this.map };
  }

  private async readMap(): Promise<KeyboardMap> {
    const { min_keycode: first, max_keycode: last } = this.client.setup;
    const [rows, modifiers] = await Promise.all([
      this.client.ask<number[][]>((x, reply) => x.GetKeyboardMapping(first, last - first + 1, reply)),
      this.client.ask<number[][]>((x, reply) => x.GetModifierMapping(reply)),
    ]);
    return new KeyboardMap(first, rows, modifiers);
  }
}

/** Requests without an answer, as bytes: one or several. Each counts, or answers would be taken for another's. */
export function send(client: X11Client, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) {
    const end = at + 4 * bytes.readUInt16LE(at + 2);
    const one = bytes.subarray(at, end);
    client.tell((x) => {
      x.seq_num += 1;
      x.pack_stream.put(one);
      x.pack_stream.submit(false);
    });
    at = end;
  }
}

async function extension(client: X11Client, name: string): Promise<ExtensionInfo> {
  const info = await client.ask<ExtensionInfo>((x, reply) => x.QueryExtension(name, reply));
  if (info.present) return info;
  throw new DesktopError('not_supported', `Display ${client.name.text} has no ${name}: input cannot be injected.`, {
    hint: 'Start a private desktop: deskproof desktop start',
  });
}
