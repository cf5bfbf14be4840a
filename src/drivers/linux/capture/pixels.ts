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

export function rowBytes(width: number, { bytes, rowPad }: Pick<PixelFormat, 'bytes' | 'rowPad'>): number {
  return Math.ceil((width * bytes) / rowPad) * rowPad;
}

/** Red, green, blue, 255. Where each pixel has room for that, in the very memory that it is given. */
export function toRgba(pixels: Buffer, size: Size, format: PixelFormat): Buffer {
  const usual = format.bytes === 4 && format.red === 0xff0000 && format.green === 0xff00 && format.blue === 0xff;
  if (usual && !format.bigEndian && pixels.byteOffset % 4 === 0) return swap(pixels, size.width);
  const rgba = Buffer.allocUnsafeSlow(size.width * size.height * 4);
  const stride = rowBytes(size.width, format);
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

/**
 * Blue, green, red, anything -> red, green, blue, 255, four bytes at a time. Rows of 4-byte pixels have no padding.
 * Half of a screen's rows are those above them: to compare and to copy is what machines do fastest.
 */
function swap(pixels: Buffer, width: number): Buffer {
  const words = new Int32Array(pixels.buffer, pixels.byteOffset, pixels.length >>> 2);
  const bytes = width * 4;
  /** The last row that was another one than that above it, as it was. */
  const last = Buffer.allocUnsafe(bytes);
  for (let start = 0; start < words.length; start += width) {
    const at = start * 4;
    if (start > 0 && last.compare(pixels, at, at + bytes) === 0) {
      pixels.copyWithin(at, at - bytes, at);
      continue;
    }
    pixels.copy(last, 0, at, at + bytes);
    for (let index = start; index < start + width; index += 1) {
      const pixel = words[index]!;
      words[index] = 0xff000000 | ((pixel & 0xff) << 16) | (pixel & 0xff00) | ((pixel >>> 16) & 0xff);
    }
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
