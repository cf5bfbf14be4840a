import type { InputDevice, InputExtension } from 'x11';
import { readDevices } from '../../../src/drivers/linux/input/user-input.js';
import { connect } from '../../../src/drivers/linux/input/input-device.js';
import { sendRequests } from '../../../src/drivers/linux/input/server-state.js';
import type { X11Client } from '../../../src/drivers/linux/x11/client.js';
import { soon, type Env } from './x-seat.js';

const SLAVE_POINTER = 3;
const SLAVE_KEYBOARD = 4;
const MORE_EVENTS = 0x80;
/** Counted from the first event of the extension. */
const EVENT = { valuator: 0, keyDown: 1, keyUp: 2, buttonDown: 3, buttonUp: 4, motion: 5 } as const;

/**
 * Simulates the user at mouse and keyboard. It moves the X server's own devices, not those for injection, so every
 * program takes it for user input.
 */
export class TestUser {
  private constructor(
    private readonly client: X11Client,
    private readonly opcode: number,
    private readonly firstEvent: number,
    private readonly mouse: number,
    private readonly keyboard: number,
  ) {}

  static async sitDown(env: Env): Promise<TestUser> {
    const client = await connect(env, soon());
    const extension = (await client.extension('xinput')) as InputExtension;
    const devices = await client.request<InputDevice[]>((_, reply) =>
      extension.XIQueryDevice(extension.AllDevices, reply),
    );
    const { injected } = await readDevices(client, extension);
    const own = (use: number): number =>
      devices.find((device) => device.use === use && !injected.has(device.deviceId))!.deviceId;
    const xtest = await client.request<{ majorOpcode: number }>((x, reply) => x.QueryExtension('XTEST', reply));
    return new TestUser(client, xtest.majorOpcode, extension.firstEvent, own(SLAVE_POINTER), own(SLAVE_KEYBOARD));
  }

  /** The number of the keyboard among the devices. */
  get keyboardId(): number {
    return this.keyboard;
  }

  async move(dx: number, dy: number): Promise<void> {
    const valuators = Buffer.alloc(32);
    valuators[0] = this.firstEvent + EVENT.valuator;
    valuators[1] = this.mouse;
    valuators[6] = 2;
    valuators.writeInt32LE(dx, 8);
    valuators.writeInt32LE(dy, 12);
    await this.fake(EVENT.motion, 1, this.mouse | MORE_EVENTS, valuators);
  }

  button(number: number, down: boolean): Promise<void> {
    return this.fake(down ? EVENT.buttonDown : EVENT.buttonUp, number, this.mouse);
  }

  key(keycode: number, down: boolean): Promise<void> {
    return this.fake(down ? EVENT.keyDown : EVENT.keyUp, keycode, this.keyboard);
  }

  async tap(keycode: number): Promise<void> {
    await this.key(keycode, true);
    await this.key(keycode, false);
  }

  leave(): void {
    this.client.close();
  }

  private async fake(event: number, detail: number, device: number, more = Buffer.alloc(0)): Promise<void> {
    const bytes = Buffer.alloc(36 + more.length);
    bytes[0] = this.opcode;
    bytes[1] = 2;
    bytes.writeUInt16LE(bytes.length / 4, 2);
    bytes[4] = this.firstEvent + event;
    bytes[5] = detail;
    bytes[35] = device;
    more.copy(bytes, 36);
    sendRequests(this.client, bytes);
    await this.client.sync();
  }
}

/** As evdev numbers them, which every X server here does. */
export const KEY = { escape: 9, a: 38, shift: 50, capsLock: 66 } as const;
