import type { Box } from '../../../tree/index.js';
import type { X11Client } from '../x/x11-client.js';
import { rowBytes, toRgba, type PixelFormat } from './pixels.js';
import type { SharedPicture } from './shared-picture.js';

const Z_PIXMAP = 2;
const ALL_PLANES = 0xffffffff;
/** About 1 MB a strip at 1920 wide: big enough to be quick, small enough not to hold up other answers. */
const STRIP_BYTES = 1 << 20;

/** Shared memory where the server is on this machine and allows it, else strips over the connection. */
export async function readDrawable(
  client: X11Client,
  shared: SharedPicture,
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
      client.ask((x, reply) =>
        x.GetImage(Z_PIXMAP, drawable, box.x, box.y + top, box.width, height, ALL_PLANES, reply),
      ),
    );
  }
  const size = rowBytes(box.width, format) * box.height;
  return Buffer.concat((await Promise.all(strips)).map((strip) => strip.data)).subarray(0, size);
}
