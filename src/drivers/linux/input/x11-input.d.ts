/** The parts of npm `x11` that only the input device uses (see x11/x11.d.ts for the rest). */
declare module 'x11' {
  export interface Setup {
    min_keycode: number;
    max_keycode: number;
  }
  export interface XEvent {
    type?: number;
    /** ClientMessage. */
    message_type?: number;
    data?: number[];
    /** XInput raw events. */
    detail?: number;
    sourceId?: number;
    valuators?: Record<string, number>;
  }
  export interface Client {
    QueryPointer(window: number, reply: Reply<{ child: number; rootX: number; rootY: number; keyMask: number }>): void;
    QueryKeymap(reply: Reply<Buffer>): void;
    GetKeyboardMapping(first: number, count: number, reply: Reply<number[][]>): void;
    /** Keys of Shift, Lock, Control, Mod1 to Mod5; 0 if there is none. */
    GetModifierMapping(reply: Reply<number[][]>): void;
    CreatePixmap(id: number, drawable: number, depth: number, width: number, height: number): void;
    SendEvent(window: number, propagate: 0 | 1, mask: number, event: Buffer): void;
  }
  export interface InputDevice {
    deviceId: number;
    /** 1 and 2 are the master pointer and keyboard, 3 and 4 devices attached to one, 5 floating devices. */
    use: number;
    classes: {
      type: number;
      number?: number;
      min?: number;
      max?: number;
      value?: number;
      /** 0 relative, 1 absolute. */
      mode?: number;
    }[];
  }
  export interface InputExtension extends ExtensionInfo {
    /** Null if the server is too old to distinguish devices. */
    xi2: { majorVersion: number; minorVersion: number } | null;
    AllDevices: number;
    AllMasterDevices: number;
    XIQueryDevice(device: number, reply: Reply<InputDevice[]>): void;
    XISelectEvents(window: number, masks: { deviceId: number; mask: readonly string[] }[]): void;
  }
  export interface Extensions {
    xinput: InputExtension;
  }
}
