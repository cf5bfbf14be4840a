import { DesktopError } from '../../../shared/index.js';
import { type Box, intersect, type Size } from '../../../tree/index.js';
import type { Screenshot } from '../../contract/index.js';
import type { X11Client } from '../x11/client.js';
import type { SharedImage } from './shared-image.js';

/** The server's pixel layout. */
export interface PixelFormat {
  bytes: 2 | 4;
  /** Rows start at multiples of this many bytes. */
  rowPad: number;
  bigEndian: boolean;
  red: number;
  green: number;
  blue: number;
}

export function rowBytes(width: number, { bytes, rowPad }: Pick<PixelFormat, 'bytes' | 'rowPad'>): number {
  return Math.ceil((width * bytes) / rowPad) * rowPad;
}

/** Converts to red, green, blue, 255. If each pixel has 4 bytes, the conversion happens in place. */
export function toRgba(pixels: Buffer, size: Size, format: PixelFormat): Buffer {
  const usual = format.bytes === 4 && format.red === 0xff0000 && format.green === 0xff00 && format.blue === 0xff;
  if (usual && !format.bigEndian && pixels.byteOffset % 4 === 0) return swapInPlace(pixels, size.width);
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
 * Half of a screen's rows equal the row above, and comparing and copying rows is faster than converting them.
 */
function swapInPlace(pixels: Buffer, width: number): Buffer {
  const words = new Int32Array(pixels.buffer, pixels.byteOffset, pixels.length >>> 2);
  const bytes = width * 4;
  /** The last row that differed from the row above, before its conversion. */
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

/** The bits of `mask`, scaled to 0..255. */
function channel(mask: number): (pixel: number) => number {
  const shift = 31 - Math.clz32(mask & -mask);
  const highest = mask >>> shift;
  return (pixel) => Math.round((((pixel & mask) >>> shift) * 255) / highest);
}

/** The pixel layout for this depth and visual; of the screen if none is given. */
export function pixelFormat(
  client: X11Client,
  { depth, visual }: { depth: number; visual: number } = {
    depth: client.screen.root_depth,
    visual: client.screen.root_visual,
  },
): PixelFormat {
  const layout = client.setup.format[depth];
  const masks = client.screen.depths[depth]?.[visual];
  if (!layout || !masks || !masks.red_mask || (layout.bits_per_pixel !== 32 && layout.bits_per_pixel !== 16)) {
    throw new DesktopError(
      'not_supported',
      `Display ${client.name.text} has ${depth}-bit colours, which screenshots do not support.`,
      {
        hint: 'Use a display with 16, 24 or 32 bits: Xvfb -screen 0 1280x800x24',
        retry: 'no',
      },
    );
  }
  return {
    bytes: layout.bits_per_pixel === 32 ? 4 : 2,
    rowPad: layout.scanline_pad / 8,
    bigEndian: client.setup.image_byte_order === 1,
    red: masks.red_mask,
    green: masks.green_mask,
    blue: masks.blue_mask,
  };
}

const Z_PIXMAP = 2;
const ALL_PLANES = 0xffffffff;
/** About 1 MB per strip at 1920 pixels of width: large enough to be fast, small enough not to delay other replies. */
const STRIP_BYTES = 1 << 20;

/** Uses shared memory if the server is local and allows it, otherwise strips over the connection. */
export async function readDrawable(
  client: X11Client,
  shared: SharedImage,
  drawable: number,
  box: Box,
  format: PixelFormat,
): Promise<Buffer> {
  const size = rowBytes(box.width, format) * box.height;
  const pixels = (await shared.read(drawable, box, size)) ?? (await readStrips(client, drawable, box, format));
  return toRgba(pixels, box, format);
}

async function readStrips(client: X11Client, drawable: number, box: Box, format: PixelFormat): Promise<Buffer> {
  const rows = Math.max(1, Math.floor(STRIP_BYTES / rowBytes(box.width, format)));
  const strips: Promise<{ data: Buffer }>[] = [];
  for (let top = 0; top < box.height; top += rows) {
    const height = Math.min(rows, box.height - top);
    strips.push(
      client.request((x, reply) =>
        x.GetImage(Z_PIXMAP, drawable, box.x, box.y + top, box.width, height, ALL_PLANES, reply),
      ),
    );
  }
  const size = rowBytes(box.width, format) * box.height;
  return Buffer.concat((await Promise.all(strips)).map((strip) => strip.data)).subarray(0, size);
}

/** The screen as the user sees it, or the part of `area` that is on it. */
export async function captureScreen(
  client: X11Client,
  shared: SharedImage,
  area: Box | undefined,
): Promise<Screenshot> {
  const { pixel_width: width, pixel_height: height } = client.screen;
  const whole = { x: 0, y: 0, width, height };
  const box = area ? intersect(area, whole) : whole;
  if (!box) {
    throw new DesktopError('bad_arguments', 'The area is outside the desktop.', {
      hint: `The desktop is ${width}x${height} pixels.`,
    });
  }
  const rgba = await readDrawable(client, shared, client.root, box, pixelFormat(client));
  return shared.lend({ rgba, width: box.width, height: box.height, origin: { x: box.x, y: box.y } });
}
