import type { Size } from '../../../tree/index.js';

/** How a server lays out the pixels of its screen. */
export interface PixelFormat {
  bytes: 2 | 4;
  /** Rows begin at multiples of this many bytes. */
  rowPad: number;
  bigEndian: boolean;
  red: number;
  green: number;
  blue: number;
}

/** Red, green, blue, 255. The usual format is turned round in place; others are computed pixel by pixel. */
export function toRgba(pixels: Buffer, size: Size, format: PixelFormat): Buffer {
  const usual = format.bytes === 4 && format.red === 0xff0000 && format.green === 0xff00 && format.blue === 0xff;
  if (usual && !format.bigEndian && pixels.byteOffset % 4 === 0) return swapInPlace(pixels);
  const stride = Math.ceil((size.width * format.bytes) / format.rowPad) * format.rowPad;
  const rgba = Buffer.alloc(size.width * size.height * 4);
  const [red, green, blue] = [channel(format.red), channel(format.green), channel(format.blue)];
  let out = 0;
  for (let y = 0; y < size.height; y += 1) {
    for (let x = 0; x < size.width; x += 1) {
      const pixel = readPixel(pixels, y * stride + x * format.bytes, format);
      rgba[out] = red(pixel);
      rgba[out + 1] = green(pixel);
      rgba[out + 2] = blue(pixel);
      rgba[out + 3] = 255;
      out += 4;
    }
  }
  return rgba;
}

/** Blue, green, red, anything -> red, green, blue, 255, four bytes at a time. */
function swapInPlace(pixels: Buffer): Buffer {
  const words = new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length >>> 2);
  for (let index = 0; index < words.length; index += 1) {
    const pixel = words[index]!;
    words[index] = 0xff000000 | ((pixel & 0xff) << 16) | (pixel & 0xff00) | ((pixel >>> 16) & 0xff);
  }
  return pixels;
}

function readPixel(pixels: Buffer, at: number, { bytes, bigEndian }: PixelFormat): number {
  if (bytes === 4) return bigEndian ? pixels.readUInt32BE(at) : pixels.readUInt32LE(at);
  return bigEndian ? pixels.readUInt16BE(at) : pixels.readUInt16LE(at);
}

/** The bits under `mask`, stretched to 0..255. */
function channel(mask: number): (pixel: number) => number {
  const shift = 31 - Math.clz32(mask & -mask);
  const highest = mask >>> shift;
  return (pixel) => Math.round((((pixel & mask) >>> shift) * 255) / highest);
}
