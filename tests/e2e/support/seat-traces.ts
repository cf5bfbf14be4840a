import { connect } from '../../../src/drivers/linux/input/input-device.js';
import { ServerState } from '../../../src/drivers/linux/input/server-state.js';
import type { X11Client } from '../../../src/drivers/linux/x11/client.js';
import { soon, type Env } from './x-seat.js';

/** Everything that synthetic input could leave behind, as the X server reports it. */
export interface Traces {
  keys: number[];
  buttons: number;
  held: number;
  locked: number;
  group: number;
  symbols: string;
}

/** Asks the server on a connection of its own. */
export class SeatTraces {
  private constructor(
    private readonly client: X11Client,
    private readonly server: ServerState,
  ) {}

  static async open(env: Env): Promise<SeatTraces> {
    const client = await connect(env, soon());
    return new SeatTraces(client, await ServerState.open(client));
  }

  /** What is pressed now: keys, and buttons as a mask. */
  async pressed(): Promise<{ keys: number[]; buttons: number }> {
    const [keymap, { buttons }] = await Promise.all([
      this.client.request<Buffer>((x, reply) => x.QueryKeymap(reply)),
      this.server.readState(),
    ]);
    const keys = Array.from({ length: 256 }, (_, key) => key).filter((key) => keymap[key >> 3]! & (1 << (key & 7)));
    return { keys, buttons };
  }

  async read(): Promise<Traces> {
    const { min_keycode: first, max_keycode: last } = this.client.setup;
    const [pressed, rows, { held, locked, group }] = await Promise.all([
      this.pressed(),
      this.client.request<number[][]>((x, reply) => x.GetKeyboardMapping(first, last - first + 1, reply)),
      this.server.readState(),
    ]);
    // How many columns the table has depends on the longest row there ever was; empty ones say nothing.
    const symbols = rows.map((row) => row.join(' ').replace(/( 0)+$/, '')).join('\n');
    return { ...pressed, held, locked, group, symbols };
  }

  close(): void {
    this.client.close();
  }
}
