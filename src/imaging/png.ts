import { endianness } from 'node:os';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { crc32, deflateSync } from 'node:zlib';
import { deflateTokens } from './deflate.js';
import { screenTokens } from './screen-tokens.js';

/** With the default chunk size of 16 kB, joining the chunks doubles the time. */
const CHUNK_BYTES = 1 << 20;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** An opaque image, 4 bytes per pixel: red, green, blue, ignored. */
export interface Pixels {
  width: number;
  height: number;
  rgba: Buffer;
}

/** Encodes an image as a PNG without transparency. */
export function encodePng(image: Pixels): Buffer {
  return encodeFlatPng(image) ?? encodeWithZlib(image);
}

/**
 * Encodes what screens mostly show: flat areas and text. Undefined for a photograph.
 *
 * The compression is our own because zlib sees only bytes. It would have to search all of them, after they were copied
 * to three bytes per pixel. Here one comparison finds a row that equals the row above, and comparing 32-bit words finds
 * runs of pixels. This is several times faster than zlib at its fastest level, and the files are as small as at its
 * default level.
 */
export function encodeFlatPng(image: Pixels): Buffer | undefined {
  const steps = flatPngSteps(image);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same, but yields to the event loop between its steps. */
export async function encodeFlatPngInSteps(image: Pixels): Promise<Buffer | undefined> {
  const steps = flatPngSteps(image);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await yieldToEventLoop();
  }
}

function* flatPngSteps(image: Pixels): Generator<void, Buffer | undefined, void> {
  checkSize(image);
  if (endianness() !== 'LE') return undefined; // Red would not be the lowest byte of a word.
  const found = yield* screenTokens(image.width, image.height, image.rgba);
  if (!found) return undefined;
  yield;
  return assemblePng(image, deflateTokens(found));
}

function encodeWithZlib(image: Pixels): Buffer {
  // Level 1: higher levels take ten times as long and save a fifth of the size.
  return assemblePng(image, deflateSync(rgbRows(image), { level: 1, chunkSize: CHUNK_BYTES }));
}

function checkSize({ width, height, rgba }: Pixels): void {
  if (rgba.length === width * height * 4 && rgba.length > 0) return;
  throw new RangeError(`${rgba.length} bytes are not an image of ${width}x${height}`);
}

function assemblePng({ width, height }: Pixels, data: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8); // 8 bits per channel, RGB, no interlace
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

/** Every row starts with its filter byte: none. */
function rgbRows({ width, height, rgba }: Pixels): Buffer {
  const out = Buffer.allocUnsafe((width * 3 + 1) * height);
  let to = 0;
  let from = 0;
  for (let y = 0; y < height; y += 1) {
    out[to++] = 0;
    for (let x = 0; x < width; x += 1) {
      out[to] = rgba[from]!;
      out[to + 1] = rgba[from + 1]!;
      out[to + 2] = rgba[from + 2]!;
      to += 3;
      from += 4;
    }
  }
  return out;
}

function chunk(type: string, data: Buffer): Buffer {
  const out = Buffer.alloc(data.length + 12);
  out.writeUInt32BE(data.length, 0);
  out.write(type, 4, 'latin1');
  data.copy(out, 8);
  out.writeUInt32BE(crc32(out.subarray(4, data.length + 8)), data.length + 8);
  return out;
}
