const CLIENT_MESSAGE = 33;
const WORDS = 32;

/** What one program says to another, or to the window manager, about a window: its kind, and up to five numbers. */
export function clientMessage(window: number, kind: number, data: readonly number[] = []): Buffer {
  const event = Buffer.alloc(32);
  event[0] = CLIENT_MESSAGE;
  event[1] = WORDS;
  event.writeUInt32LE(window, 4);
  event.writeUInt32LE(kind, 8);
  data.forEach((value, index) => event.writeUInt32LE(value, 12 + 4 * index));
  return event;
}
